import Dispatch
import Synchronization

/// Runs the calls of stores that block, on threads of its own, never on Swift's cooperative pool.
///
/// The calls of one store come one after another, those of several stores beside each other. An engine
/// whose stores share few connections names an executor of that width: a thousand stores then take turns
/// on so many threads, each store one call at a time, instead of a thousand threads that wait.
public final class StoreExecutor: Sendable {
    /// A thread for each store that has something to do.
    public static let unlimited = StoreExecutor(width: .max)

    private struct State {
        /// Lines that have work and no thread, in the order in which they came.
        var waiting: [StoreLine] = []
        var threads = 0
    }

    private let width: Int
    private let state = Mutex(State())

    /// - Parameter width: how many threads it has at most, at least 1.
    public init(width: Int) { self.width = max(1, width) }

    /// A line that has work gets a thread, or waits for one.
    fileprivate func enter(_ line: StoreLine) {
        let isNew = state.withLock { state in
            guard state.threads < width else {
                state.waiting.append(line)
                return false
            }
            state.threads += 1
            return true
        }
        // A queue of its own gets a thread however many others wait; those of a concurrent one are few.
        if isNew { DispatchQueue(label: "browser-sessions.store").async { self.serve(line) } }
    }

    /// One call of each line in turn, until nobody waits.
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

/// Calls that come one after another.
package final class StoreLine: Sendable {
    package typealias Call = @Sendable () -> Void

    private struct State {
        var calls: [Call] = []
        /// Whether the executor knows of it.
        var isEntered = false
    }

    private let executor: StoreExecutor
    private let state = Mutex(State())

    package init(on executor: StoreExecutor) { self.executor = executor }

    package func add(_ call: @escaping Call) {
        let isFirst = state.withLock { state in
            state.calls.append(call)
            defer { state.isEntered = true }
            return !state.isEntered
        }
        if isFirst { executor.enter(self) }
    }

    /// The call comes in its turn once the time has passed.
    package func add(after milliseconds: Int, _ call: @escaping Call) {
        // waits: on no thread
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
            self.add(call)
        }
    }

    /// Returns whether there is another one.
    fileprivate func runNext() -> Bool {
        let call = state.withLock { $0.calls.isEmpty ? nil : $0.calls.removeFirst() }
        call?()
        return state.withLock { state in
            state.isEntered = !state.calls.isEmpty
            return state.isEntered
        }
    }
}
