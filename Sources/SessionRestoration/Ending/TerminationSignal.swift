#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A signal by which the system, or the parent of a process, asks it politely to end.
public enum TerminationSignal: Hashable, Sendable, CaseIterable {
    /// `SIGTERM`: the system shuts down, or the user logs out.
    case terminate
    /// `SIGHUP`: the terminal or the session is gone.
    case hangUp
    /// `SIGINT`: ^C.
    case interrupt

    /// The number of the signal.
    public var number: Int32 {
        switch self {
        case .terminate: SIGTERM
        case .hangUp: SIGHUP
        case .interrupt: SIGINT
        }
    }

    /// Ends the process as the signal would have: its parent sees that. Close the restorer, and
    /// its store, before.
    public func endProcess() -> Never {
        signal(number, SIG_DFL)
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, number)
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        raise(number)
        _exit(128 + number)
    }
}

/// The signals that ask the process to end, as they come: a host closes its restorer at the first one.
///
/// ```swift
/// let signals = TerminationSignals()
/// // … launch …
/// for await signal in signals {
///     try? await sessions.close()
///     signal.endProcess()
/// }
/// ```
///
/// From its making these signals do not end the process by themselves; they do again once nothing holds it
/// and nothing iterates. Iterate it once; each of several gets every signal. One that the process was
/// started to ignore, as `nohup` does, stays ignored. A process that has no time to close has crashed, and its windows
/// come back as after any crash.
public struct TerminationSignals: AsyncSequence, Sendable {
    public typealias Element = TerminationSignal
    public typealias Failure = Never

    private let catching: Catching

    /// - Parameter signals: which of them; all by default.
    public init(_ signals: [TerminationSignal] = TerminationSignal.allCases) {
        catching = Catching(signals)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(catching) }

    /// Waits for the next signal.
    public struct Iterator: AsyncIteratorProtocol {
        private let catching: Catching
        private var caught: AsyncStream<TerminationSignal>.Iterator

        fileprivate init(_ catching: Catching) {
            self.catching = catching
            caught = catching.caught.makeAsyncIterator()
        }

        /// `nil` if the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async -> TerminationSignal? {
            await caught.next(isolation: actor)
        }
    }
}
