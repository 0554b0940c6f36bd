import BrowserSessions

/// What the store is known to have of a tab.
struct TabPlace {
    /// The session of the last set that named it; `nil` if there is none any more.
    private(set) var last: SessionID?
    /// Where it may be as well, after a lost answer.
    private var former: [SessionID] = []
    /// What the blobs are that this process has saved; those of earlier processes are not known.
    var blobs: [StateName: BlobDigest] = [:]

    init(_ session: SessionID) { last = session }

    /// Where it may be, ``last`` at the end.
    var sessions: [SessionID] { last.map { former + [$0] } ?? former }

    /// A set was acknowledged that puts it there.
    mutating func settle(in session: SessionID) {
        last = session
        former = []
    }

    /// A set that puts it there may have been applied.
    mutating func mayBe(in session: SessionID) {
        former = sessions.filter { $0 != session }
        last = session
    }

    /// A session was removed with all that was in it.
    mutating func leave(_ session: SessionID) {
        former.removeAll { $0 == session }
        if last == session { last = former.popLast() }
    }
}

/// Tells blobs apart without keeping them: 128 bits under a key that is random in each process.
struct BlobDigest: Hashable {
    private let first: Int
    private let second: Int

    /// - Parameter blob: `nil` for one that is not there.
    init(_ blob: [UInt8]?) {
        first = Self.hash(blob, 1)
        second = Self.hash(blob, 2)
    }

    private static func hash(_ blob: [UInt8]?, _ number: UInt8) -> Int {
        var hasher = Hasher()
        hasher.combine(number)
        hasher.combine(blob?.count ?? -1)
        blob?.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
