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

    /// Stops at Ctrl-C and at a polite kill, as long as the result is kept.
    package func listen() -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { self.ask() }
            source.resume()
            return source
        }
    }
}
