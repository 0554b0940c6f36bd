#if PostgreSQL
    import BrowserSessions
    import Foundation
    import PostgreSQLBackend
    import StorageEngines
    import Expectations

    /// A profile of a test, and what there is of it at the server.
    struct RemovableProfile {
        private static let incognito = SessionID(
            window: WindowID(high: 1, low: 9), kind: .incognito)
        let name: String
        let configuration: StorageConfiguration

        init(named name: String = UUID().uuidString) throws {
            self.name = name
            configuration = StorageConfiguration(location: try TestServer.location(profile: name))
        }

        /// How many rows there are of it, in all tables.
        func rows() throws -> Int {
            try ["profiles", "records", "chunks"].reduce(0) { sum, table in
                let rows = "SELECT FROM browser_sessions.\(table) WHERE profile = '\(name)'"
                return sum + (try TestServer.run(rows).count)
            }
        }

        /// How many owners this process is at the server.
        static func owners() throws -> Int {
            try TestServer.run(
                "SELECT FROM browser_sessions.owners WHERE process = \(getpid())"
            ).count
        }

        /// Saves both partitions, with a state of several chunks, and closes it.
        func fill(_ backend: StorageBackend, at place: StorageConfiguration? = nil) async throws {
            let store = try await backend.open(place ?? configuration)
            var changes = Samples.window(tabs: 4)
            changes.put(Samples.blob(1, bytes: 300_000), for: Samples.state(1))
            _ = try await store.save(changes)
            try await store.save(tabs: 3)
            var secret = SessionChanges()
            secret.put(SessionAttributes(title: "Secret"), for: Self.incognito)
            _ = try await store.save(secret)
            try await store.close()
        }

        /// Nothing is there, and no opener finds something.
        func requireNothing() async throws {
            expect(try rows() == 0)
            var there = configuration
            there.options["create"] = .bool(false)
            let error = await StorageBackend.postgreSQL.refusal(of: there)
            expect(error?.code, is: .notFound)
            expect(try rows() == 0)
        }
    }
#endif
