package import Dispatch
import Foundation
import Synchronization

/// A user's request to stop, which also stops the current work.
package final class Interruption: Sendable {
    private struct State {
        var isAsked = false
        var stopWork: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether the user asked to stop.
    package var isAsked: Bool { state.withLock { $0.isAsked } }

    /// Records the request and stops the current work.
    package func ask() {
        let stop = state.withLock { state in
            state.isAsked = true
            return state.stopWork
        }
        stop?()
    }

    /// Sets how to stop the current work; pass `nil` when the work has ended.
    package func watch(_ stopWork: (@Sendable () -> Void)?) {
        let isAsked = state.withLock { state in
            state.stopWork = stopWork
            return state.isAsked
        }
        if isAsked { stopWork?() }
    }

    /// Starts stopping the work on Ctrl-C, SIGTERM, or the end of the terminal, for as long as the
    /// result is kept. A second request ends the process at once.
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

    /// Whether the process ignored a signal from its start, as under `nohup`.
    private static func isIgnored(_ number: Int32) -> Bool {
        let before = signal(number, SIG_IGN)
        signal(number, before)
        return unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
