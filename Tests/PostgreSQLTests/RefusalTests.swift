#if PostgreSQL
    import BrowserSessions
    @testable import PostgreSQLBackend
    import Expectations

    extension ServerTests {
        /// What cannot be opened says why and what to do, and reveals nothing else.
        @Suite("refusals", .timeLimit(.minutes(10)))
        struct RefusalTests {
            private let backend = StorageBackend.postgreSQL

            private func refusal(
                of location: String, _ options: [String: OptionValue] = [:],
                file: String = #fileID, line: Int = #line
            ) async -> StorageError? {
                let configuration = StorageConfiguration(location: location, options: options)
                return await backend.refusal(of: configuration, file: file, line: line)
            }

            @Test func addressesOfNothing() async throws {
                let gone = try TestServer.configuration(over: TestServer.proxy())
                expect(await refusal(of: gone.location)?.code == .unavailable)
                let elsewhere = try await refusal(
                    of: TestServer.location(database: "no_such_database"))
                expect(elsewhere?.code, is: .notFound)
                expect(elsewhere?.message.contains("createdb"), is: true)
                for location in ["//127.0.0.1", "//127.0.0.1/", "//127.0.0.1//profile", "", "//"] {
                    let error = await refusal(of: location)
                    expect(error?.code, is: .invalidConfiguration, "\(location)")
                    expect(error?.message.contains("DATABASE"), is: true, "\(location)")
                }
                for location in ["//host:port:port/d/p", "//[::1/d/p", "//u@host%zz/d/p"] {
                    expect(await refusal(of: location)?.code == .invalidConfiguration)
                }
            }

            @Test func loginsThatAreRefused() async throws {
                let role = try Role("NOLOGIN")
                defer { role.drop() }
                let error = try await refusal(of: TestServer.location(user: role.name))
                expect(error?.code, is: .permissionDenied)
                expect(error?.message.contains("28000"), is: true)
                let unknown = try await refusal(
                    of: TestServer.location(user: "nobody_of_that_name"))
                expect(unknown?.code, is: .permissionDenied)
            }

            @Test func encryptionThatTheServerDoesNotHave() async throws {
                let error = try await refusal(
                    of: TestServer.location(), ["sslmode": .text("require")])
                expect(error?.code == .permissionDenied || error?.code == .unavailable)
                expect(error?.message.contains("sslmode"), is: true)
                let wrong = try await refusal(
                    of: TestServer.location(), ["sslmode": .text("perhaps")])
                expect(wrong?.code, is: .invalidConfiguration)
            }

            /// A server that has fewer connections than a backend may make serves all the same.
            @Test func fewerConnectionsThanTheBackendMayMake() async throws {
                let role = try Role("LOGIN CONNECTION LIMIT 2")
                defer { role.drop() }
                try role.grantAll()
                let backend = StorageBackend.postgreSQL(connections: 16, lease: .milliseconds(900))
                let places = try (0..<12).map { _ in try TestServer.location(user: role.name) }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for location in places {
                        group.addTask {
                            let store = try await backend.open(
                                StorageConfiguration(location: location))
                            for number in 1...20 {
                                expect(
                                    try await store.save(tabs: 1 + number % 6).sequence == number)
                            }
                            try await store.close()
                        }
                    }
                    try await group.waitForAll()
                }
            }

            // MARK: Schemas

            @Test func schemasOfOthers() async throws {
                let database = "other_\(UInt64.random(in: 0 ... .max))"
                let owner = TestServer.parameters["user"] ?? ""
                try TestServer.run("CREATE DATABASE \(database) OWNER \(owner)")
                defer { _ = try? TestServer.run("DROP DATABASE \(database) WITH (FORCE)") }
                let location = try TestServer.location(database: database)
                let none = await refusal(of: location)
                expect(none?.code, is: .notFound)
                expect(none?.message.contains("sessionctl init"), is: true)
                // Made twice at once, and again.
                let configuration = StorageConfiguration(location: location)
                async let one: Void = backend.prepare(configuration)
                async let two: Void = backend.prepare(configuration)
                _ = try await (one, two)
                try await backend.prepare(configuration)
                let store = try await backend.open(configuration)
                try await store.save(tabs: 3)
                try await store.close()

                try TestServer.run("UPDATE browser_sessions.format SET version = 2", at: location)
                for error in [
                    await refusal(of: location),
                    await failure { () throws(StorageError) in
                        try await backend.prepare(configuration)
                    },
                ] {
                    expect(error?.code, is: .incompatibleFormat)
                    expect(error?.message.contains("version 2"), is: true)
                }
                try TestServer.run("DELETE FROM browser_sessions.format", at: location)
                expect(await refusal(of: location)?.code == .incompatibleFormat)
                try TestServer.run(
                    """
                    INSERT INTO browser_sessions.format VALUES (1);
                    ALTER TABLE browser_sessions.records RENAME TO elsewhere
                    """, at: location)
                expect(await refusal(of: location)?.code == .notFound)
                try TestServer.run(
                    """
                    ALTER TABLE browser_sessions.elsewhere RENAME TO records;
                    ALTER TABLE browser_sessions.records RENAME COLUMN value TO worth
                    """, at: location)
                expect(await refusal(of: location)?.code == .incompatibleFormat)
                // All of it can be made good, and nothing was changed.
                try TestServer.run(
                    "ALTER TABLE browser_sessions.records RENAME COLUMN worth TO value",
                    at: location)
                let again = try await backend.open(configuration)
                expect(try await again.tabs() == 3)
                try await again.close()
            }

            @Test func rightsThatAreTakenAway() async throws {
                let role = try Role("LOGIN")
                defer { role.drop() }
                let location = try TestServer.location(user: role.name)
                let none = await refusal(of: location)
                expect(none?.code, is: .permissionDenied)
                expect(none?.message.contains("42501"), is: true)
                try role.grantAll()
                let store = try await backend.open(StorageConfiguration(location: location))
                try await store.save(tabs: 3)
                let revocable = "INSERT, UPDATE ON browser_sessions.records"
                try TestServer.run("REVOKE \(revocable) FROM \(role.name)")
                let error = await failure { () throws(StorageError) in
                    try await store.save(tabs: 5)
                }
                expect(error?.code == .permissionDenied && error?.effect == .notApplied)
                expect(error?.message.contains("42501"), is: true)
                expect(try await store.tabs() == 3)
                try TestServer.run("REVOKE SELECT ON browser_sessions.records FROM \(role.name)")
                let reading = await failure { () throws(StorageError) in _ = try await store.tabs()
                }
                expect(reading?.code, is: .permissionDenied)
                try role.grantAll()
                expect(try await store.save(tabs: 4).sequence == 2)
                try await store.close()
            }

            // MARK: Names

            @Test(arguments: [
                "with space", "'; DROP TABLE browser_sessions.records; --", "\"quoted\"", "🐈‍⬛/é",
                "a/b//c", "back\\slash", "%2F", "%41", "100%25", "\u{1}\u{7f}", "*", "a=b&c?d#e",
                String(repeating: "n", count: 512), String(repeating: "é", count: 256),
            ])
            func oddNames(name: String) async throws {
                let base = try TestServer.location(profile: "")
                let id = "\(UInt64.random(in: 0 ... .max))"
                let unique = name.utf8.count > 490 ? name : name + id
                let configuration = StorageConfiguration(location: base + unique)
                let store = try await backend.open(configuration)
                let sequence = try await store.save(tabs: 3).sequence
                expect(sequence >= 1)
                let other = try await backend.open(
                    StorageConfiguration(location: base + id + "other"))
                expect(try await other.tabs() == nil)
                try await other.close()
                try await store.close()
                let again = try await backend.open(configuration)
                expect(try await again.tabs() == 3)
                try await again.close()
            }

            @Test func namesThatAreRefused() async throws {
                let base = try TestServer.location(profile: "")
                for name in [
                    String(repeating: "n", count: 513), String(repeating: "é", count: 257), "%00",
                    "a%", "a%2", "%zz", "%ff", "%+1", "%-1", "a\0b",
                ] {
                    let error = await refusal(of: base + name)
                    expect(error?.code, is: .invalidConfiguration, "\(name)")
                    expect(error?.message.contains("512"), is: true, "\(name)")
                }
            }
        }
    }
#endif
