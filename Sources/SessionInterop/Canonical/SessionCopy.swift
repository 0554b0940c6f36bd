public import BrowserSessions

/// Copies every session of a store into an empty one and compares the two.
public struct SessionCopy {
    private let source: any SessionStorage
    private let target: any SessionStorage
    private let includesIncognito: Bool

    /// Blobs of one change set, in bytes; more goes into the next.
    private static let setBytes = 8 << 20

    /// What was copied.
    public struct Result: Hashable, Sendable {
        public var sessions = 0
        public var tabs = 0
        public var states = 0
        /// The digest of both stores.
        public var digest = ""
    }

    public init(
        from source: any SessionStorage, to target: any SessionStorage,
        includingIncognito: Bool = false
    ) {
        self.source = source
        self.target = target
        includesIncognito = includingIncognito
    }

    /// Copies and compares. The source is only read.
    ///
    /// Throws `conflict` if the target holds sessions, `corrupted` if a session of the source
    /// cannot be read completely or the copy does not equal it, and what the stores throw.
    ///
    /// - Parameter progress: Told the number of tabs so far.
    public func run(progress: ((_ tabs: Int) -> Void)? = nil) async throws(StorageError) -> Result {
        guard try await target.sessions().isEmpty else {
            throw StorageError(
                .conflict, "the target holds sessions; name a new location", operation: "copy")
        }
        var result = Result()
        for id in try await source.sessions() where includesIncognito || id.side == .regular {
            try await copy(id, &result, progress)
        }
        let sides: Set<StorageSide> = includesIncognito ? [.regular, .incognito] : [.regular]
        result.digest = try await ContentDigest.compute(of: source, sides: sides)
        guard try await ContentDigest.compute(of: target, sides: sides) == result.digest else {
            throw StorageError(
                .corrupted, "the copy does not hold what the source holds", operation: "copy")
        }
        return result
    }

    private func copy(_ id: SessionID, _ result: inout Result, _ progress: ((Int) -> Void)?)
        async throws(StorageError)
    {
        guard let session = try await source.restore(id) else { return }
        guard session.provenance == .intact else {
            throw StorageError(
                .corrupted, "session \(id) cannot be read completely; repair the source first",
                operation: "copy")
        }
        var changes = SessionChanges()
        changes.put(session.attributes, for: id)
        for tab in session.tabs { changes.put(tab, in: id) }
        _ = try await target.save(changes, durability: .processCrash)
        changes = SessionChanges()
        var bytes = 0
        for key in try await source.stateKeys(in: id) {
            guard let state = try await source.state(of: key) else { continue }
            changes.put(state, for: key)
            bytes += state.count
            result.states += 1
            if bytes > Self.setBytes {
                _ = try await target.save(changes, durability: .processCrash)
                changes = SessionChanges()
                bytes = 0
            }
        }
        _ = try await target.save(changes, durability: .powerLoss)
        result.sessions += 1
        result.tabs += session.tabs.count
        progress?(result.tabs)
    }
}
