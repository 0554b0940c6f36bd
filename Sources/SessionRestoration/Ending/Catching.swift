import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An object that catches signals during its lifetime.
final class Catching: Sendable {
    let caught: AsyncStream<TerminationSignal>

    init(_ signals: [TerminationSignal]) {
        let (caught, continuation) = AsyncStream<TerminationSignal>.makeStream()
        self.caught = caught
        SignalHandlers.process.add(ObjectIdentifier(self), Set(signals), continuation)
    }

    deinit { SignalHandlers.process.remove(ObjectIdentifier(self)) }
}

/// The signal handlers. There is one set, because a process has one handler for each signal.
///
/// A handler only writes the signal's number to a pipe, because it must not do more; a reader passes it on.
/// Handlers are installed before ``add(_:_:_:)`` returns. The last listener's removal restores the former ones.
private final class SignalHandlers: Sendable {
    static let process = SignalHandlers()

    private typealias Handler = @convention(c) (Int32) -> Void

    private struct State {
        var listeners: [ObjectIdentifier: Listener] = [:]
        /// The former handlers, by signal.
        var former: [TerminationSignal: Handler?] = [:]
    }

    private struct Listener {
        var signals: Set<TerminationSignal>
        var stream: AsyncStream<TerminationSignal>.Continuation
    }

    private let state = Mutex(State())
    /// The end of the pipe that handlers write to; negative if there is none.
    let writeEnd: Int32
    private let source: Mutex<(any DispatchSourceRead)?>

    private init() {
        var ends: [Int32] = [-1, -1]
        let isMade = pipe(&ends) == 0
        for end in ends where isMade {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        writeEnd = isMade ? ends[1] : -1
        source = Mutex(nil)
        if isMade { listen(ends[0]) }
    }

    private func listen(_ readEnd: Int32) {
        source.withLock { source in
            let new = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: .global())
            new.setEventHandler { SignalHandlers.process.pass(readEnd) }
            new.resume()
            source = new
        }
    }

    private func pass(_ readEnd: Int32) {
        var numbers = [UInt8](repeating: 0, count: 64)
        let count = read(readEnd, &numbers, numbers.count)
        let listeners = state.withLock { $0.listeners.values.map(\.self) }
        for number in numbers.prefix(max(0, count)) {
            for signal in TerminationSignal.allCases where signal.number == Int32(number) {
                for listener in listeners where listener.signals.contains(signal) {
                    listener.stream.yield(signal)
                }
            }
        }
    }

    func add(
        _ listener: ObjectIdentifier, _ signals: Set<TerminationSignal>,
        _ stream: AsyncStream<TerminationSignal>.Continuation
    ) {
        state.withLock { state in
            state.listeners[listener] = Listener(signals: signals, stream: stream)
            for wanted in signals where state.former[wanted] == nil { catchSignal(wanted, &state) }
        }
    }

    private func catchSignal(_ wanted: TerminationSignal, _ state: inout State) {
        guard writeEnd >= 0 else { return }
        let former = signal(wanted.number) { number in
            let error = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(SignalHandlers.process.writeEnd, &byte, 1)
            errno = error
        }
        if unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
            signal(wanted.number, SIG_IGN)
        } else {
            state.former.updateValue(former, forKey: wanted)
        }
    }

    func remove(_ listener: ObjectIdentifier) {
        state.withLock { state in
            guard let gone = state.listeners.removeValue(forKey: listener) else { return }
            gone.stream.finish()
            let wanted = state.listeners.values.reduce(into: Set()) { $0.formUnion($1.signals) }
            for free in gone.signals.subtracting(wanted) {
                guard let former = state.former.removeValue(forKey: free) else { continue }
                signal(free.number, former)
            }
        }
    }
}
