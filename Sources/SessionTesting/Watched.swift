import Synchronization

/// A value behind a lock, and the tasks that wait for a condition on it.
///
/// The change that makes a condition true resumes the waiting task, without polling.
final class Watched<Value: Sendable>: Sendable {
    private struct Waiter {
        var number: UInt64
        var condition: @Sendable (Value) -> Bool
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var value: Value
        var waiters: [Waiter] = []
        var lastNumber: UInt64 = 0
    }

    private let state: Mutex<State>

    init(_ value: Value) { state = Mutex(State(value: value)) }

    /// Reads or changes the value, then resumes the tasks with a condition that became true.
    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        let (result, woken) = state.withLock { state in
            let result = body(&state.value)
            let woken = state.waiters.filter { $0.condition(state.value) }
            if !woken.isEmpty {
                let numbers = Set(woken.map(\.number))
                state.waiters.removeAll { numbers.contains($0.number) }
            }
            return (result, woken)
        }
        for waiter in woken { waiter.continuation.resume() }
        return result
    }

    /// Returns when the condition holds, even if the task is canceled meanwhile.
    func waitUncancelled(until condition: @escaping @Sendable (Value) -> Bool) async {
        await withCheckedContinuation { add($0, nextNumber(), condition) { false } }
    }

    /// Returns when the condition holds or the task is canceled.
    func wait(until condition: @escaping @Sendable (Value) -> Bool) async {
        let number = nextNumber()
        await withTaskCancellationHandler {
            // A task is marked as canceled before its handler runs: either this call sees the mark,
            // or the handler finds the waiter.
            await withCheckedContinuation { add($0, number, condition) { Task.isCancelled } }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.number == number }.map {
                    state.waiters.remove(at: $0)
                }
            }
            waiter?.continuation.resume()
        }
    }

    private func nextNumber() -> UInt64 {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    private func add(
        _ continuation: CheckedContinuation<Void, Never>, _ number: UInt64,
        _ condition: @escaping @Sendable (Value) -> Bool, orReturnIf isDone: () -> Bool
    ) {
        let mustWait = state.withLock { state in
            guard !condition(state.value), !isDone() else { return false }
            state.waiters.append(
                Waiter(number: number, condition: condition, continuation: continuation))
            return true
        }
        if !mustWait { continuation.resume() }
    }
}
