#if PostgreSQL
    import BrowserSessions
    import Foundation
    @testable import PostgreSQLBackend
    @testable import StorageConformance
    import Synchronization
    import Expectations

    extension ServerTests {
        /// Programs between a store and its server that share the server's connections.
        @Suite("poolers", .enabled(if: TestServer.isSingle, "no single server"))
        struct PoolerTests {
            /// Where PgBouncer listens, if it is there, with a database for each of its modes.
            private static let portOfPgBouncer = UInt16(
                ProcessInfo.processInfo.environment["POSTGRESQL_TEST_POOLER"] ?? "")

            private let backend = StorageBackend.postgreSQL

            /// It is refused before anything is set that others would come to have.
            private func expectRefusal(at location: String) async throws {
                let configuration = StorageConfiguration(location: location)
                let backend = backend
                for error in [
                    await backend.refusal(of: configuration),
                    await failure { () throws(StorageError) in
                        try await backend.prepare(configuration)
                    },
                ] {
                    expect(error?.code, is: .unsupported, "\(error as Any)")
                    expect(error?.message.contains("pool_mode = session"), is: true)
                }
                let parameters = try PostgreSQLAddress(configuration).parameters
                for _ in 1...4 {
                    let other = try PostgreSQLConnection(
                        parameters, timeout: .seconds(20), isProbe: true)
                    let path = try other.run("SHOW search_path").text(0, 0)
                    expect(path, is: "\"$user\", public")
                }
            }

            @Test(arguments: Pooler.Order.allCases)
            fileprivate func transactions(order: Pooler.Order) async throws {
                let pooler = try Pooler(order)
                try await expectRefusal(at: TestServer.location(port: pooler.port))
            }

            /// What is not seen at the opening is seen with each change, and nothing is applied.
            @Test func transactionsLater() async throws {
                let pooler = try Pooler(.first, isPooling: false)
                let location = try TestServer.location(port: pooler.port)
                let store = try await backend.open(StorageConfiguration(location: location))
                pooler.isPooling.withLock { $0 = true }
                var (tabs, refused) = (0, 0)
                for turn in 1...8 {
                    do throws(StorageError) {
                        try await store.save(tabs: 1 + turn % 5)
                        tabs = 1 + turn % 5
                    } catch {
                        expect(error.code, is: .unsupported, "\(error)")
                        refused += 1
                    }
                }
                expect(refused > 0 && tabs > 0)
                try TestServer.takeOver(location)
                let direct = try await backend.open(at: TestServer.name(of: location))
                expect(try await direct.tabs() == tabs)
            }

            @Test(
                .enabled(if: portOfPgBouncer != nil, "no PgBouncer"),
                arguments: ["session", "transaction", "statement"])
            func pgBouncer(mode: String) async throws {
                let location = try TestServer.location(port: Self.portOfPgBouncer, database: mode)
                guard mode == "session" else { return try await expectRefusal(at: location) }
                let configuration = StorageConfiguration(location: location)
                try await backend.prepare(configuration)
                for tabs in 1...3 {
                    let store = try await backend.open(configuration)
                    try await store.save(tabs: 1)
                    try await store.save(tabs: 1 + tabs)
                    expect(try await store.tabs() == 1 + tabs)
                    try await store.close()
                }
                expect(try await backend.remove(configuration))
            }
        }
    }

    /// A pooler as newer ones are: each transaction gets another connection of the server, and
    /// statements are prepared there when they are used.
    private final class Pooler: Sendable {
        /// Which of the unused connections is next: the one that was used last, or first.
        enum Order: CaseIterable { case last, first }

        /// Whether transactions are given other connections; otherwise sessions keep theirs.
        let isPooling: Mutex<Bool>
        private let order: Order
        private let idle = Mutex<[Upstream]>([])
        private let server = Mutex<FakeServer?>(nil)

        var port: UInt16 { server.withLock { $0?.port ?? 0 } }

        init(_ order: Order, isPooling: Bool = true) throws {
            self.order = order
            self.isPooling = Mutex(isPooling)
            let server = try FakeServer { [weak self] in self?.serve($0) }
            self.server.withLock { $0 = server }
            for _ in 1...2 { giveBack(try Upstream(server)) }
        }

        deinit { for upstream in idle.withLock({ $0 }) { upstream.line.end() } }

        private func take() -> Upstream? {
            let next = idle.withLock { idle in
                idle.isEmpty ? nil : order == .last ? idle.removeLast() : idle.removeFirst()
            }
            return next ?? server.withLock { $0.flatMap { try? Upstream($0) } }
        }

        private func giveBack(_ upstream: Upstream) { idle.withLock { $0.append(upstream) } }

        private func serve(_ client: FakeServer.Line) {
            guard client.welcome(Fake.message("K", [9, 9, 9, 9, 0, 0, 0, 0])) else { return }
            var own: Upstream?
            defer { if let own { giveBack(own) } }
            var texts: [[UInt8]: [UInt8]] = [:]
            var isHidden = false
            // waits: each turn blocks until the client says something
            while let (kind, bytes) = client.next(), kind != "X", var now = own ?? take() {
                let name = Array(bytes.drop { $0 == 0 }.prefix { $0 != 0 })
                if kind == "P" { texts[name] = bytes }
                if "PB".contains(kind), now.prepared.insert(name).inserted, kind == "B" {
                    isHidden = now.line.send(Fake.message("P", texts[name] ?? []))
                }
                own = now
                guard now.line.send(Fake.message(kind, bytes)) else { return }
                guard "QS".contains(kind) else { continue }
                if now.answer(isHidden, to: client), isPooling.withLock({ $0 }) {
                    giveBack(now)
                    own = nil
                }
                isHidden = false
            }
        }

        /// A connection of the server.
        private struct Upstream {
            let line: FakeServer.Line
            var prepared: Set<[UInt8]> = []

            init(_ server: FakeServer) throws {
                let parameters = TestServer.parameters
                let port = UInt16(parameters["port"] ?? "") ?? 5432
                guard let socket = LoopbackSocket.connect(to: .port(port)) else {
                    throw POSIXError(.ECONNREFUSED)
                }
                line = FakeServer.Line(socket, server)
                let (user, database) = (parameters["user"] ?? "", parameters["dbname"] ?? "")
                let text = "user\0\(user)\0database\0\(database)\0\0"
                let startup = Fake.number(196_608) + Array(text.utf8)
                _ = line.send(Fake.number(startup.count + 4) + startup)
                // waits: each turn blocks until the server says more
                while let (kind, _) = line.next(), kind != "Z" {}
            }

            /// Passes an answer on; returns whether the server has no open transaction.
            ///
            /// - Parameter isHidden: whether it begins with a statement that the client did not
            ///   prepare.
            func answer(_ isHidden: Bool, to client: FakeServer.Line) -> Bool {
                var isHidden = isHidden
                // waits: each turn blocks until the server says more
                while let (kind, bytes) = line.next() {
                    if !isHidden { _ = client.send(Fake.message(kind, bytes)) }
                    isHidden = false
                    if kind == "Z" { return bytes == [UInt8(ascii: "I")] }
                }
                return false
            }
        }
    }
#endif
