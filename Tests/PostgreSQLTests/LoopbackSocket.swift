#if PostgreSQL
    import Foundation
    import Synchronization

    /// TCP on this machine.
    enum LoopbackSocket {
        struct Failed: Error { var code = errno }

        #if canImport(Glibc)
            private static let stream = Int32(SOCK_STREAM.rawValue)
            private static let noSignal = Int32(MSG_NOSIGNAL)
        #else
            private static let stream = SOCK_STREAM
            private static let noSignal: Int32 = 0
        #endif

        /// A socket that listens at a free port.
        static func listen() throws -> (descriptor: Int32, port: UInt16) {
            let descriptor = socket(AF_INET, stream, 0)
            guard descriptor >= 0, withAddress("127.0.0.1", 0, { bind(descriptor, $0, $1) }) == 0,
                Foundation.listen(descriptor, 64) == 0
            else { throw Failed() }
            keepFromChildren(descriptor)
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getsockname(descriptor, $0, &length)
                }
            }
            guard result == 0 else { throw Failed() }
            return (descriptor, UInt16(bigEndian: address.sin_port))
        }

        /// A port at which nobody listens.
        static func closedPort() throws -> UInt16 {
            let (descriptor, port) = try listen()
            close(descriptor)
            return port
        }

        static func accept(_ listener: Int32) -> Int32? {
            let descriptor = Foundation.accept(listener, nil, nil)
            guard descriptor >= 0 else { return nil }
            sendAtOnce(descriptor)
            return descriptor
        }

        static func connect(_ host: String, _ port: UInt16) -> Int32? {
            let descriptor = socket(AF_INET, stream, 0)
            guard descriptor >= 0,
                withAddress(host, port, { Foundation.connect(descriptor, $0, $1) }) == 0
            else { return nil }
            sendAtOnce(descriptor)
            return descriptor
        }

        /// Whether all of it went.
        static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
            var rest = bytes
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Foundation.send(descriptor, $0.baseAddress, $0.count, noSignal)
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        static func close(_ descriptor: Int32) { _ = Foundation.close(descriptor) }

        private static func keepFromChildren(_ descriptor: Int32) {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }

        private static func sendAtOnce(_ descriptor: Int32) {
            keepFromChildren(descriptor)
            var yes: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(4))
        }

        private static func withAddress(
            _ host: String, _ port: UInt16, _ work: (UnsafePointer<sockaddr>, socklen_t) -> Int32
        ) -> Int32 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = inet_addr(host)
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    work($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }

    /// A connection with a client and the one with the server that belongs to it; closed when nobody has it
    /// any more.
    final class SocketPair: Sendable {
        let client: Int32
        let server: Int32
        /// How many there were before.
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
        /// The client is gone, and the server does not know.
        var hasLostClient: Bool { lost.load(ordering: .acquiring) }

        func end() {
            ended.store(true, ordering: .releasing)
            for descriptor in [client, server] { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }

        func loseClient() {
            lost.store(true, ordering: .releasing)
            shutdown(client, Int32(SHUT_RDWR))
        }
    }
#endif
