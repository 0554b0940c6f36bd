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
///
/// A fault can be for one session alone:
///
/// ```swift
/// storage.fail(.restore, of: window.sessionID, with: StorageError(.corrupted, "a bad block"))
/// storage.hang(.save, of: window.sessionID, on: .every)
/// ```
///
/// It is for restores of the session and lists of its keys, for saves that change it or a tab in
/// it, and for states of tabs in it. Which tabs those are is known from what this storage restored
/// and saved. Other calls are passed on and not counted.
public final class FaultyStorage: SessionStorage {
    /// What does the work. Calls made to it directly are not written down.
    public let base: any SessionStorage
    let plan = Watched(FaultPlan())

    /// The traits of the ``base``.
    public var traits: StorageTraits { base.traits }

    /// - Parameter base: what calls are passed on to; a new store in memory if none is given.
    public init(_ base: any SessionStorage = MemoryStorage()) { self.base = base }

    // MARK: - Faults

    /// Which of the calls to come: those that a fault is for are counted, for each fault from the
    /// moment when it was asked for.
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
    ///
    /// - Parameters:
    ///   - operation: which calls fail.
    ///   - session: only calls that concern it fail; `nil` for all. Only `restore`, `state`,
    ///     `stateKeys` and `save` concern sessions: any other operation is a programming error.
    ///   - error: what they throw.
    ///   - calls: which of the coming ones.
    public func fail(
        _ operation: StorageCall.Operation, of session: SessionID? = nil, with error: StorageError,
        on calls: ComingCalls = .next
    ) {
        add(.fails(error), to: operation, session, calls)
    }

    /// Lets calls do their work and then throw the error, as if the answer was lost.
    ///
    /// If the base throws, its error is thrown.
    ///
    /// - Parameters:
    ///   - operation: which calls fail.
    ///   - session: only calls that concern it fail, as with ``fail(_:of:with:on:)``.
    ///   - error: says in `StorageError.effect` that the call was applied, or that nobody knows;
    ///     `.notApplied` would not be true and is a programming error.
    ///   - calls: which of the coming ones.
    public func failAfterwards(
        _ operation: StorageCall.Operation, of session: SessionID? = nil, with error: StorageError,
        on calls: ComingCalls = .next
    ) {
        precondition(
            error.effect != .notApplied,
            "An error after the work has an effect: give it .applied or .indeterminate")
        add(.failsAfterwards(error), to: operation, session, calls)
    }

    /// Lets calls wait, before they do anything, until ``release()``.
    ///
    /// Cancelling the task does not end it: the call has begun. A call for which an error was asked
    /// for as well hangs first. Those of one session are told as with ``fail(_:of:with:on:)``.
    public func hang(
        _ operation: StorageCall.Operation, of session: SessionID? = nil,
        on calls: ComingCalls = .next
    ) {
        add(.hangs, to: operation, session, calls)
    }

    /// Lets all calls go on that hang now. Faults of later calls stay.
    public func release() { plan.withLock { $0.release() } }

    /// From now on calls are passed on. Those that hang already hang until ``release()``.
    public func forgetFaults() { plan.withLock { $0.forgetFaults() } }

    private func add(
        _ fault: FaultPlan.Fault, to operation: StorageCall.Operation, _ session: SessionID?,
        _ calls: ComingCalls
    ) {
        precondition(
            session == nil || operation.concernsSessions,
            "A call of '\(operation.rawValue)' is for the whole store: give no session")
        plan.withLock { $0.add(fault, to: operation, session, calls.numbers) }
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

    /// Returns once at least so many calls hang, whatever else is called meanwhile.
    ///
    /// If the waiting task is cancelled, as a test that ran out of time is, it returns at once.
    public func waitForHangingCalls(_ count: Int = 1) async {
        await plan.wait { $0.hanging.count >= count }
    }
}
