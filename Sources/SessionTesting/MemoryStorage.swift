public import BrowserSessions
import Dispatch
import StorageEngines
import Synchronization

/// A complete store wholly in memory: for tests of a host, which need neither files nor a disk.
///
/// It passes the conformance suite for stores that promise `Durability.memory`: sets are checked,
/// numbered and applied as a whole, restored sessions are repaired, a closed store refuses calls.
/// Its calls work on a thread of their own, so that code under test meets other tasks where it does in
/// real life. What it holds ends with it, unless ``reopened(maximumStateBytes:)`` hands it on.
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

    /// In memory: nothing survives the process, nothing is left in any file, and no earlier
    /// generation is kept, so asking for one is `unsupported`.
    public let traits: StorageTraits
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "browser-sessions.memory")

    /// A new, empty store.
    ///
    /// - Parameter maximumStateBytes: the most bytes of one state.
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

    /// A new store over what this one holds, as a host finds it after it was restarted or killed.
    ///
    /// This store is closed, since a store has one writer: a save of the old host that comes too
    /// late throws `closed`. A store that was closed already can be opened like this, too.
    ///
    /// - Parameter maximumStateBytes: the most bytes of one state; as before if it is `nil`.
    public func reopened(maximumStateBytes: Int? = nil) -> MemoryStorage {
        let contents = state.withLock { state in
            state.isClosed = true
            return state.contents
        }
        return MemoryStorage(contents, maximumStateBytes ?? traits.maximumStateBytes)
    }

    /// Everything that the store holds, sessions of both sides ascending and their tabs in order,
    /// exactly as saved: nothing is repaired. `[]` for a new store. It can be read at any time,
    /// also of a closed store, and is no call that the store counts.
    public var snapshots: [SessionSnapshot] {
        let contents = state.withLock(\.contents)
        return contents.sessions.compactMap { id in
            let side = contents[id.side]
            guard let session = side.session(id) else { return nil }
            let tabs = session.tabs.map { tab in
                TabSnapshot(metadata: tab, states: side.states[tab.id] ?? [:])
            }
            return SessionSnapshot(id: id, attributes: session.attributes, tabs: tabs)
        }
    }

    /// Whether the store was closed, or handed on by ``reopened(maximumStateBytes:)``.
    public var isClosed: Bool { state.withLock(\.isClosed) }
}

// MARK: - The contract

extension MemoryStorage {
    public func sessions() async throws(StorageError) -> [SessionID] {
        try await use("sessions") { $0.sessions }
    }

    public func summaries() async throws(StorageError) -> [SessionSummary] {
        try await use("summaries") { contents in
            contents.sessions.compactMap { contents[$0.side].summary($0) }
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
                var session = contents[id.side].session(id)
                session?.repair()
                return session
            }
        }
    }

    public func state(of keys: [TabStateKey]) async throws(StorageError)
        -> [TabStateKey: [UInt8]]
    {
        try await use("state") { contents in
            keys.reduce(into: [:]) { $0[$1] = contents[$1.side].states[$1.tab]?[$1.name] }
        }
    }

    public func stateKeys(in session: SessionID) async throws(StorageError) -> [TabStateKey] {
        try await use("state keys") { contents in
            let side = contents[session.side]
            return side.tabs[session, default: [:]].keys.sorted().flatMap { tab in
                (side.states[tab] ?? [:]).keys.sorted { $0.rawValue < $1.rawValue }
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
            let side = try changes.validate(maximumStateBytes: limit) ?? .regular
            return try contents[side].save(changes)
        }
    }

    public func deleteIncognito() async throws(StorageError) {
        try await use("delete incognito", ifCancelled: true) { $0.incognito = MemorySide() }
    }

    /// What was removed or replaced is gone already.
    public func eraseRemoved() async throws(StorageError) {
        try await use("erase removed") { _ in }
    }

    /// Nothing is ever set aside.
    public func purgeQuarantine() async throws(StorageError) {
        try await use("purge quarantine") { _ in }
    }

    /// Counts what is there; nothing in memory can be damaged, so there is nothing to repair.
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
            for side in [contents.regular, contents.incognito] {
                let tabs = side.tabs.values.flatMap(\.values)
                let blobs = side.states.values.flatMap(\.values)
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

    /// Waits for another thread, as every store with a disk does: code that meets others only where
    /// it really waits must meet them in tests, too.
    private func onQueue<Answer: Sendable>(
        _ work: @escaping @Sendable (borrowing Mutex<State>) -> Answer
    ) async -> Answer {
        await withCheckedContinuation { answer in
            queue.async { answer.resume(returning: work(self.state)) }
        }
    }
}

extension MemorySide {
    /// Applies a set that obeys the rules, unless it was applied before or expects another number.
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
