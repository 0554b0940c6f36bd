import Foundation
import Synchronization

/// A ``MediumWire`` of sockets between stores and a server on this machine.
///
/// It counts bytes and knows no protocol, so any protocol will do; encryption only makes the counts
/// of two runs differ.
public final class LoopbackProxy: MediumWire {
    struct State {
        var cut: (way: WireWay, left: Int)?
        var held: Set<WireWay> = []
        /// How much may still go in each of the held directions.
        var left = 0
        /// The first connection that is not held.
        var heldUntil = Int.max
        /// Connections with traffic that is held, or was and is not answered yet, by their numbers.
        var pending: [Int: WireWay] = [:]
        var isRefusing = false
        var pairs: [SocketPair] = []
        var traffic = WireTraffic()
    }

    /// The address at which stores now reach the server.
    public let endpoint: LoopbackEndpoint
    private let server: LoopbackEndpoint
    private let listener: Int32
    let state = Mutex(State())
    private let changed = NSCondition()

    /// Listens on a free port of 127.0.0.1, or at a path beside the server's, until the process
    /// ends or the proxy is released.
    ///
    /// - Parameter server: the address of the server.
    public init(to server: LoopbackEndpoint) throws {
        self.server = server
        (listener, endpoint) = try LoopbackSocket.listen(beside: server)
        let listener = listener
        Thread.detachNewThread { [weak self] in
            // waits: each turn blocks until a store comes
            while let client = LoopbackSocket.accept(listener) {
                guard let self else { return LoopbackSocket.close(client) }
                self.begin(client)
            }
        }
    }

    deinit {
        end()
        shutdown(listener, Int32(SHUT_RDWR))
        LoopbackSocket.close(listener)
    }

    // MARK: What happens

    public var traffic: WireTraffic { state.withLock { $0.traffic } }

    public func cut(_ way: WireWay, after count: Int) {
        state.withLock { $0.cut = (way, count) }
    }

    public func cutNothing() { state.withLock { $0.cut = nil } }

    public func hold(_ ways: Set<WireWay>, after count: Int, onlyPresent: Bool) {
        change { state in
            (state.held, state.left) = (ways, count)
            state.heldUntil = onlyPresent ? state.traffic.connections : .max
        }
    }

    public func free() {
        change { $0.held = [] }
        let limit = Date(timeIntervalSinceNow: 10)
        wait(until: limit) { $0.pending.isEmpty }
        change { $0.pending = [:] }
    }

    public func waitUntilHeld() { wait { !$0.pending.isEmpty } }

    public func refuse(_ isRefusing: Bool) { state.withLock { $0.isRefusing = isRefusing } }

    /// Drops the stores' connections without the server noticing.
    public func loseClients() {
        change { state in
            for pair in state.pairs { pair.loseClient() }
        }
    }

    /// Drops all connections at both ends.
    public func end() {
        change { state in
            for pair in state.pairs { pair.end() }
            state.pairs = []
        }
    }

    func change(_ change: (inout State) -> Void) {
        changed.lock()
        state.withLock { change(&$0) }
        changed.broadcast()
        changed.unlock()
    }

    /// Blocks until the state satisfies the condition or the time is over.
    func wait(until limit: Date? = nil, _ isSo: (State) -> Bool) {
        changed.lock()
        defer { changed.unlock() }
        // waits: each turn blocks until the state changes
        while !state.withLock({ isSo($0) }) {
            guard let limit else {
                changed.wait()
                continue
            }
            if !changed.wait(until: limit) { return }
        }
    }

    // MARK: Connections

    private func begin(_ client: Int32) {
        guard !state.withLock({ $0.isRefusing }), let server = LoopbackSocket.connect(to: server)
        else { return LoopbackSocket.close(client) }
        let pair = state.withLock { state in
            let number = state.traffic.connections
            let pair = SocketPair(client: client, server: server, number: number)
            state.pairs.append(pair)
            state.traffic.connections += 1
            return pair
        }
        for way in WireWay.allCases {
            Thread.detachNewThread { self.carry(way, over: pair) }
        }
    }
}
