#if FaultyBackends
    import Synchronization

    /// The memory of a faulty store of the zoo between calls.
    final class FaultMemory<Value: Sendable>: Sendable {
        private let value: Mutex<Value>

        init(_ value: Value) { self.value = Mutex(value) }

        func use<Result: Sendable>(_ work: (inout Value) -> Result) -> Result {
            value.withLock { value in
                var copy = value
                let result = work(&copy)
                value = copy
                return result
            }
        }
    }
#endif
