import Foundation
import Synchronization

extension LoopbackProxy {
    /// Carries traffic in one direction over a connection, until the connection ends.
    func carry(_ way: WireWay, over pair: SocketPair) {
        let isSent = way == .sent
        let (source, target) = isSent ? (pair.client, pair.server) : (pair.server, pair.client)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        // waits: each turn blocks until bytes come
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            // The server has received what was held, if anything was.
            if !isSent { markArrived(pair, .sent) }
            var rest = buffer[..<count]
            // waits: each turn blocks while they are held
            while !rest.isEmpty, !pair.hasEnded {
                waitWhileHeld(way, pair)
                let (allowed, isCut) = admit(rest.count, way, pair)
                if !LoopbackSocket.send(rest.prefix(allowed), to: target), !pair.hasLostClient {
                    pair.end()
                }
                if isCut { pair.end() }
                if pair.hasEnded { change { _ in } }
                rest = rest.dropFirst(allowed)
                if !isSent, rest.isEmpty { markArrived(pair, .received) }
            }
        }
        if isSent {
            // What came before its end is still answered. The server hears no end of a lost client.
            if !pair.hasLostClient { shutdown(pair.server, Int32(SHUT_WR)) }
            return
        }
        pair.end()
        change { state in
            state.pairs.removeAll { $0 === pair }
            state.pending[pair.number] = nil
        }
    }

    /// Marks that the held traffic of a connection in that direction has arrived.
    private func markArrived(_ pair: SocketPair, _ way: WireWay) {
        change { state in
            if state.held.isEmpty, state.pending[pair.number] == way {
                state.pending[pair.number] = nil
            }
        }
    }

    private func waitWhileHeld(_ way: WireWay, _ pair: SocketPair) {
        guard state.withLock({ $0.isHeld(way, pair) && $0.left == 0 }) else { return }
        change { $0.pending[pair.number] = way }
        wait {
            !$0.isHeld(way, pair) || $0.left > 0 || pair.hasEnded || pair.hasLostClient
        }
    }

    /// Returns how many of the bytes go now, and whether the connection is cut then.
    private func admit(_ count: Int, _ way: WireWay, _ pair: SocketPair) -> (
        allowed: Int, isCut: Bool
    ) {
        state.withLock { state in
            var allowed = count
            let isHeld = state.isHeld(way, pair)
            if isHeld { allowed = min(allowed, state.left) }
            if let cut = state.cut, cut.way == way { allowed = min(allowed, cut.left) }
            if isHeld { state.left -= allowed }
            state.traffic[way] += allowed
            guard let cut = state.cut, cut.way == way else { return (allowed, false) }
            state.cut?.left = cut.left - allowed
            guard cut.left == allowed else { return (allowed, false) }
            state.cut = nil
            state.traffic.cuts += 1
            return (allowed, true)
        }
    }
}

extension LoopbackProxy.State {
    func isHeld(_ way: WireWay, _ pair: SocketPair) -> Bool {
        held.contains(way) && pair.number < heldUntil
    }
}

/// A store's connection and the matching one with the server; closed when no longer referenced.
final class SocketPair: Sendable {
    let client: Int32
    let server: Int32
    /// The number of connections before it.
    let number: Int
    private let ended = Atomic(false)
    private let lost = Atomic(false)

    init(client: Int32, server: Int32, number: Int) {
        (self.client, self.server, self.number) = (client, server, number)
    }

    deinit {
        LoopbackSocket.close(client)
        LoopbackSocket.close(server)
    }

    var hasEnded: Bool { ended.load(ordering: .acquiring) }
    /// Whether the store is gone without the server knowing.
    var hasLostClient: Bool { lost.load(ordering: .acquiring) }

    func end() {
        ended.store(true, ordering: .releasing)
        // The server is notified before the store, which may connect again at once.
        for descriptor in [server, client] { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    func loseClient() {
        lost.store(true, ordering: .releasing)
        shutdown(client, Int32(SHUT_RDWR))
    }
}
