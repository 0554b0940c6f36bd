public import BrowserSessions

/// A storage that passes calls on to another one, records them, and fails or hangs on request.
///
/// ```swift
/// let storage = FaultyStorage()
/// storage.fail(.save, with: StorageError(.outOfSpace, "the disk is full"), on: .first(3))
/// // … the host under test saves, and tries again …
/// await storage.waitForAnswers(of: .save, count: 4)
/// ```
///
/// Without faults, it changes nothing: over a storage that passes the conformance suite, it passes,
/// too. A task that was canceled before its call gets `cancelled`, except for `close` and
/// `deleteIncognito`. That call is not recorded and does not use up a fault. A call that has begun
/// finishes even if its task is canceled.
///
/// A fault can apply to a single session:
///
/// ```swift
/// storage.fail(.restore, of: window.sessionID, with: StorageError(.corrupted, "a bad block"))
/// storage.hang(.save, of: window.sessionID, on: .every)
/// ```
///
/// It then applies to restores of the session and lists of its keys, to saves that change it or a
/// tab in it, and to states of tabs in it. The tabs are known from what this storage restored and
/// saved. Other calls are passed on and not counted.
public final class FaultyStorage: StorageDecorator {
    /// The storage that does the work. Calls made to it directly are not recorded.
    public let base: any SessionStorage
    let plan = Watched(FaultPlan())

    /// - Parameter base: the storage that calls are passed on to; by default, one in memory.
    public init(_ base: any SessionStorage = MemoryStorage()) { self.base = base }

    // MARK: - Faults

    /// The future calls that a fault affects. Each fault counts the calls that it can apply to,
    /// from the moment it was requested.
    public struct ComingCalls: Hashable, Sendable {
        fileprivate let numbers: ClosedRange<Int>

        /// Only the next call.
        public static let next = ComingCalls(numbers: 1...1)
        /// All calls, until ``FaultyStorage/forgetFaults()``.
        public static let every = ComingCalls(numbers: 1...Int.max)

        /// Returns the next `count` calls, at least 1.
        public static func first(_ count: Int) -> ComingCalls {
            precondition(count >= 1, "A fault is for at least one call: give 1 or more")
            return ComingCalls(numbers: 1...count)
        }

        /// Returns only one call; 1 is the next one.
        public static func nth(_ number: Int) -> ComingCalls {
            precondition(number >= 1, "Calls are counted from 1: give 1 or more")
            return ComingCalls(numbers: number...number)
        }
    }

    /// Makes calls throw an error without doing anything.
    ///
    /// The base is not called. If several errors apply to a call, it throws the one that was
    /// requested first. An error without an operation gets the operation of the call.
    ///
    /// - Parameters:
    ///   - operation: the operation that fails.
    ///   - session: only calls that concern it fail; `nil` for all. Only `restore`, `state`,
    ///     `stateKeys` and `save` concern sessions: any other operation is a programming error.
    ///   - error: the error to throw.
    ///   - calls: the future calls that fail.
    public func fail(
        _ operation: StorageCall.Operation, of session: SessionID? = nil, with error: StorageError,
        on calls: ComingCalls = .next
    ) {
        add(.fails(error), to: operation, session, calls)
    }

    /// Makes calls do their work and then throw an error, as if the answer were lost.
    ///
    /// If the base throws an error, the call throws that one.
    ///
    /// - Parameters:
    ///   - operation: the operation that fails.
    ///   - session: restricts the fault to a session, as with ``fail(_:of:with:on:)``.
    ///   - error: an error with a `StorageError.effect` that says the call was applied, or that
    ///     this is unknown; `.notApplied` would be false and is a programming error.
    ///   - calls: the future calls that fail.
    public func failAfterwards(
        _ operation: StorageCall.Operation, of session: SessionID? = nil, with error: StorageError,
        on calls: ComingCalls = .next
    ) {
        precondition(
            error.effect != .notApplied,
            "An error after the work has an effect: give it .applied or .indeterminate")
        add(.failsAfterwards(error), to: operation, session, calls)
    }

    /// Makes calls wait, before they do anything, until ``release(_:)``.
    ///
    /// Canceling the task does not end the wait, because the call has begun. A call that should
    /// also fail hangs first. A session restricts the fault as in ``fail(_:of:with:on:)``.
    public func hang(
        _ operation: StorageCall.Operation, of session: SessionID? = nil,
        on calls: ComingCalls = .next
    ) {
        add(.hangs, to: operation, session, calls)
    }

    /// Resumes the calls of an operation that hang now, by default of all. Faults of later calls
    /// remain.
    public func release(_ operation: StorageCall.Operation? = nil) {
        plan.withLock { $0.release(operation) }
    }

    /// Removes all faults. Calls that already hang continue to hang until ``release(_:)``.
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

    // MARK: - Recorded calls

    /// All calls, including failed ones, in the order in which they began.
    public var calls: [StorageCall] { plan.withLock { $0.calls } }

    /// Returns the calls of one operation; `[]` if there were none.
    public func calls(of operation: StorageCall.Operation) -> [StorageCall] {
        calls.filter { $0.operation == operation }
    }

    /// The change sets passed to `save`, including failed ones.
    public var savedChanges: [SessionChanges] { calls.compactMap(\.changes) }

    /// The calls that hang now, in the order in which they began.
    public var hangingCalls: [StorageCall] { plan.withLock { $0.hanging.map(\.call) } }

    /// The number of states that the base returned; 0 if the host restored without loading tabs.
    public var statesRead: Int { plan.withLock { $0.statesRead } }

    /// The total bytes of the states that the base saved. A set applied before is not recounted.
    public var stateBytesSaved: Int { plan.withLock { $0.stateBytesSaved } }

    /// Forgets all calls and counts so far, so that a test can examine one step. Faults remain.
    public func forgetCalls() { plan.withLock { $0.forgetCalls() } }

    /// Returns when at least `count` calls of the operation have **begun**, including hanging ones.
    ///
    /// Returns immediately if the waiting task is canceled, such as when a test runs out of time.
    public func waitForCalls(of operation: StorageCall.Operation, count: Int = 1) async {
        await plan.wait { $0.begun[operation, default: 0] >= count }
    }

    /// Returns when at least `count` calls of the operation were **answered**, with a result or an
    /// error. The caller may process the answer later.
    ///
    /// Returns immediately if the waiting task is canceled, such as when a test runs out of time.
    public func waitForAnswers(of operation: StorageCall.Operation, count: Int = 1) async {
        await plan.wait { $0.answered[operation, default: 0] >= count }
    }

    /// Returns when at least `count` calls hang, regardless of other calls.
    ///
    /// Returns immediately if the waiting task is canceled, such as when a test runs out of time.
    public func waitForHangingCalls(_ count: Int = 1) async {
        await plan.wait { $0.hanging.count >= count }
    }
}
