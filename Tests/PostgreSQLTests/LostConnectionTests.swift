#if PostgreSQL
    import BrowserSessions
    @testable import PostgreSQLBackend
    import StorageConformance
    import Expectations

    extension ServerTests {
        /// What is not said by the requirements of shared mediums.
        @Suite("lost connections", .enabled(if: TestServer.isSingle, "no single server"))
        struct LostConnectionTests {
            /// An opening that lost its connection holds nothing from others for longer than until its
            /// process can tell.
            @Test func anOpeningThatIsGivenUp() async throws {
                let proxy = try TestServer.proxy()
                let configuration = try TestServer.configuration(over: proxy)
                let name = TestServer.name(of: configuration.location)
                // With each attempt another process, so that none renews a lease over the cut.
                var backend = StorageBackend.postgreSQL
                var count = 0
                let isHeld =
                    "EXISTS (SELECT FROM browser_sessions.profiles WHERE profile = '\(name)')"
                // waits: until the connection is cut behind the message that takes the profile
                while try TestServer.run("SELECT \(isHeld)") == ["f"] {
                    count += 100
                    backend = StorageBackend.postgreSQL(lease: .seconds(3))
                    proxy.cut(.sent, after: count)
                    let error = await backend.refusal(of: configuration)
                    expect(error?.code, is: .unavailable)
                }
                try TestServer.wait(
                    until: "NOT \(isHeld) OR \(isHeld.dropLast()) AND owner IS NULL)")
                let other = try await StorageBackend.postgreSQL.open(at: name)
                try await other.close()
            }
        }
    }

    extension StorageBackend {
        /// Opens a profile of the server that the tests were started with.
        func open(at profile: String) async throws -> any SessionStorage {
            try await open(StorageConfiguration(location: TestServer.location(profile: profile)))
        }
    }
#endif
