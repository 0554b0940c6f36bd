#if PostgreSQL
    import BrowserSessions
    import Foundation
    @testable import PostgreSQLBackend
    import StorageConformance
    import StorageEngines
    import TestSupport
    import Expectations

    extension ServerTests {
        /// One opener at a time: who has a profile, who loses it, and when.
        @Suite("ownership", .timeLimit(.minutes(10)))
        struct OwnershipTests {
            private let configuration: StorageConfiguration
            private let name: String
            /// Two processes, as the server sees them.
            private let one = StorageBackend.postgreSQL
            private let other = StorageBackend.postgreSQL

            init() throws {
                configuration = StorageConfiguration(location: try TestServer.location())
                name = TestServer.name(of: configuration.location)
            }

            private var owner: String {
                "(SELECT owner FROM browser_sessions.profiles WHERE profile = '\(name)')"
            }

            private func change(_ owner: String) throws {
                try TestServer.run(
                    "UPDATE browser_sessions.owners SET \(owner) WHERE owner = \(self.owner)")
            }

            private func refusal(of backend: StorageBackend) async -> StorageError? {
                await backend.refusal(of: configuration)
            }

            /// Where the lease is over another has it, and the first gets nothing more of it.
            @Test func aLeaseThatIsOver() async throws {
                let first = try await one.open(configuration)
                try await first.save(tabs: 3)
                try change("lease_until = clock_timestamp() - interval '1 second'")
                let second = try await other.open(configuration)
                try await second.save(tabs: 5)
                let error = await failure { () throws(StorageError) in try await first.save(tabs: 1)
                }
                expect(error?.code, is: .fenced)
                expect(error?.message.contains("another opener"), is: true)
                try? await first.close()
                expect(try await second.tabs() == 5)
                expect(try await second.save(tabs: 6).sequence == 3)
                // The end of the first does not let the profile of the second go.
                expect(await refusal(of: one)?.code == .locked)
                try await second.close()
            }

            /// The process of the row is no more, as this machine can see at once; another's it cannot.
            @Test func aProcessThatIsGone() async throws {
                let first = try await one.open(configuration)
                try await first.save(tabs: 3)
                try change(
                    "process = \(Int64(Int32.max)), host = 'elsewhere', machine = 'elsewhere'")
                let error = await refusal(of: other)
                expect(error?.code, is: .locked)
                expect(error?.message.contains("process \(Int32.max) on elsewhere"), is: true)
                let machine = PostgreSQLProcess.own.machine
                // The same number, begun at another time, is another process.
                try change("process = \(getpid()), machine = '\(machine)', started = '1'")
                let second = try await other.open(configuration)
                expect(try await second.tabs() == 3)
                let late = await failure { () throws(StorageError) in try await first.save(tabs: 1)
                }
                expect(late?.code, is: .fenced)
                try await second.close()
            }

            /// A server that another without the last changes has replaced.
            @Test(arguments: [false, true])
            func aServerThatWentBack(isReconnecting: Bool) async throws {
                let proxy = try TestServer.proxy()
                let store = try await one.open(
                    TestServer.configuration(over: proxy, profile: name))
                try await store.save(tabs: 3)
                try await store.save(tabs: 5)
                try TestServer.run(
                    """
                    UPDATE browser_sessions.profiles SET revision = revision - 1
                    WHERE profile = '\(name)'
                    """)
                if isReconnecting { proxy.end() }
                let error = await failure { () throws(StorageError) in try await store.save(tabs: 4)
                }
                expect(error?.code, is: .fenced)
                expect(error?.message.contains("another server without the last changes"), is: true)
                try? await store.close()
                try await one.open(configuration).close()
            }

            /// The epoch never restarts while a process may still write with an old one.
            @Test func anOpenerOfNothing() throws {
                let address = try PostgreSQLAddress(configuration)
                func connect() throws -> any EngineConnection {
                    let servers = PostgreSQLServers(connections: 2, lease: .seconds(15))
                    let server = servers.server(
                        at: address, durability: .powerLoss, timeout: .seconds(30))
                    return try PostgreSQLEngine(address, .powerLoss, server).connect(
                        ConnectionRequest(
                            location: configuration.location, options: [:], holder: "",
                            owner: .random()))
                }
                var batch = ByteBatch()
                batch.put([1], for: [1], in: .metadata)
                let first = try connect()
                try TestServer.takeOver(configuration.location)
                // It has the profile, finds nothing and makes nothing.
                try connect().close()
                let third = try connect()
                expect(throws: StorageError.self) {
                    try first.write(batch, to: "regular-1", durably: true)
                }
                try third.write(batch, to: "regular-1", durably: true)
                expect(try third.value(of: [1], in: .metadata, of: "regular-1") == [1])
                third.close()
            }

            /// What was never written is not there either.
            @Test func anOpeningThatMakesNothing() async throws {
                var configuration = configuration
                configuration.options["create"] = .bool(false)
                let error = await one.refusal(of: configuration)
                expect(error?.code, is: .notFound)
                let rows = "SELECT FROM browser_sessions.profiles WHERE profile = '\(name)'"
                expect(try TestServer.run(rows).isEmpty)
            }
        }
    }
#endif
