/// The sequences that receive the events of a restorer.
struct EventStreams {
    private var continuations: [AsyncStream<RestorationEvent>.Continuation] = []

    /// Returns a new sequence of the events from now on.
    mutating func make(isFinished: Bool) -> AsyncStream<RestorationEvent> {
        let (events, continuation) = AsyncStream<RestorationEvent>.makeStream()
        if isFinished { continuation.finish() } else { continuations.append(continuation) }
        return events
    }

    /// Sends an event to all sequences that are still read.
    mutating func send(_ event: RestorationEvent) {
        continuations.removeAll { continuation in
            if case .terminated = continuation.yield(event) { true } else { false }
        }
    }

    /// Ends all sequences.
    mutating func finish() {
        for continuation in continuations { continuation.finish() }
        continuations = []
    }
}
