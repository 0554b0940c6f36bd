public import BrowserSessions

/// Passes calls on to another storage, writes them down, and fails or hangs when it is told to.
///
/// ```swift
/// let storage = FaultyStorage()
/// storage.fail(.save, with: StorageError(.outOfSpace, "the disk is full"), on: .first(3))
/// // … the host under test saves, and tries again …
/// await storage.waitForAnswers(of: .save, count: 4)
/// ```
///
/// Without faults it changes nothing: it passes the conformance suite over a storage that does.
/// A task that was cancelled before its call gets `cancelled`, but for `close` and `deleteIncognito`;
/// that is not written down, and no fault is used up. A call that has begun is finished, whatever
/// becomes of its task.
public final class FaultyStorage: SessionStorage {
    /// What does the work. Calls made to it directly are not written down.
    public let base: any SessionStorage
    private let plan = Watched(FaultPlan())

    /// The traits of the ``base``.
    public var traits: StorageTraits { base.traits }

    /// - Parameter base: what calls are passed on to; a new store in memory if none is given.
    public init(_ base: any SessionStorage = MemoryStorage()) { self.base = base }

    // MARK: - Faults

    /// Which of the calls to come: they are counted for each fault and each operation, from the
    /// moment when the fault was asked for.
    public struct ComingCalls: Hashable, Sendable {
        fileprivate let numbers: ClosedRange<Int>

        /// The next call only.
        public static let next = ComingCalls(numbers: 1...1)
        /// All calls, until ``FaultyStorage/forgetFaults()``.
        public static let every = ComingCalls(numbers: 1...Int.max)

        /// The next so many calls; at least 1.
        public static func first(_ count: Int) -> ComingCalls {
            precondition(count >= 1, "A fault is for at least one call: give 1 or more")
            return ComingCalls(numbers: 1...count)
        }

        /// One call only; 1 is the next.
        public static func nth(_ number: Int) -> ComingCalls {
            precondition(number >= 1, "Calls are counted from 1: give 1 or more")
            return ComingCalls(numbers: number...number)
        }
    }

    /// Lets calls throw the error without doing anything.
    ///
    /// The base is not asked. Of several errors for one call, that which was asked for first is
    /// thrown; an error that names no operation gets the call's.
    public func fail(
        _ operation: StorageCall.Operation, with error: StorageError, on calls: ComingCalls = .next
    ) {
        add(.fails(error), to: operation, calls)
    }

    /// Lets calls do their work and then throw the error, as if the answer was lost.
    ///
    /// If the base throws, its error is thrown.
    ///
    /// - Parameters:
    ///   - operation: which calls fail.
    ///   - error: says in `StorageError.effect` that the call was applied, or that nobody knows;
    ///     `.notApplied` would not be true and is a programming error.
    ///   - calls: which of the coming ones.
    public func failAfterwards(
        _ operation: StorageCall.Operation, with error: StorageError, on calls: ComingCalls = .next
    ) {
        precondition(
            error.effect != .notApplied,
            "An error after the work has an effect: give it .applied or .indeterminate")
        add(.failsAfterwards(error), to: operation, calls)
    }

    /// Lets calls wait, before they do anything, until ``release()``.
    ///
    /// Cancelling the task does not end it: the call has begun. A call for which an error was asked
    /// for as well hangs first.
    public func hang(_ operation: StorageCall.Operation, on calls: ComingCalls = .next) {
        add(.hangs, to: operation, calls)
    }

    /// Lets all calls go on that hang now. Faults of later calls stay.
    public func release() { plan.withLock { $0.release() } }

    /// From now on calls are passed on. Those that hang already hang until ``release()``.
    public func forgetFaults() { plan.withLock { $0.forgetFaults() } }

    private func add(
        _ fault: FaultPlan.Fault, to operation: StorageCall.Operation, _ calls: ComingCalls
    ) {
        plan.withLock { $0.add(fault, to: operation, calls.numbers) }
    }

    // MARK: - What was called

    /// All calls in the order in which they began, also those that failed.
    public var calls: [StorageCall] { plan.withLock { $0.calls } }

    /// The calls of one operation; `[]` if there were none.
    public func calls(of operation: StorageCall.Operation) -> [StorageCall] {
        calls.filter { $0.operation == operation }
    }

    /// The sets that were given to `save`, also those that failed.
    public var savedChanges: [SessionChanges] { calls.compactMap(\.changes) }

    /// The calls that hang now, in the order in which they began.
    public var hangingCalls: [StorageCall] { plan.withLock { $0.hanging.map(\.call) } }

    /// How many states the base handed out: 0 for a host that restored without loading a tab.
    public var statesRead: Int { plan.withLock { $0.statesRead } }

    /// The bytes of all states that the base took; a set that it had already is not counted again.
    public var stateBytesSaved: Int { plan.withLock { $0.stateBytesSaved } }

    /// Forgets all calls and counts up to now, so that a test can look at one step. Faults stay.
    public func forgetCalls() { plan.withLock { $0.forgetCalls() } }

    /// Returns once at least so many calls of the operation have **begun**; a hanging one counts.
    ///
    /// If the waiting task is cancelled, as a test that ran out of time is, it returns at once.
    public func waitForCalls(of operation: StorageCall.Operation, count: Int = 1) async {
        await plan.wait { $0.begun[operation, default: 0] >= count }
    }

    /// Returns once at least so many calls of the operation were **answered**, by a result or an
    /// error. What the caller does with the answer may come later.
    ///
    /// If the waiting task is cancelled, as a test that ran out of time is, it returns at once.
    public func waitForAnswers(of operation: StorageCall.Operation, count: Int = 1) async {
        await plan.wait { $0.answered[operation, default: 0] >= count }
    }
}

// MARK: - The contract

extension FaultyStorage {
    public func sessions() async throws(StorageError) -> [SessionID] {
        try await run(.sessions) { base throws(StorageError) in try await base.sessions() }
    }

    public func summaries() async throws(StorageError) -> [SessionSummary] {
        try await run(.summaries) { base throws(StorageError) in try await base.summaries() }
    }

    public func generations() async throws(StorageError) -> [KeptGeneration] {
        try await run(.generations) { base throws(StorageError) in try await base.generations() }
    }

    public func restore(_ ids: [SessionID], generation: SessionGeneration)
        async throws(StorageError) -> [RestoredSession]
    {
        try await run(.restore(ids, generation)) { base throws(StorageError) in
            try await base.restore(ids, generation: generation)
        }
    }

    public func state(of keys: [TabStateKey]) async throws(StorageError)
        -> [TabStateKey: [UInt8]]
    {
        try await run(.state(keys)) { [plan] base throws(StorageError) in
            let found = try await base.state(of: keys)
            plan.withLock { $0.statesRead += found.count }
            return found
        }
    }

    public func stateKeys(in session: SessionID) async throws(StorageError) -> [TabStateKey] {
        try await run(.stateKeys(session)) { base throws(StorageError) in
            try await base.stateKeys(in: session)
        }
    }

    public func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        try await run(.save(changes, durability)) { [plan] base throws(StorageError) in
            let receipt = try await base.save(changes, durability: durability)
            if !receipt.wasAlreadyApplied {
                var bytes = 0
                for case .putState(let state, _) in changes.changes { bytes += state.count }
                plan.withLock { [bytes] in $0.stateBytesSaved += bytes }
            }
            return receipt
        }
    }

    public func deleteIncognito() async throws(StorageError) {
        try await run(.deleteIncognito) { base throws(StorageError) in
            try await base.deleteIncognito()
        }
    }

    public func check() async throws(StorageError) -> RecoveryReport {
        try await run(.check) { base throws(StorageError) in try await base.check() }
    }

    public func repair() async throws(StorageError) -> RecoveryReport {
        try await run(.repair) { base throws(StorageError) in try await base.repair() }
    }

    public func purgeQuarantine() async throws(StorageError) {
        try await run(.purgeQuarantine) { base throws(StorageError) in
            try await base.purgeQuarantine()
        }
    }

    public func eraseRemoved() async throws(StorageError) {
        try await run(.eraseRemoved) { base throws(StorageError) in try await base.eraseRemoved() }
    }

    public func close() async throws(StorageError) {
        try await run(.close) { base throws(StorageError) in try await base.close() }
    }

    private func run<Success: Sendable>(
        _ call: StorageCall,
        _ work: @escaping @Sendable (any SessionStorage) async throws(StorageError) -> Success
    ) async throws(StorageError) -> Success {
        let operation = call.operation.rawValue
        // Whoever gives up a task wants the store closed and private tabs gone all the same.
        let runsInAnyCase = call.operation == .close || call.operation == .deleteIncognito
        guard runsInAnyCase || !Task.isCancelled else {
            throw StorageError(
                .cancelled, "the task was cancelled before the call began", operation: operation)
        }
        let fate = plan.withLock { $0.begin(call) }
        if fate.hangs { await plan.waitUncancelled { !$0.isHanging(fate.number) } }
        defer { plan.withLock { $0.end(call) } }
        do throws(StorageError) {
            if let error = fate.errorBefore { throw error }
            let success = try await finish(work)
            if let error = fate.errorAfter { throw error }
            return success
        } catch {
            var error = error
            if error.operation.isEmpty { error.operation = operation }
            throw error
        }
    }

    /// In a task of its own, so that the base does not see that the caller's was cancelled
    /// meanwhile: for it the call begins only now.
    private func finish<Success: Sendable>(
        _ work: @escaping @Sendable (any SessionStorage) async throws(StorageError) -> Success
    ) async throws(StorageError) -> Success {
        let task = Task { [base] () -> Result<Success, StorageError> in
            do throws(StorageError) {
                return .success(try await work(base))
            } catch {
                return .failure(error)
            }
        }
        return try await task.value.get()
    }
}
