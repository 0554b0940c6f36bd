import Dispatch
import Foundation
import Synchronization

/// Whether the user asked to stop; ends the child that is at work.
final class Interruption: Sendable {
    private struct State {
        var isAsked = false
        var stopChild: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Whether to stop.
    var isAsked: Bool { state.withLock { $0.isAsked } }

    /// Stops.
    func ask() {
        let stop = state.withLock { state in
            state.isAsked = true
            return state.stopChild
        }
        stop?()
    }

    /// Says how to end the process that is at work; `nil` when it is over.
    func watch(_ stopChild: (@Sendable () -> Void)?) {
        let isAsked = state.withLock { state in
            state.stopChild = stopChild
            return state.isAsked
        }
        if isAsked { stopChild?() }
    }

    /// Stops at Ctrl-C and at a polite kill, as long as the result is kept.
    func listen() -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { self.ask() }
            source.resume()
            return source
        }
    }
}
