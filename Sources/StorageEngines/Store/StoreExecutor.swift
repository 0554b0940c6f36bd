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

    private struct State {
        /// Lines with work but no thread, in order of arrival.
        var waiting: [StoreLine] = []
        var threads = 0
    }

    private let width: Int
    private let state = Mutex(State())

    /// - Parameter width: the maximum number of threads, at least 1.
    public init(width: Int) { self.width = max(1, width) }

    /// Gives a thread to a line that has work, or queues it.
    fileprivate func enter(_ line: StoreLine) {
        let isNew = state.withLock { state in
            guard state.threads < width else {
                state.waiting.append(line)
                return false
            }
            state.threads += 1
            return true
        }
        // Its own queue gets a thread however many others wait; a concurrent one has few.
        if isNew { DispatchQueue(label: "browser-sessions.store").async { self.serve(line) } }
    }

    /// Runs one call of each line in turn, until no line waits.
    private func serve(_ first: StoreLine) {
        var line = first
        while true {
            let hasMore = line.runNext()
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

    private struct State {
        var calls: [(number: Int, call: Call)] = []
        var lastNumber = 0
        /// Whether the executor knows that the line has work.
        var isEntered = false
    }

    private let executor: StoreExecutor
    private let state = Mutex(State())

    package init(on executor: StoreExecutor) { self.executor = executor }

    /// Adds a call. Returns a number to withdraw it with.
    @discardableResult
    package func add(_ call: @escaping Call) -> Int {
        let (number, isFirst) = state.withLock { state in
            state.lastNumber += 1
            state.calls.append((state.lastNumber, call))
            defer { state.isEntered = true }
            return (state.lastNumber, !state.isEntered)
        }
        if isFirst { executor.enter(self) }
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

    /// Runs the next call. Returns whether there is another one.
    fileprivate func runNext() -> Bool {
        let call = state.withLock { $0.calls.isEmpty ? nil : $0.calls.removeFirst().call }
        call?()
        return state.withLock { state in
            state.isEntered = !state.calls.isEmpty
            return state.isEntered
        }
    }
}

extension Duration {
    /// The same time for a dispatch queue, in whole microseconds.
    var dispatched: DispatchTimeInterval { .microseconds(Int(clamping: self.microseconds)) }
}
