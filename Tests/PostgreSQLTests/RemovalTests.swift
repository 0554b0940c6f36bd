#if PostgreSQL
    import BrowserSessions
    import Foundation
    @testable import PostgreSQLBackend
    import StorageEngines
    import TestSupport
    import Expectations

    extension ServerTests {
        /// Profiles that are removed: as a whole, by their owner, and with everything that belongs to them.
        @Suite("removal", .timeLimit(.minutes(10)))
        struct RemovalTests {
            private let profile: RemovableProfile
            private var configuration: StorageConfiguration { profile.configuration }
            /// Two processes, as the server sees them.
            private let one = StorageBackend.postgreSQL
            private let other = StorageBackend.postgreSQL

            init() throws { profile = try RemovableProfile() }

            @Test func everythingGoes() async throws {
                let keys = HostKeys(survives: .memory)
                let backend = StorageBackend.postgreSQL(incognitoKeys: keys)
                let before = try RemovableProfile.owners()
                try await profile.fill(backend)
                expect(try profile.rows() > 5 && keys.keys.count == 1)
                expect(try await backend.remove(configuration))
                expect(keys.keys.count, is: 0)
                try await profile.requireNothing()
                expect(try RemovableProfile.owners() == before)
                expect(try await !backend.remove(configuration))
                try await profile.requireNothing()
                let again = try await backend.open(configuration)
                expect(try await again.sessions() == [])
                expect(try await again.save(tabs: 2).sequence == 1)
                try await again.close()
                expect(try await other.remove(configuration))
                try await profile.requireNothing()
            }

            @Test func oneThatSomebodyHas() async throws {
                let store = try await one.open(configuration)
                try await store.save(tabs: 3)
                let before = try profile.rows()
                for backend in [one, other] {
                    let error = await failure { () throws(StorageError) in
                        try await backend.remove(configuration)
                    }
                    expect(error?.code == .locked && error?.operation == "remove")
                    expect(error?.message.contains("process \(getpid()) on "), is: true)
                    expect(error?.message.contains(ProcessInfo.processInfo.hostName), is: true)
                }
                expect(try profile.rows() == before)
                expect(try await store.tabs() == 3)
                try await store.save(tabs: 4)
                try await store.close()
                expect(try await other.remove(configuration))
            }

            /// An owner that was replaced brings nothing back.
            @Test func thePreviousOwnerIsFenced() async throws {
                let first = try await one.open(configuration)
                try await first.save(tabs: 3)
                try TestServer.takeOver(configuration.location)
                expect(try await other.remove(configuration))
                for error in [
                    await failure { () throws(StorageError) in try await first.save(tabs: 1) },
                    await failure { () throws(StorageError) in _ = try await first.tabs() },
                    await failure { () throws(StorageError) in try await first.close() },
                ] { expect(error?.code, is: .fenced) }
                try await profile.requireNothing()
            }

            /// A new profile of the same name is not the one that an old owner knew.
            @Test func thePreviousOwnerOfANewOne() async throws {
                let first = try await one.open(configuration)
                try await first.save(tabs: 3)
                try TestServer.takeOver(configuration.location)
                expect(try await other.remove(configuration))
                let second = try await other.open(configuration)
                try await second.save(tabs: 1)
                let error = await failure { () throws(StorageError) in
                    try await first.save(tabs: 5)
                }
                expect(error?.code, is: .fenced)
                expect(try await second.tabs() == 1)
                try await second.close()
                expect(try await one.remove(configuration))
            }

            @Test func aKeyThatIsNotHere() async throws {
                let keys = HostKeys(survives: .memory)
                let backend = StorageBackend.postgreSQL(incognitoKeys: keys)
                try await profile.fill(backend)
                let before = try profile.rows()
                let error = await failure { () throws(StorageError) in
                    try await one.remove(configuration)
                }
                expect(error?.code == .keyUnavailable && error?.effect == .notApplied)
                expect(error?.message.contains("'keychain'"), is: true)
                expect(try profile.rows() == before && keys.keys.count == 1)
                let store = try await backend.open(configuration)
                expect(try await store.sessions().count == 2)
                try await store.close()
                // Deleting incognito gives it up.
                let opened = try await one.open(configuration)
                _ = await failure { () throws(StorageError) in try await opened.deleteIncognito() }
                try await opened.close()
                expect(try await one.remove(configuration))
                try await profile.requireNothing()
            }

            /// The row of an opener that made nothing goes, too.
            @Test func whatAnOpenerOfNothingLeft() async throws {
                try TestServer.run(
                    """
                    INSERT INTO browser_sessions.profiles (profile, epoch, token, opening, attempt)
                    VALUES ('\(profile.name)', 7, gen_random_uuid(), gen_random_uuid(), 0)
                    """)
                expect(try await !one.remove(configuration))
                try await profile.requireNothing()
            }
        }
    }
#endif
