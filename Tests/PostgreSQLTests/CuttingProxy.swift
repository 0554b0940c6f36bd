#if PostgreSQL
    import Foundation
    import Synchronization

    /// Stands between clients and a server, and does to their connections what a network may do.
    ///
    /// It counts messages, so clients must not ask for encryption.
    final class CuttingProxy: Sendable {
        /// Which way bytes go, as the client sees it.
        enum Direction: Sendable, CaseIterable { case sent, received }
        enum Unit: Sendable, CaseIterable { case bytes, messages }

        /// Where a connection is cut, counted over all connections from the moment it is told.
        struct Cut: Sendable {
            var direction: Direction
            var unit: Unit
            var left: Int
        }

        private struct State {
            var cut: Cut?
            var held: Set<Direction> = []
            /// The first connection of which nothing is held.
            var heldUntil = Int.max
            /// Answers are held once so many messages have come.
            var heldAfter: Int?
            var isRefusing = false
            var pairs: [SocketPair] = []
            var counts = Counts()
        }

        struct Counts: Sendable {
            var connections = 0
            var cuts = 0
            var bytes: [Direction: Int] = [:]
            var messages: [Direction: Int] = [:]
        }

        let port: UInt16
        private let listener: Int32
        private let server: (host: String, port: UInt16)
        private let state = Mutex(State())
        private let changed = NSCondition()

        init(to host: String, _ serverPort: UInt16) throws {
            server = (host, serverPort)
            (listener, port) = try LoopbackSocket.listen()
            let listener = listener
            Thread.detachNewThread { [weak self] in
                // waits: each turn blocks until a client comes
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

        var counts: Counts { state.withLock { $0.counts } }

        /// Cuts the connection over which the last of so many bytes or messages goes. Once.
        func cut(_ direction: Direction, after count: Int, _ unit: Unit) {
            state.withLock { $0.cut = Cut(direction: direction, unit: unit, left: count) }
        }

        /// A cut that did not happen yet does not happen any more.
        func cutNothing() { state.withLock { $0.cut = nil } }

        /// What comes is kept until ``free()``: the answers, or everything; of all connections, or of those
        /// that there are.
        func hold(_ directions: Set<Direction> = [.received], onlyPresent: Bool = false) {
            change { state in
                state.held = directions
                state.heldUntil = onlyPresent ? state.counts.connections : .max
            }
        }

        /// Answers are kept once the server has sent so many more messages.
        func hold(afterMessages count: Int) { state.withLock { $0.heldAfter = count } }

        func free() {
            change { state in
                state.held = []
                state.heldAfter = nil
            }
        }

        /// Returns when the server has sent more messages than so many.
        func wait(forMessagesBeyond count: Int) {
            changed.lock()
            // waits: each turn blocks until something comes
            while counts.messages[.received, default: 0] <= count { changed.wait() }
            changed.unlock()
        }

        /// Whether new connections end at once.
        func refuse(_ isRefusing: Bool) { state.withLock { $0.isRefusing = isRefusing } }

        /// Clients lose their connections, of which the server notices nothing.
        func loseClients() {
            change { state in
                for pair in state.pairs { pair.loseClient() }
            }
        }

        /// Both sides lose all connections.
        func end() {
            change { state in
                for pair in state.pairs { pair.end() }
                state.pairs = []
            }
        }

        private func change(_ change: (inout State) -> Void) {
            changed.lock()
            state.withLock { change(&$0) }
            changed.broadcast()
            changed.unlock()
        }

        // MARK: Connections

        private func begin(_ client: Int32) {
            guard !state.withLock({ $0.isRefusing }),
                let server = LoopbackSocket.connect(server.host, server.port)
            else { return LoopbackSocket.close(client) }
            let pair = state.withLock { state in
                let number = state.counts.connections
                let pair = SocketPair(client: client, server: server, number: number)
                state.pairs.append(pair)
                state.counts.connections += 1
                return pair
            }
            for direction in Direction.allCases {
                Thread.detachNewThread { self.carry(direction, over: pair) }
            }
        }

        private func carry(_ direction: Direction, over pair: SocketPair) {
            let isSent = direction == .sent
            let (source, target) =
                isSent ? (pair.client, pair.server) : (pair.server, pair.client)
            var scanner = MessageScanner(beginsUntyped: isSent)
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            // waits: each turn blocks until bytes come
            while true {
                let count = recv(source, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                var rest = buffer[..<count]
                // waits: each turn blocks while they are held
                while !rest.isEmpty, !pair.hasEnded {
                    waitWhileHeld(direction, pair)
                    let (allowed, isCut) = admit(rest, direction, &scanner)
                    if !LoopbackSocket.send(rest.prefix(allowed), to: target), !pair.hasLostClient {
                        pair.end()
                    }
                    if isCut { pair.end() }
                    change { _ in }
                    rest = rest.dropFirst(allowed)
                }
            }
            if isSent {
                // What came before its end is still answered; of a lost client the server hears no end.
                if !pair.hasLostClient { shutdown(pair.server, Int32(SHUT_WR)) }
                return
            }
            pair.end()
            state.withLock { state in state.pairs.removeAll { $0 === pair } }
        }

        private func waitWhileHeld(_ direction: Direction, _ pair: SocketPair) {
            changed.lock()
            // waits: each turn blocks until the state changes
            while state.withLock({ $0.held.contains(direction) && pair.number < $0.heldUntil }),
                !pair.hasEnded, !pair.hasLostClient
            {
                changed.wait()
            }
            changed.unlock()
        }

        /// How many of the bytes go now, and whether the connection is cut then.
        private func admit(
            _ bytes: ArraySlice<UInt8>, _ direction: Direction, _ scanner: inout MessageScanner
        ) -> (allowed: Int, isCut: Bool) {
            state.withLock { state in
                var most = Int.max
                var mostBytes = bytes.count
                if let cut = state.cut, cut.direction == direction {
                    if cut.unit == .bytes { mostBytes = min(mostBytes, cut.left) }
                    if cut.unit == .messages { most = cut.left }
                }
                if direction == .received, let count = state.heldAfter { most = min(most, count) }
                let (taken, messages) = scanner.scan(bytes.prefix(mostBytes), most: most)
                state.counts.bytes[direction, default: 0] += taken
                state.counts.messages[direction, default: 0] += messages
                if direction == .received, let count = state.heldAfter {
                    state.heldAfter = count == messages ? nil : count - messages
                    if count == messages { state.held.insert(.received) }
                }
                guard let cut = state.cut, cut.direction == direction else { return (taken, false) }
                let left = cut.left - (cut.unit == .bytes ? taken : messages)
                state.cut?.left = left
                guard left == 0 else { return (taken, false) }
                state.cut = nil
                state.counts.cuts += 1
                return (taken, true)
            }
        }
    }

    /// Finds where messages end: a type of one byte and the length of the rest, but for the first message of
    /// a client, which has no type.
    private struct MessageScanner {
        private var head: [UInt8] = []
        private var rest = 0
        private var isUntyped: Bool

        init(beginsUntyped: Bool) { isUntyped = beginsUntyped }

        /// Goes on until so many messages have ended.
        mutating func scan(_ bytes: ArraySlice<UInt8>, most: Int) -> (bytes: Int, messages: Int) {
            var (taken, messages) = (0, 0)
            while taken < bytes.count, messages < most {
                if rest > 0 {
                    let step = min(rest, bytes.count - taken)
                    rest -= step
                    taken += step
                } else {
                    head.append(bytes[bytes.startIndex + taken])
                    taken += 1
                    guard head.count == (isUntyped ? 4 : 5) else { continue }
                    rest = head.suffix(4).reduce(0) { $0 << 8 | Int($1) } - 4
                    head = []
                    isUntyped = false
                }
                if rest == 0 { messages += 1 }
            }
            return (taken, messages)
        }
    }
#endif
