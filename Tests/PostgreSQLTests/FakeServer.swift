#if PostgreSQL
    import Foundation
    import Synchronization

    /// A server of a test's own that speaks the protocol of PostgreSQL, and says what it likes.
    final class FakeServer: Sendable {
        /// What it does with a connection behind its startup message.
        typealias Script = @Sendable (Line) -> Void

        let port: UInt16
        private let listener: Int32
        private let heard = Mutex<[UInt8]>([])
        private let said = Mutex(0)

        /// All that clients sent.
        var received: [UInt8] { heard.withLock { $0 } }
        /// How many bytes clients took.
        var sent: Int { said.withLock { $0 } }

        /// - Parameter address: of this machine.
        init(at address: String = "127.0.0.1", _ script: @escaping Script) throws {
            listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_addr.s_addr = inet_addr(address)
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutablePointer(to: &place) { [listener] place in
                place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                    bind(listener, place, size) == 0 && listen(listener, 8) == 0
                        && getsockname(listener, place, &size) == 0
                }
            }
            guard result else { throw POSIXError(.EADDRNOTAVAIL) }
            port = UInt16(bigEndian: place.sin_port)
            Thread.detachNewThread { [weak self, listener] in
                // waits: each turn blocks until a client comes
                while true {
                    let client = accept(listener, nil, nil)
                    guard client >= 0, let self else { return }
                    Thread.detachNewThread {
                        let line = Line(client, self)
                        if line.begin() { script(line) }
                        close(client)
                    }
                }
            }
        }

        deinit {
            shutdown(listener, Int32(SHUT_RDWR))
            close(listener)
        }

        /// An address of this machine that is none of loopback.
        static let otherAddress: String? = {
            var list: UnsafeMutablePointer<ifaddrs>?
            guard getifaddrs(&list) == 0 else { return nil }
            defer { freeifaddrs(list) }
            var next = list
            while let entry = next?.pointee {
                next = entry.ifa_next
                guard let address = entry.ifa_addr, address.pointee.sa_family == AF_INET,
                    entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0
                else { continue }
                let place = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    $0.pointee
                }
                if let text = inet_ntoa(place.sin_addr) { return String(cString: text) }
            }
            return nil
        }()

        /// A connection as the server has it.
        struct Line {
            private let socket: Int32
            private unowned let server: FakeServer

            init(_ socket: Int32, _ server: FakeServer) {
                (self.socket, self.server) = (socket, server)
                var isAtOnce: Int32 = 1
                setsockopt(
                    socket, Int32(IPPROTO_TCP), TCP_NODELAY, &isAtOnce,
                    socklen_t(MemoryLayout<Int32>.size))
            }

            /// Has no encryption; returns whether a startup message came.
            func begin() -> Bool {
                // waits: each turn blocks until the client says more
                while let length = number(), let code = number(), read(length - 8) != nil {
                    if code == 196_608 { return true }
                    guard send([UInt8(ascii: "N")]) else { return false }
                }
                return false
            }

            func end() { close(socket) }

            func send(_ bytes: [UInt8]) -> Bool {
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = rest.withUnsafeBytes {
                        Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard count > 0 else { return false }
                    server.said.withLock { $0 += count }
                    rest = rest.dropFirst(count)
                }
                return true
            }

            /// The client may go on as if it had logged in.
            ///
            /// - Parameter notice: what is said before.
            func welcome(_ notice: [UInt8] = []) -> Bool {
                let settings = [
                    ("server_version", "15.0"), ("default_transaction_read_only", "off"),
                    ("in_hot_standby", "off"),
                ].flatMap { Fake.message("S", Array("\($0)\0\($1)\0".utf8)) }
                return send(Fake.message("R", [0, 0, 0, 0]) + notice + settings + Fake.ready)
            }

            /// A message of the client.
            func next() -> (kind: Character, bytes: [UInt8])? {
                guard let kind = read(1)?.first, let length = number(), let bytes = read(length - 4)
                else { return nil }
                return (Character(Unicode.Scalar(kind)), bytes)
            }

            /// Answers each query by its text or the name of its statement.
            func serve(
                _ notice: [UInt8] = [], _ answer: (_ name: String, _ isText: Bool) -> [UInt8]
            ) {
                guard welcome(notice) else { return }
                // waits: each turn blocks until the client asks
                while let (kind, bytes) = next() {
                    let isSent =
                        switch kind {
                        case "Q":
                            send(
                                answer(String(decoding: bytes.dropLast(), as: UTF8.self), true)
                                    + Fake.ready)
                        case "P": send(Fake.message("1", []))
                        case "B":
                            send(
                                Fake.message("2", [])
                                    + answer(
                                        String(
                                            decoding: bytes.dropFirst().prefix { $0 != 0 },
                                            as: UTF8.self), false))
                        case "S": send(Fake.ready)
                        default: true
                        }
                    guard isSent else { return }
                }
            }

            private func number() -> Int? {
                read(4).map { $0.reduce(0) { $0 << 8 | Int($1) } }
            }

            private func read(_ count: Int) -> [UInt8]? {
                var bytes = [UInt8](repeating: 0, count: max(0, count))
                var filled = 0
                while filled < bytes.count {
                    let got = bytes.withUnsafeMutableBytes {
                        recv(socket, $0.baseAddress?.advanced(by: filled), $0.count - filled, 0)
                    }
                    guard got > 0 else { return nil }
                    filled += got
                }
                server.heard.withLock { $0 += bytes }
                return bytes
            }
        }
    }

    /// Messages of a server.
    enum Fake {
        static let ready = message("Z", [UInt8(ascii: "I")])
        static let done = message("C", Array("SELECT\0".utf8))

        static func message(_ kind: Character, _ bytes: [UInt8]) -> [UInt8] {
            [kind.asciiValue ?? 0] + number(bytes.count + 4) + bytes
        }

        static func notice(_ text: String) -> [UInt8] {
            message("N", Array("S\(text)\0VNOTICE\0C\(text)\0M\(text)\0\0".utf8))
        }

        static func failure(_ state: String, _ text: String) -> [UInt8] {
            message("E", Array("S\(text)\0VERROR\0C\(state)\0M\(text)\0\0".utf8))
        }

        /// Rows of values, all as wide as the first one.
        static func rows(_ rows: [[[UInt8]?]]) -> [UInt8] {
            let width = rows.first?.count ?? 1
            var bytes = number(width, bytes: 2)
            for _ in 0..<width { bytes += [97, 0] + [UInt8](repeating: 0, count: 18) }
            return message("T", bytes) + rows.flatMap { row($0) } + done
        }

        static func row(_ row: [[UInt8]?]) -> [UInt8] {
            var bytes = number(row.count, bytes: 2)
            for value in row { bytes += number(value?.count ?? -1) + (value ?? []) }
            return message("D", bytes)
        }

        static func number(_ number: Int, bytes: Int = 4) -> [UInt8] {
            (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
    }
#endif
