package import Dispatch
import Foundation
import Synchronization

/// Whether the user asked to stop; ends what is at work.
package final class Interruption: Sendable {
    private struct State {
        var isAsked = false
        var stopWork: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether to stop.
    package var isAsked: Bool { state.withLock { $0.isAsked } }

    /// Stops.
    package func ask() {
        let stop = state.withLock { state in
            state.isAsked = true
            return state.stopWork
        }
        stop?()
    }

    /// Says how to end what is at work; `nil` when it is over.
    package func watch(_ stopWork: (@Sendable () -> Void)?) {
        let isAsked = state.withLock { state in
            state.stopWork = stopWork
            return state.isAsked
        }
        if isAsked { stopWork?() }
    }

    /// Stops at Ctrl-C, at a polite kill and when the terminal goes, as long as the result is kept. Asked
    /// a second time, the process ends at once.
    package func listen() -> [any DispatchSourceSignal] {
        let numbers = [SIGINT, SIGTERM] + (Self.isIgnored(SIGHUP) ? [] : [SIGHUP])
        return numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if self.isAsked {
                    signal(number, SIG_DFL)
                    raise(number)
                }
                self.ask()
            }
            source.resume()
            return source
        }
    }

    /// Whether the process was started so that a signal does nothing, as by `nohup`.
    private static func isIgnored(_ number: Int32) -> Bool {
        let before = signal(number, SIG_IGN)
        signal(number, before)
        return unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
