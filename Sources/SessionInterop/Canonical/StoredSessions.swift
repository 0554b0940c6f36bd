public import BrowserSessions

/// Reads the sessions of a store tab by tab, with their states, in batches of bounded size.
struct StoredSessions {
    let storage: any SessionStorage
    let includesStates: Bool
    var sides: Set<StorageSide> = Set(StorageSide.allCases)
    /// Whether windows come before what belongs to them.
    var windowsFirst = false
    /// Whether sessions are visited that hold facts and no tabs of the user.
    var includesNotes = true
    /// Told what is lost, which is then left out; without it the first loss is thrown as `corrupted`.
    var losses: LossHandler?

    /// Visits every session, ascending, and its tabs in order.
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

    /// The same for work that waits: some tabs at once, and with a session the keys of its states, also of
    /// those that cannot be read.
    func forEachBatch(
        begin: (RestoredSession, _ keys: [TabStateKey]) async throws(StorageError) -> Void,
        tabs: (_ session: SessionID, [TabSnapshot]) async throws(StorageError) -> Void,
        end: () async throws(StorageError) -> Void
    ) async throws(StorageError) {
        let ids = try await storage.sessions().filter {
            sides.contains($0.side) && (includesNotes || $0.kind.role != .notes)
        }
        for id in windowsFirst ? ids.windowsFirst(\.kind) : ids {
            guard let session = try await storage.restore(id) else { continue }
            if session.provenance != .intact {
                guard let losses else { throw .incomplete(session) }
                for loss in session.losses { losses(loss) }
            }
            let keys = includesStates ? try await storage.stateKeys(in: id) : []
            try await begin(session, keys)
            try await visit(session, keys, tabs)
            try await end()
        }
    }

    private func visit(
        _ session: RestoredSession, _ keys: [TabStateKey],
        _ tabs: (_ session: SessionID, [TabSnapshot]) async throws(StorageError) -> Void
    ) async throws(StorageError) {
        var size = BatchSize()
        var rest = session.tabs[...]
        let keysByTab = Dictionary(grouping: keys, by: \.tab)
        while !rest.isEmpty {
            let batch = rest.prefix(size.count)
            rest = rest.dropFirst(size.count)
            let states = try await states(
                of: batch.flatMap { keysByTab[$0.id] ?? [] }, in: session.id)
            try await tabs(
                session.id, batch.map { TabSnapshot(metadata: $0, states: states[$0.id] ?? [:]) })
            size.adapt(to: states.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } })
        }
    }

    private func states(of keys: [TabStateKey], in session: SessionID) async throws(StorageError)
        -> [TabID: [StateName: [UInt8]]]
    {
        var states: [TabID: [StateName: [UInt8]]] = [:]
        for (key, bytes) in try await storage.readableStates(of: keys, in: session, losses) {
            states[key.tab, default: [:]][key.name] = bytes
        }
        return states
    }
}

extension Array {
    /// Windows, then companions, then all else; what is alike stays in its order.
    func windowsFirst(_ kind: (Element) -> SessionKind) -> [Element] {
        func rank(_ role: SessionKind.Role) -> Int {
            role == .window ? 0 : role == .companion ? 1 : 2
        }
        let roles = Dictionary(grouping: self) { rank(kind($0).role) }
        return (0...2).flatMap { roles[$0] ?? [] }
    }
}

/// How many are read at once: more and more, but fewer after a batch that was large.
private struct BatchSize {
    private(set) var count = 16

    private static let largest = 256
    private static let wantedBytes = 16 * 1024 * 1024

    /// - Parameter bytes: how many the last batch had.
    mutating func adapt(to bytes: Int) {
        count = bytes > Self.wantedBytes ? max(count / 4, 1) : min(count * 2, Self.largest)
    }
}

/// Told of something that was saved and is left out, because it cannot be read. A loss that concerns the
/// store as a whole is told with each session.
public typealias LossHandler = (Loss) -> Void

extension SessionStorage {
    /// Does something with the blobs of the keys in batches of bounded size, and is given those that can be
    /// read; otherwise as ``readableStates(of:in:_:)``.
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

    /// The blobs of the keys, without those that are damaged, of which `losses` is told; if there is nobody
    /// to tell, `corrupted` is thrown.
    package func readableStates(
        of keys: [TabStateKey], in session: SessionID, _ losses: LossHandler?
    ) async throws(StorageError) -> [TabStateKey: [UInt8]] {
        do throws(StorageError) {
            return try await state(of: keys)
        } catch {
            guard error.code == .corrupted, let losses else { throw error }
            guard keys.count > 1 else {
                for key in keys { losses(.state(of: key, in: session)) }
                return [:]
            }
            var states: [TabStateKey: [UInt8]] = [:]
            for key in keys {
                states.merge(try await readableStates(of: [key], in: session, losses)) { $1 }
            }
            return states
        }
    }
}

extension Loss {
    /// A blob that a tab had.
    package static func state(of key: TabStateKey, in session: SessionID) -> Loss {
        Loss(
            .state, session: session, tab: key.tab,
            detail: "the '\(key.name.rawValue)' state cannot be read")
    }
}

extension StorageError {
    /// A session of which only a part can be read.
    static func incomplete(_ session: RestoredSession) -> StorageError {
        StorageError(
            .corrupted,
            "session \(session.id) cannot be read completely; the store's report of 'check' tells what "
                + "is lost, and 'repair' accepts it")
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
    ///   - losses: Told what is lost; the digest is then that of what is left.
    ///   - progress: Told the number of tabs so far, after each session.
    public static func compute(
        of storage: any SessionStorage, includingStates: Bool = true,
        sides: Set<StorageSide> = [.regular, .incognito],
        losses: LossHandler? = nil,
        progress: ((_ tabs: Int) -> Void)? = nil
    ) async throws(StorageError) -> String {
        var digest = ContentDigest(includingStates: includingStates)
        var tabs = 0
        let stored = StoredSessions(
            storage: storage, includesStates: includingStates, sides: sides, losses: losses)
        try await stored.forEach { session throws(StorageError) in
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
    /// Writes everything in a store but notes, which are a restorer's own and of no use elsewhere; the text
    /// equals that of the same sessions in memory.
    ///
    /// Throws what the store or the sink throws, and `corrupted` for a session that is not intact.
    ///
    /// - Parameter sides: The sides to write.
    /// - Parameter losses: Told what is lost; the text then has what is left.
    public static func write(
        _ storage: any SessionStorage, includingStates: Bool = true,
        sides: Set<StorageSide> = [.regular, .incognito], losses: LossHandler? = nil,
        to sink: @escaping Sink
    ) async throws(StorageError) {
        var writer = try CanonicalJSON(includingStates: includingStates, sink: sink)
        let stored = StoredSessions(
            storage: storage, includesStates: includingStates, sides: sides, includesNotes: false,
            losses: losses)
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
