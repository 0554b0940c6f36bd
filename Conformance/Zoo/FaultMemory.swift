import Synchronization

/// The memory of a faulty store of the zoo between calls.
final class FaultMemory<Value: Sendable>: Sendable {
    private let storage: Mutex<Value>

    init(_ value: Value) { storage = Mutex(value) }

    var value: Value { use { $0 } }

    /// Replaces the value, and returns the one before.
    @discardableResult
    func set(_ value: Value) -> Value {
        use { old in
            defer { old = value }
            return old
        }
    }

    func use<Result: Sendable>(_ work: (inout Value) -> Result) -> Result {
        storage.withLock { value in
            var copy = value
            let result = work(&copy)
            value = copy
            return result
        }
    }
}
