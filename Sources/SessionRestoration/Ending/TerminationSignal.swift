import Dispatch
import Synchronization

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
/// for await signal in TerminationSignals() {
///     try? await sessions.close()
///     signal.endProcess()
/// }
/// ```
///
/// While somebody iterates, these signals do not end the process by themselves; afterwards they do again.
/// What has no time to close is judged as a crash at the next launch, and comes back.
public struct TerminationSignals: AsyncSequence, Sendable {
    public typealias Element = TerminationSignal
    public typealias Failure = Never

    private let signals: [TerminationSignal]

    /// - Parameter signals: which of them; all by default.
    public init(_ signals: [TerminationSignal] = TerminationSignal.allCases) {
        self.signals = signals
    }

    /// From now on the signals are caught, until the iterator is gone or its task is cancelled.
    public func makeAsyncIterator() -> AsyncStream<TerminationSignal>.Iterator {
        let (stream, continuation) = AsyncStream<TerminationSignal>.makeStream()
        let catching = Catching(signals, continuation)
        continuation.onTermination = { _ in catching.stop() }
        return stream.makeAsyncIterator()
    }
}

/// Catches signals until it is stopped.
private final class Catching: Sendable {
    private let sources: Mutex<[any DispatchSourceSignal]>

    init(
        _ signals: [TerminationSignal], _ continuation: AsyncStream<TerminationSignal>.Continuation
    ) {
        sources = Mutex(
            signals.map { caught in
                signal(caught.number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(
                    signal: caught.number, queue: .global())
                source.setEventHandler { continuation.yield(caught) }
                source.setCancelHandler { signal(caught.number, SIG_DFL) }
                source.resume()
                return source
            })
    }

    func stop() {
        sources.withLock { sources in
            for source in sources { source.cancel() }
            sources = []
        }
    }
}
