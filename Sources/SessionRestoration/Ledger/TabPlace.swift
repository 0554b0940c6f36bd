import BrowserSessions

/// What the store is known to have of a tab.
///
/// Tabs of which the same is known share it until that changes: most tabs of a big profile never do.
struct TabPlace {
    private var known: Known

    private final class Known {
        var last: SessionID?
        var former: [SessionID]
        var blobs: [StateName: BlobDigest]

        init(_ last: SessionID?, _ former: [SessionID], _ blobs: [StateName: BlobDigest]) {
            self.last = last
            self.former = former
            self.blobs = blobs
        }
    }

    init(_ session: SessionID) { known = Known(session, [], [:]) }

    /// The session of the last set that named it; `nil` if there is none any more.
    var last: SessionID? { known.last }

    /// Where it may be, ``last`` at the end: in more than one after a lost answer.
    var sessions: [SessionID] { last.map { known.former + [$0] } ?? known.former }

    /// What the blobs are that this process has saved; those of earlier processes are not known.
    var blobs: [StateName: BlobDigest] {
        get { known.blobs }
        _modify {
            separate()
            yield &known.blobs
        }
    }

    /// A set was acknowledged that puts it there.
    mutating func settle(in session: SessionID) {
        guard last != session || !known.former.isEmpty else { return }
        known = Known(session, [], blobs)
    }

    /// A set that puts it there may have been applied.
    mutating func mayBe(in session: SessionID) {
        guard last != session else { return }
        known = Known(session, sessions.filter { $0 != session }, blobs)
    }

    /// A session was removed with all that was in it.
    mutating func leave(_ session: SessionID) {
        guard sessions.contains(session) else { return }
        var others = sessions.filter { $0 != session }
        known = Known(others.popLast(), others, blobs)
    }

    private mutating func separate() {
        guard !isKnownUniquelyReferenced(&known) else { return }
        known = Known(last, known.former, known.blobs)
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
