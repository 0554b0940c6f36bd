public import BrowserSessions
import Dispatch
import StorageEngines
import Synchronization

/// A complete store in memory, so that tests of a host need no files and no disk.
///
/// It passes the conformance suite for stores that promise `Durability.memory`. It checks, numbers
/// and applies each set as a whole, repairs restored sessions, and refuses calls once it is closed.
/// Its calls run on a separate thread, so that the code under test interleaves with other tasks as
/// in production. Its contents end with it, unless ``reopened(maximumStateBytes:)`` passes them on.
///
/// ```swift
/// let storage = MemoryStorage()
/// let host = Host(storage: storage)      // the app under test, which saves into it
/// let next = Host(storage: storage.reopened())   // the same app after a restart
/// ```
public final class MemoryStorage: SessionStorage {
    private struct State {
        var contents: MemoryContents
        var isClosed = false
    }

    /// The traits of memory: nothing survives the process, no file contains anything, and no
    /// earlier generation is kept, so requesting one is `unsupported`.
    public let traits: StorageTraits
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "browser-sessions.memory")

    /// Creates an empty store.
    ///
    /// - Parameter maximumStateBytes: the maximum size of one state in bytes.
    public convenience init(
        maximumStateBytes: Int = StorageTraits.defaultMaximumStateBytes
    ) {
        self.init(MemoryContents(), maximumStateBytes)
    }

    private init(_ contents: MemoryContents, _ maximumStateBytes: Int) {
        traits = StorageTraits(
            backend: "memory", durability: [.memory], defaultDurability: .memory,
            maximumStateBytes: maximumStateBytes, incognitoErasure: .erased,
            removalErasure: .erased, keepsPreviousGeneration: false)
        state = Mutex(State(contents: contents))
    }

    // MARK: - For tests

    /// Returns a new store with the contents of this one, as after a restart or a kill of the host.
    ///
    /// This store is closed, because a store has one writer: a late save by the old host throws
    /// `closed`. A store that is already closed can also be reopened.
    ///
    /// - Parameter maximumStateBytes: the maximum bytes of one state; `nil` for the former limit.
    public func reopened(maximumStateBytes: Int? = nil) -> MemoryStorage {
        let contents = state.withLock { state in
            state.isClosed = true
            return state.contents
        }
        return MemoryStorage(contents, maximumStateBytes ?? traits.maximumStateBytes)
    }

    /// The entire contents exactly as saved, without repairs: the sessions of both partitions,
    /// ascending, with their tabs in order; `[]` for a new store. It can be read at any time, even
    /// from a closed store, and does not count as a call.
    public var snapshots: [SessionSnapshot] {
        let contents = state.withLock(\.contents)
        return contents.sessions.compactMap { id in
            let partition = contents[id.partition]
            guard let session = partition.session(id) else { return nil }
            let tabs = session.tabs.map { tab in
                TabSnapshot(metadata: tab, states: partition.states[tab.id] ?? [:])
            }
            return SessionSnapshot(id: id, attributes: session.attributes, tabs: tabs)
        }
    }

    /// Whether the store was closed, or passed on by ``reopened(maximumStateBytes:)``.
    public var isClosed: Bool { state.withLock(\.isClosed) }
}

// MARK: - The contract

extension MemoryStorage {
    public func sessions() async throws(StorageError) -> [SessionID] {
        try await use("sessions") { $0.sessions }
    }

    public func summaries() async throws(StorageError) -> [SessionSummary] {
        try await use("summaries") { contents in
            contents.sessions.compactMap { contents[$0.partition].summary($0) }
        }
    }

    public func restore(_ ids: [SessionID], generation: SessionGeneration)
        async throws(StorageError) -> [RestoredSession]
    {
        try await use("restore") { contents throws(StorageError) in
            guard generation == .current else {
                throw StorageError(
                    .unsupported,
                    "backend 'memory' keeps no earlier generation; restore the current one")
            }
            return ids.compactMap { id in
                var session = contents[id.partition].session(id)
                session?.repair()
                return session
            }
        }
    }

    public func state(of keys: [TabStateKey]) async throws(StorageError)
        -> [TabStateKey: [UInt8]]
    {
        try await use("state") { contents in
            keys.reduce(into: [:]) { $0[$1] = contents[$1.partition].states[$1.tab]?[$1.name] }
        }
    }

    public func stateKeys(in session: SessionID) async throws(StorageError) -> [TabStateKey] {
        try await use("state keys") { contents in
            let partition = contents[session.partition]
            return partition.tabs[session, default: [:]].keys.sorted().flatMap { tab in
                (partition.states[tab] ?? [:]).keys.sorted { $0.rawValue < $1.rawValue }
                    .map { TabStateKey(tab: tab, name: $0, in: session) }
            }
        }
    }

    @discardableResult
    public func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        let limit = traits.maximumStateBytes
        return try await use("save") { contents throws(StorageError) in
            guard durability == .memory else {
                throw StorageError(
                    .unsupported,
                    """
                    saves of backend 'memory' reach .memory at most, not .\(durability.rawValue)
                    """)
            }
            let partition = try changes.validate(maximumStateBytes: limit) ?? .regular
            return try contents[partition].save(changes)
        }
    }

    public func deleteIncognito() async throws(StorageError) {
        try await use("delete incognito", ifCancelled: true) { $0.incognito = MemoryPartition() }
    }

    /// Does nothing, because removed and replaced data is already gone.
    public func eraseRemoved() async throws(StorageError) {
        try await use("erase removed") { _ in }
    }

    /// Does nothing, because nothing is ever quarantined.
    public func purgeQuarantine() async throws(StorageError) {
        try await use("purge quarantine") { _ in }
    }

    /// Counts the contents. Memory cannot be damaged, so there is nothing to repair.
    public func check() async throws(StorageError) -> RecoveryReport { try await report("check") }

    @discardableResult
    public func repair() async throws(StorageError) -> RecoveryReport {
        var report = try await report("repair")
        report.isRepaired = true
        return report
    }

    private func report(_ operation: String) async throws(StorageError) -> RecoveryReport {
        try await use(operation) { contents in
            var report = RecoveryReport()
            report.sessions = contents.sessions.count
            for partition in [contents.regular, contents.incognito] {
                let tabs = partition.tabs.values.flatMap(\.values)
                let blobs = partition.states.values.flatMap(\.values)
                report.tabs += tabs.count
                report.states += blobs.count
                report.bytesRead += tabs.reduce(0) { $0 + $1.encoded().count }
                report.bytesRead += blobs.reduce(0) { $0 + $1.count }
            }
            return report
        }
    }

    public func close() async throws(StorageError) {
        await onQueue { $0.withLock { $0.isClosed = true } }
    }

    private func use<Success: Sendable>(
        _ operation: String, ifCancelled: Bool = false,
        _ work: @escaping @Sendable (inout MemoryContents) throws(StorageError) -> Success
    ) async throws(StorageError) -> Success {
        if Task.isCancelled, !ifCancelled {
            throw StorageError(
                .cancelled, "the task was cancelled before the call began", operation: operation)
        }
        let result = await onQueue { state in
            state.withLock { state -> Result<Success, StorageError> in
                guard !state.isClosed else {
                    return .failure(
                        StorageError(
                            .closed, "the store was closed; open it again", operation: operation))
                }
                do throws(StorageError) {
                    return .success(try work(&state.contents))
                } catch {
                    var error = error
                    error.operation = operation
                    return .failure(error)
                }
            }
        }
        return try result.get()
    }

    /// Waits for another thread, as every store with a disk does, so that tests have the same
    /// suspension points.
    private func onQueue<Answer: Sendable>(
        _ work: @escaping @Sendable (borrowing Mutex<State>) -> Answer
    ) async -> Answer {
        await withCheckedContinuation { answer in
            queue.async { answer.resume(returning: work(self.state)) }
        }
    }
}

extension MemoryPartition {
    /// Applies a valid set once. Throws `conflict` if it expects another sequence number.
    fileprivate mutating func save(_ changes: SessionChanges) throws(StorageError) -> SaveReceipt {
        if let known = sequence(of: changes.commitID) {
            return SaveReceipt(sequence: known, durability: .memory, wasAlreadyApplied: true)
        }
        if let expected = changes.expectedSequence, expected != sequence {
            throw StorageError(
                .conflict, "the store is at change set \(sequence), the save expected \(expected)")
        }
        try changes.validateStates { home(of: $0) }
        if !changes.isEmpty || changes.commitID != nil { apply(changes) }
        return SaveReceipt(sequence: sequence, durability: .memory)
    }
}
