import BrowserSessions
import Foundation
import Synchronization

/// A ``MediumWire`` in memory. A request, an answer, and a record that is read count as two
/// each, so that they can also be lost in the middle.
final class MemoryWire: MediumWire {
    private struct State {
        var traffic = WireTraffic()
        var cut: (way: WireWay, left: Int)?
        var held: Set<WireWay> = []
        var left = 0
        var heldUntil = Int.max
        var isRefusing = false
        /// The number of messages held now.
        var waiting = 0
        /// Requests that were held longer than their connection lived.
        var late: [@Sendable () -> Void] = []
    }

    /// The outcome of a message.
    fileprivate enum Passage { case arrived, arrivedLast, kept, lost }

    private let state = Mutex(State())
    private let changed = NSCondition()

    private func change<Success: Sendable>(_ change: (inout State) -> Success) -> Success {
        changed.lock()
        defer { changed.unlock() }
        changed.broadcast()
        return state.withLock { change(&$0) }
    }

    var traffic: WireTraffic { state.withLock { $0.traffic } }
    func cut(_ way: WireWay, after count: Int) { change { $0.cut = (way, count) } }
    func cutNothing() { change { $0.cut = nil } }
    func refuse(_ isRefusing: Bool) { change { $0.isRefusing = isRefusing } }

    func hold(_ ways: Set<WireWay>, after count: Int, onlyPresent: Bool) {
        change { state in
            (state.held, state.left) = (ways, count)
            state.heldUntil = onlyPresent ? state.traffic.connections : .max
        }
    }

    func free() {
        let late = change { state in
            state.held = []
            defer { state.late = [] }
            return state.late
        }
        for request in late { request() }
        wait { $0.waiting == 0 }
    }

    func waitUntilHeld() { wait { $0.waiting > 0 } }

    private func wait(_ isSo: (State) -> Bool) {
        changed.lock()
        // waits: each turn blocks until the state changes
        while !state.withLock({ isSo($0) }) { changed.wait() }
        changed.unlock()
    }

    /// Makes a connection; returns `nil` if that is impossible.
    func connect() -> MemoryLine? {
        change { state in
            guard !state.isRefusing else { return nil }
            state.traffic.connections += 1
            return MemoryLine(self, state.traffic.connections - 1)
        }
    }

    /// Ends what is held of a connection.
    fileprivate func end(_ line: MemoryLine) { change { _ in line.isLost = true } }

    fileprivate func later(_ request: @escaping @Sendable () -> Void) {
        change { $0.late.append(request) }
    }

    fileprivate func pass(_ way: WireWay, over line: MemoryLine) -> Passage {
        changed.lock()
        defer { changed.unlock() }
        func isHeld(_ state: State) -> Bool {
            state.held.contains(way) && state.left <= 0 && line.number < state.heldUntil
        }
        var wasHeld = false
        // waits: each turn blocks until the state changes
        while !line.isLost, state.withLock({ isHeld($0) }) {
            if !wasHeld {
                state.withLock { $0.waiting += 1 }
                changed.broadcast()
            }
            wasHeld = true
            changed.wait()
        }
        if wasHeld {
            state.withLock { $0.waiting -= 1 }
            changed.broadcast()
        }
        if line.isLost { return wasHeld ? .kept : .lost }
        return state.withLock { Self.admit(way, line, &$0) }
    }

    private static func admit(_ way: WireWay, _ line: MemoryLine, _ state: inout State) -> Passage {
        let size = 2
        var going = size
        if state.held.contains(way) { state.left -= size }
        if let cut = state.cut, cut.way == way {
            going = min(size, cut.left)
            state.cut?.left -= going
            if cut.left <= size {
                state.cut = nil
                state.traffic.cuts += 1
                line.isLost = true
            }
        }
        state.traffic[way] += going
        return going < size ? .lost : line.isLost ? .arrivedLast : .arrived
    }
}

/// A connection over a ``MemoryWire``.
final class MemoryLine: Sendable {
    private let wire: MemoryWire
    fileprivate let number: Int
    private let lost = Atomic(false)

    fileprivate init(_ wire: MemoryWire, _ number: Int) {
        (self.wire, self.number) = (wire, number)
    }

    fileprivate(set) var isLost: Bool {
        get { lost.load(ordering: .acquiring) }
        set { lost.store(newValue, ordering: .releasing) }
    }

    func interrupt() { wire.end(self) }

    /// Sends a request to the other end.
    ///
    /// - Parameter changes: whether it changes something; a lost answer then hides the result.
    func ask<Answer: Sendable>(
        changes: Bool, _ work: @escaping @Sendable () throws -> Answer
    ) throws -> Answer {
        guard !isLost else { throw Self.lost(changes: false) }
        switch wire.pass(.sent, over: self) {
        case .lost: throw Self.lost(changes: changes)
        case .kept:
            wire.later { _ = try? work() }
            throw Self.lost(changes: changes)
        case .arrivedLast:
            _ = try? work()
            throw Self.lost(changes: changes)
        case .arrived: break
        }
        let result = Result { try work() }
        try receive(changes: changes)
        return try result.get()
    }

    /// Receives one more part of an answer.
    func receive(changes: Bool = false) throws {
        switch wire.pass(.received, over: self) {
        case .arrived, .arrivedLast: return
        case .kept, .lost: throw Self.lost(changes: changes)
        }
    }

    static func lost(changes: Bool) -> StorageError {
        StorageError(
            .unavailable, "the connection was lost",
            effect: changes ? .indeterminate : .notApplied)
    }
}
