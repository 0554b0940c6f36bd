public import BrowserSessions

/// A reader of the sessions in a store, tab by tab with their states, in batches of bounded size.
struct StoredSessions {
    let storage: any SessionStorage
    let includesStates: Bool
    var partitions: Set<StoragePartition> = Set(StoragePartition.allCases)
    /// Whether windows come before their companions and other sessions.
    var windowsFirst = false
    /// Whether to visit sessions that hold notes and no tabs of the user.
    var includesNotes = true
    /// Receives the losses, which are left out. Without it, the first one is thrown as `corrupted`.
    var losses: LossHandler?

    /// Visits every session in ascending order, with its tabs in order.
    func forEach(
        begin: (RestoredSession) throws(StorageError) -> Void,
        tab: (TabSnapshot) throws(StorageError) -> Void,
        end: () throws(StorageError) -> Void
    ) async throws(StorageError) {
        try await forEachBatch { session, _ throws(StorageError) in
            try begin(session)
        } tabs: { _, tabs throws(StorageError) in
            for snapshot in tabs { try tab(snapshot) }
        } end: { () throws(StorageError) in
            try end()
        }
    }

    /// Visits every session for asynchronous work: several tabs at a time, and with each session
    /// the keys of its states, including unreadable ones.
    func forEachBatch(
        begin: (RestoredSession, _ keys: [TabStateKey]) async throws(StorageError) -> Void,
        tabs: (_ session: SessionID, [TabSnapshot]) async throws(StorageError) -> Void,
        end: () async throws(StorageError) -> Void
    ) async throws(StorageError) {
        let ids = try await storage.sessions().filter {
            partitions.contains($0.partition) && (includesNotes || $0.kind.role != .notes)
        }
        for id in windowsFirst ? ids.windowsFirst(\.kind) : ids {
            guard let session = try await storage.restore(id) else { continue }
            if session.provenance != .intact {
                guard let losses else { throw .incomplete(session) }
                for loss in session.losses { losses(loss) }
            }
            let keys = includesStates ? try await storage.stateKeys(in: id) : []
            try await begin(session, keys)
            try await storage.forEachBatch(of: session.tabs, with: keys, in: id, losses) {
                batch throws(StorageError) in
                try await tabs(id, batch)
            }
            try await end()
        }
    }
}

extension Array {
    /// Returns windows, then companions, then all others. Sessions of equal rank keep their order.
    func windowsFirst(_ kind: (Element) -> SessionKind) -> [Element] {
        func rank(_ role: SessionKind.Role) -> Int {
            role == .window ? 0 : role == .companion ? 1 : 2
        }
        let roles = Dictionary(grouping: self) { rank(kind($0).role) }
        return (0...2).flatMap { roles[$0] ?? [] }
    }
}

/// The number of items to read at once. It grows, and shrinks after a large batch.
private struct BatchSize {
    private(set) var count = 16

    private static let largest = 256
    private static let wantedBytes = 16 * 1024 * 1024

    /// - Parameter bytes: The size of the last batch in bytes.
    mutating func adapt(to bytes: Int) {
        count = bytes > Self.wantedBytes ? max(count / 4, 1) : min(count * 2, Self.largest)
    }
}

/// A closure that receives each loss: something that was saved and is left out because it cannot be
/// read. A loss that concerns the whole store is reported with each session.
public typealias LossHandler = (Loss) -> Void

extension SessionStorage {
    /// Runs work on tabs with those of their states that have one of the keys, in batches of bounded
    /// size. Damaged states are handled as in ``readableStates(of:in:_:)``.
    func forEachBatch(
        of tabs: [TabMetadata], with keys: [TabStateKey], in session: SessionID,
        _ losses: LossHandler?, _ work: ([TabSnapshot]) async throws(StorageError) -> Void
    ) async throws(StorageError) {
        var size = BatchSize()
        var rest = tabs[...]
        let keysByTab = Dictionary(grouping: keys, by: \.tab)
        while !rest.isEmpty {
            let batch = rest.prefix(size.count)
            rest = rest.dropFirst(size.count)
            let keys = batch.flatMap { keysByTab[$0.id] ?? [] }
            var states: [TabID: [StateName: [UInt8]]] = [:]
            for (key, bytes) in try await readableStates(of: keys, in: session, losses) {
                states[key.tab, default: [:]][key.name] = bytes
            }
            try await work(batch.map { TabSnapshot(metadata: $0, states: states[$0.id] ?? [:]) })
            size.adapt(to: states.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } })
        }
    }

    /// Runs work on the blobs of the keys, in batches of bounded size. The work gets the readable
    /// blobs. Damaged ones are handled as in ``readableStates(of:in:_:)``.
    package func forEachBatch(
        of keys: [TabStateKey], in session: SessionID, _ losses: LossHandler?,
        _ work: (_ batch: [TabStateKey], _ states: [TabStateKey: [UInt8]])
            async throws(StorageError) -> Void
    ) async throws(StorageError) {
        var size = BatchSize()
        var rest = keys[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(size.count))
            rest = rest.dropFirst(size.count)
            let states = try await readableStates(of: batch, in: session, losses)
            try await work(batch, states)
            size.adapt(to: states.values.reduce(0) { $0 + $1.count })
        }
    }

    /// Returns the blobs of the keys. Damaged ones are left out and reported to `losses`. Without
    /// `losses`, throws `corrupted`.
    package func readableStates(
        of keys: [TabStateKey], in session: SessionID, at version: SessionVersion = .current,
        _ losses: LossHandler?
    ) async throws(StorageError) -> [TabStateKey: [UInt8]] {
        do throws(StorageError) {
            return try await states(of: keys, at: version)
        } catch {
            guard error.code == .corrupted, let losses else { throw error }
            guard keys.count > 1 else {
                for key in keys { losses(.state(of: key, in: session)) }
                return [:]
            }
            var states: [TabStateKey: [UInt8]] = [:]
            for key in keys {
                let state = try await readableStates(
                    of: [key], in: session, at: version, losses)
                states.merge(state) { $1 }
            }
            return states
        }
    }
}

extension Loss {
    /// Returns the loss of a blob of a tab.
    package static func state(of key: TabStateKey, in session: SessionID) -> Loss {
        Loss(
            .state, session: session, tab: key.tab,
            detail: "the '\(key.name.rawValue)' state cannot be read")
    }
}

extension StorageError {
    /// Returns the error for a session that can only be read in part.
    static func incomplete(_ session: RestoredSession) -> StorageError {
        StorageError(
            .corrupted,
            "session \(session.id) cannot be read completely; the store's report of 'check' says what "
                + "is lost, and 'repair' accepts it")
    }
}

extension ContentDigest {
    /// Returns the digest of everything in a store, which equals that of the sessions in memory.
    ///
    /// Reads in batches, so memory use does not grow with the store.
    ///
    /// - Parameters:
    ///   - storage: The store to read.
    ///   - includingStates: Whether the states of tabs count.
    ///   - partitions: The partitions to cover.
    ///   - losses: Receives the losses. The digest then covers everything else.
    ///   - progress: Receives the number of tabs so far, after each session.
    /// - Throws: What the store throws, and `corrupted` if something cannot be read and there is no
    ///   `losses`: a damaged store has no digest.
    public static func compute(
        of storage: any SessionStorage, includingStates: Bool = true,
        partitions: Set<StoragePartition> = [.regular, .incognito],
        losses: LossHandler? = nil,
        progress: ((_ tabs: Int) -> Void)? = nil
    ) async throws(StorageError) -> String {
        var digest = ContentDigest(includingStates: includingStates)
        var tabs = 0
        let stored = StoredSessions(
            storage: storage, includesStates: includingStates, partitions: partitions,
            losses: losses)
        try await stored.forEach { session throws(StorageError) in
            digest.begin(session)
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
    /// Writes everything in a store except notes, which belong to a restorer and are of no use
    /// elsewhere. The text equals that of the same sessions in memory.
    ///
    /// - Parameter storage: The store to read.
    /// - Parameter includingStates: Whether the states of tabs are written.
    /// - Parameter partitions: The partitions to write.
    /// - Parameter losses: Receives the losses. The text then has everything else.
    /// - Parameter sink: Receives the text piece by piece.
    /// - Throws: What the store or the sink throws, and `corrupted` if something cannot be read and
    ///   there is no `losses`. The sink may have received a part of the text by then.
    public static func write(
        _ storage: any SessionStorage, includingStates: Bool = true,
        partitions: Set<StoragePartition> = [.regular, .incognito], losses: LossHandler? = nil,
        to sink: @escaping Sink
    ) async throws(StorageError) {
        var writer = try CanonicalJSON(includingStates: includingStates, sink: sink)
        let stored = StoredSessions(
            storage: storage, includesStates: includingStates, partitions: partitions,
            includesNotes: false,
            losses: losses)
        try await stored.forEach { session throws(StorageError) in
            try writer.begin(session)
        } tab: { tab throws(StorageError) in
            try writer.add(tab)
        } end: { () throws(StorageError) in
            try writer.endSession()
        }
        try writer.finish()
    }
}
