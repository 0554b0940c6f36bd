public import BrowserSessions

/// Reads the sessions of a store tab by tab, with their states, in batches of bounded size.
struct StoredSessions {
    let storage: any SessionStorage
    let includesStates: Bool
    var sides: Set<StorageSide> = Set(StorageSide.allCases)

    /// States are read for so many tabs at once, at first and at most.
    private static let firstBatch = 16
    private static let largestBatch = 256
    /// A batch with more bytes than this is followed by a smaller one.
    private static let wantedBytes = 16 * 1024 * 1024

    /// Visits every session, ascending, and its tabs in order.
    func forEach(
        begin: (RestoredSession) throws(StorageError) -> Void,
        tab: (TabSnapshot) throws(StorageError) -> Void,
        end: () throws(StorageError) -> Void
    ) async throws(StorageError) {
        for id in try await storage.sessions() where sides.contains(id.side) {
            guard let session = try await storage.restore(id) else { continue }
            try begin(session)
            try await visit(session, tab)
            try end()
        }
    }

    private func visit(
        _ session: RestoredSession, _ tab: (TabSnapshot) throws(StorageError) -> Void
    ) async throws(StorageError) {
        var size = Self.firstBatch
        var rest = session.tabs[...]
        let keys = includesStates ? try await storage.stateKeys(in: session.id) : []
        let keysByTab = Dictionary(grouping: keys, by: \.tab)
        while !rest.isEmpty {
            let batch = rest.prefix(size)
            rest = rest.dropFirst(size)
            let states = try await states(of: batch.flatMap { keysByTab[$0.id] ?? [] })
            for metadata in batch {
                try tab(TabSnapshot(metadata: metadata, states: states[metadata.id] ?? [:]))
            }
            let bytes = states.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } }
            size = bytes > Self.wantedBytes ? max(size / 4, 1) : min(size * 2, Self.largestBatch)
        }
    }

    private func states(of keys: [TabStateKey]) async throws(StorageError)
        -> [TabID: [StateName: [UInt8]]]
    {
        var states: [TabID: [StateName: [UInt8]]] = [:]
        for (key, bytes) in try await storage.state(of: keys) {
            states[key.tab, default: [:]][key.name] = bytes
        }
        return states
    }
}

extension ContentDigest {
    /// The digest of everything in a store, equal to that of the same sessions in memory.
    ///
    /// Reads in batches; memory does not grow with the store. Throws what the store throws, and
    /// `corrupted` for a session that is not intact: a damaged store has no digest.
    ///
    /// - Parameters:
    ///   - sides: The sides to cover.
    ///   - progress: Told the number of tabs so far, after each session.
    public static func compute(
        of storage: any SessionStorage, includingStates: Bool = true,
        sides: Set<StorageSide> = [.regular, .incognito],
        progress: ((_ tabs: Int) -> Void)? = nil
    ) async throws(StorageError) -> String {
        var digest = ContentDigest(includingStates: includingStates)
        var tabs = 0
        let stored = StoredSessions(
            storage: storage, includesStates: includingStates, sides: sides)
        try await stored.forEach { session throws(StorageError) in
            guard session.provenance == .intact else {
                throw StorageError(
                    .corrupted, "a session could not be read completely", operation: "digest")
            }
            digest.begin(session.id, session.attributes)
        } tab: { tab throws(StorageError) in
            digest.add(tab.metadata, states: tab.states)
            tabs += 1
        } end: { () throws(StorageError) in
            digest.endSession()
            progress?(tabs)
        }
        return digest.value()
    }
}

extension CanonicalJSON {
    /// Writes everything in a store; the text equals that of the same sessions in memory.
    ///
    /// Throws what the store or the sink throws.
    public static func write(
        _ storage: any SessionStorage, includingStates: Bool = true, to sink: @escaping Sink
    ) async throws(StorageError) {
        var writer = try CanonicalJSON(includingStates: includingStates, sink: sink)
        let stored = StoredSessions(storage: storage, includesStates: includingStates)
        try await stored.forEach { session throws(StorageError) in
            try writer.begin(session.id, session.attributes)
        } tab: { tab throws(StorageError) in
            try writer.add(tab)
        } end: { () throws(StorageError) in
            try writer.endSession()
        }
        try writer.finish()
    }
}
