import BrowserSessions

/// The known contents of the store for a tab.
///
/// Tabs with the same contents share them until they change. Most tabs of a large profile never do.
struct StoredTab {
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

    /// The session of the last set with the tab; `nil` if there is none.
    var last: SessionID? { known.last }

    /// The sessions that the tab may be in, ``last`` at the end; more than one after a lost answer.
    var sessions: [SessionID] { last.map { known.former + [$0] } ?? known.former }

    /// The digests of the blobs that this process saved. Blobs of earlier processes are not known.
    var blobs: [StateName: BlobDigest] {
        get { known.blobs }
        _modify {
            separate()
            yield &known.blobs
        }
    }

    /// Notes that a set with the tab in this session was acknowledged.
    mutating func acknowledge(in session: SessionID) {
        guard last != session || !known.former.isEmpty else { return }
        known = Known(session, [], blobs)
    }

    /// Notes that a set with the tab in this session may have been applied.
    mutating func mayBe(in session: SessionID) {
        guard last != session else { return }
        known = Known(session, sessions.filter { $0 != session }, blobs)
    }

    /// Notes that a session was removed with its contents.
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

/// A digest that distinguishes blobs: 128 bits, with a key that is random in each process.
struct BlobDigest: Hashable {
    private let first: Int
    private let second: Int

    /// - Parameter blob: the blob; `nil` for an absent one.
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
