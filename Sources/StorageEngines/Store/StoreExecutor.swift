import BrowserSessions
import Dispatch
import Synchronization

/// Runs the blocking calls of stores on its own threads, never on Swift's cooperative pool.
///
/// The calls of one store run one after another, those of different stores in parallel. An engine
/// with stores that share a few connections names an executor of that width: a thousand stores then
/// take turns on that many threads, one call each at a time, instead of blocking a thousand
/// threads.
public final class StoreExecutor: Sendable {
    /// An executor with a thread for each store that has work.
    public static let unlimited = StoreExecutor(width: .max)

    fileprivate struct State {
        /// Lines with work but no thread, in order of arrival.
        var waiting: [StoreLine] = []
        var threads = 0
    }

    fileprivate let width: Int
    fileprivate let state = Mutex(State())

    /// - Parameter width: the maximum number of threads, at least 1.
    public init(width: Int) { self.width = max(1, width) }

    /// Runs one call of each line in turn, until no line waits.
    fileprivate func serve(_ first: StoreLine) {
        var line = first
        while true {
            let call = line.state.withLock { $0.calls.isEmpty ? nil : $0.calls.removeFirst().call }
            call?()
            let hasMore = line.state.withLock { state in
                state.isEntered = !state.calls.isEmpty
                return state.isEntered
            }
            let next = state.withLock { state -> StoreLine? in
                if hasMore { state.waiting.append(line) }
                guard !state.waiting.isEmpty else {
                    state.threads -= 1
                    return nil
                }
                return state.waiting.removeFirst()
            }
            guard let next else { return }
            line = next
        }
    }
}

/// Calls that run one after another.
package final class StoreLine: Sendable {
    package typealias Call = @Sendable () -> Void

    fileprivate struct State {
        var calls: [(number: Int, call: Call)] = []
        var lastNumber = 0
        /// Whether the executor knows that the line has work.
        var isEntered = false
    }

    private let executor: StoreExecutor
    fileprivate let state = Mutex(State())

    package init(on executor: StoreExecutor) { self.executor = executor }

    /// Adds a call, and gives the line a thread if it had no work, or queues it. Returns a number to withdraw
    /// the call with.
    @discardableResult
    package func add(_ call: @escaping Call) -> Int {
        let (number, isFirst) = state.withLock { state in
            state.lastNumber += 1
            state.calls.append((state.lastNumber, call))
            defer { state.isEntered = true }
            return (state.lastNumber, !state.isEntered)
        }
        guard isFirst else { return number }
        let isNew = executor.state.withLock { state in
            guard state.threads < executor.width else {
                state.waiting.append(self)
                return false
            }
            state.threads += 1
            return true
        }
        // Its own queue gets a thread however many others wait; a concurrent one has few.
        if isNew {
            DispatchQueue(label: "browser-sessions.store").async { self.executor.serve(self) }
        }
        return number
    }

    /// Removes a call that has not begun. Does nothing if it has.
    package func withdraw(_ number: Int) {
        state.withLock { $0.calls.removeAll { $0.number == number } }
    }

    /// The number of calls that have not begun.
    package var waiting: Int { state.withLock { $0.calls.count } }

    /// Adds a call once the time has passed.
    package func add(after time: Duration, _ call: @escaping Call) {
        // waits: on no thread
        DispatchQueue.global().asyncAfter(deadline: .now() + time.dispatched) { self.add(call) }
    }
}

extension Duration {
    /// The same time for a dispatch queue, in whole microseconds.
    var dispatched: DispatchTimeInterval { .microseconds(Int(clamping: self.microseconds)) }
}
