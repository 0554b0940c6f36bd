/// A state of a store that was opened for reading beside its owner; see
/// ``StorageBackend/openReader(_:)``.
///
/// It is a store for everything that reads: sessions, restore points, exports, digests. It never shows
/// a session of the incognito partition, whatever it was made from. Every call that changes
/// something is ``StorageError/Code/permissionDenied``. Close it, since it may hold files or a
/// connection.
public struct StoreReader: StorageDecorator {
    public let base: any SessionStorage
    /// The number of the last change set of the regular partition that it shows; 0 for an empty one.
    public let sequence: UInt64
    /// The wall-clock time at which that was the store's state.
    public let asOf: Timestamp

    /// Creates a reader. Backends do that in ``StorageBackend/openReader(_:)``.
    ///
    /// - Parameters:
    ///   - base: answers what is read; closed with the reader.
    ///   - sequence: the number of the last change set that it shows.
    ///   - asOf: when that was the store's state.
    public init(_ base: any SessionStorage, sequence: UInt64, asOf: Timestamp) {
        self.base = base
        self.sequence = sequence
        self.asOf = asOf
    }

    /// What the store guarantees, without what a reader cannot do.
    public var traits: StorageTraits {
        var traits = base.traits
        traits.takesRestorePoints = false
        traits.removalErasure = nil
        return traits
    }
}

/// What a reader shows: the regular sessions.
private struct RegularSessions: StorageDecorator {
    let base: any SessionStorage

    func sessions(at version: SessionVersion) async throws(StorageError) -> [SessionID] {
        try await base.sessions(at: version).filter { $0.partition == .regular }
    }

    func earlierTabs() async throws(StorageError) -> [EarlierTab] {
        try await base.earlierTabs().filter { $0.session.partition == .regular }
    }

    func summaries() async throws(StorageError) -> [SessionSummary] {
        try await base.summaries().filter { $0.id.partition == .regular }
    }

    func restore(_ ids: [SessionID], at version: SessionVersion)
        async throws(StorageError) -> [RestoredSession]
    {
        try await base.restore(ids.filter { $0.partition == .regular }, at: version)
    }

    func states(of keys: [TabStateKey], at version: SessionVersion)
        async throws(StorageError) -> [TabStateKey: [UInt8]]
    {
        try await base.states(of: keys.filter { $0.partition == .regular }, at: version)
    }

    func stateKeys(in session: SessionID, at version: SessionVersion)
        async throws(StorageError) -> [TabStateKey]
    {
        guard session.partition == .regular else {
            // A closed store throws here.
            _ = try await base.sessions()
            return []
        }
        return try await base.stateKeys(in: session, at: version)
    }
}

// MARK: - What it refuses

extension StoreReader {
    public func perform<Request: StorageRequest>(_ request: Request) async throws(StorageError)
        -> Request.Answer
    {
        guard request.changesStore else {
            return try await request.perform(on: RegularSessions(base: base))
        }
        // A closed store throws that it is closed.
        _ = try await base.sessions()
        throw StorageError(
            .permissionDenied,
            """
            the store was opened for reading beside its owner; only the process that has it open can \
            change it
            """, operation: request.operation)
    }
}
