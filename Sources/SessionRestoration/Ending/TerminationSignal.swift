#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A signal with which the system, or a process's parent, asks the process to end.
public enum TerminationSignal: Hashable, Sendable, CaseIterable {
    /// `SIGTERM`: the system shuts down, or the user logs out.
    case terminate
    /// `SIGHUP`: the terminal or the session ended.
    case hangUp
    /// `SIGINT`: the user pressed ^C.
    case interrupt

    /// The number of the signal.
    public var number: Int32 {
        switch self {
        case .terminate: SIGTERM
        case .hangUp: SIGHUP
        case .interrupt: SIGINT
        }
    }

    /// Ends the process as the signal would have, so that its parent observes the signal. Close the
    /// restorer and its store first.
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

/// The signals that ask the process to end, as they arrive. A host closes its restorer at the first one.
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
/// From its creation, these signals do not end the process by themselves. They do so again when nothing holds
/// the sequence or iterates over it. Iterate once; if there are several sequences, each receives every
/// signal. A signal that the process was started to ignore, as `nohup` does, stays ignored. A process without
/// time to close has crashed, and its windows come back as after any crash.
public struct TerminationSignals: AsyncSequence, Sendable {
    public typealias Element = TerminationSignal
    public typealias Failure = Never

    private let catching: Catching

    /// - Parameter signals: the signals to catch; all by default.
    public init(_ signals: [TerminationSignal] = TerminationSignal.allCases) {
        catching = Catching(signals)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(catching) }

    /// The iterator that waits for signals.
    public struct Iterator: AsyncIteratorProtocol {
        private let catching: Catching
        private var caught: AsyncStream<TerminationSignal>.Iterator

        fileprivate init(_ catching: Catching) {
            self.catching = catching
            caught = catching.caught.makeAsyncIterator()
        }

        /// Returns the next signal; `nil` if the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async -> TerminationSignal? {
            await caught.next(isolation: actor)
        }
    }
}
