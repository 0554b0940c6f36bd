#if PostgreSQL
    import BrowserSessions
    import Foundation
    @testable import PostgreSQLBackend
    import StorageEngines
    import Synchronization
    import TestSupport
    import Testing

    extension ServerTests {
        /// Profiles that are removed: as a whole, by their owner, and with everything that belongs to them.
        @Suite("removal", .timeLimit(.minutes(2)))
        struct RemovalTests {
            private static let incognito = SessionID(
                window: WindowID(high: 1, low: 9), kind: .incognito)
            private let configuration: StorageConfiguration
            private let name: String
            /// Two processes, as the server sees them.
            private let one = StorageBackend.postgreSQL
            private let other = StorageBackend.postgreSQL

            init() throws {
                configuration = StorageConfiguration(location: try TestServer.location())
                name = TestServer.name(of: configuration.location)
            }

            /// How many rows there are of the profile, in all tables.
            private func rows(of name: String? = nil) throws -> Int {
                let name = name ?? self.name
                return try ["profiles", "records", "chunks"].reduce(0) { sum, table in
                    try sum
                        + TestServer.run(
                            "SELECT FROM browser_sessions.\(table) WHERE profile = '\(name)'"
                        ).count
                }
            }

            /// How many owners this process is at the server.
            private func owners() throws -> Int {
                try TestServer.run(
                    "SELECT FROM browser_sessions.owners WHERE process = \(getpid())"
                ).count
            }

            private func fill(_ backend: StorageBackend, _ place: StorageConfiguration? = nil)
                async throws
            {
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

            private func requireNothing(of name: String? = nil) async throws {
                #expect(try rows(of: name) == 0)
                var configuration = configuration
                if let name {
                    configuration.location = try TestServer.location(profile: name)
                }
                configuration.options["create"] = .bool(false)
                let error = await failure { [configuration] () throws(StorageError) in
                    _ = try await one.open(configuration)
                }
                #expect(error?.code == .notFound)
            }

            @Test func everythingGoes() async throws {
                let keys = CountedKeys()
                let backend = StorageBackend.postgreSQL(incognitoKeys: keys)
                let before = try owners()
                try await fill(backend)
                #expect(try rows() > 5 && keys.count == 1)
                #expect(try await backend.remove(configuration))
                #expect(keys.count == 0)
                try await requireNothing()
                #expect(try owners() == before)
                #expect(try await !backend.remove(configuration))
                try await requireNothing()
                let again = try await backend.open(configuration)
                #expect(try await again.sessions() == [])
                #expect(try await again.save(tabs: 2).sequence == 1)
                try await again.close()
                #expect(try await other.remove(configuration))
                try await requireNothing()
            }

            /// The blocking call does the same.
            @Test func onAThread() async throws {
                try await fill(one)
                let (backend, configuration) = (one, configuration)
                let wasThere = await withCheckedContinuation { waiting in
                    Thread.detachNewThread {
                        waiting.resume(returning: try? backend.removeBlocking(configuration))
                    }
                }
                #expect(wasThere == true)
                try await requireNothing()
            }

            @Test func oneThatSomebodyHas() async throws {
                let store = try await one.open(configuration)
                try await store.save(tabs: 3)
                let before = try rows()
                for backend in [one, other] {
                    let error = await failure { () throws(StorageError) in
                        try await backend.remove(configuration)
                    }
                    #expect(error?.code == .locked && error?.operation == "remove")
                    #expect(error?.message.contains("process \(getpid()) on ") == true)
                }
                #expect(try rows() == before)
                #expect(try await store.tabs() == 3)
                try await store.save(tabs: 4)
                try await store.close()
                #expect(try await other.remove(configuration))
            }

            /// Whoever had the profile and was replaced brings nothing back.
            @Test func thePreviousOwnerIsFenced() async throws {
                let first = try await one.open(configuration)
                try await first.save(tabs: 3)
                try TestServer.takeOver(configuration.location)
                #expect(try await other.remove(configuration))
                for call in [Call.save, .restore, .close] {
                    let error = await failure { () throws(StorageError) in
                        try await call.make(of: first)
                    }
                    #expect(error?.code == .fenced)
                }
                try await requireNothing()
            }

            /// A new profile of the same name is not the one that an old owner knew.
            @Test func thePreviousOwnerOfANewOne() async throws {
                let first = try await one.open(configuration)
                try await first.save(tabs: 3)
                try TestServer.takeOver(configuration.location)
                #expect(try await other.remove(configuration))
                let second = try await other.open(configuration)
                try await second.save(tabs: 1)
                let error = await failure { () throws(StorageError) in
                    try await first.save(tabs: 5)
                }
                #expect(error?.code == .fenced)
                #expect(try await second.tabs() == 1)
                try await second.close()
                #expect(try await one.remove(configuration))
            }

            @Test func twoAtOnce() async throws {
                for _ in 0..<8 {
                    try await fill(one)
                    let found = await withTaskGroup(of: Result<Bool, StorageError>.self) { group in
                        for backend in [one, other, one, other] {
                            group.addTask { [configuration] in
                                do throws(StorageError) {
                                    return .success(try await backend.remove(configuration))
                                } catch { return .failure(error) }
                            }
                        }
                        return await group.reduce(into: []) { $0.append($1) }
                    }
                    var removed = 0
                    for result in found {
                        switch result {
                        case .success(let wasThere): removed += wasThere ? 1 : 0
                        case .failure(let error): #expect(error.code == .locked, "\(error)")
                        }
                    }
                    #expect(removed == 1)
                    try await requireNothing()
                }
            }

            @Test func aKeyThatIsNotHere() async throws {
                let keys = CountedKeys()
                let backend = StorageBackend.postgreSQL(incognitoKeys: keys)
                try await fill(backend)
                let before = try rows()
                let error = await failure { () throws(StorageError) in
                    try await one.remove(configuration)
                }
                #expect(error?.code == .keyUnavailable && error?.effect == .notApplied)
                #expect(error?.message.contains("'counted'") == true)
                #expect(try rows() == before && keys.count == 1)
                let store = try await backend.open(configuration)
                #expect(try await store.sessions().count == 2)
                try await store.close()
                // Deleting incognito gives it up.
                let opened = try await one.open(configuration)
                _ = await failure { () throws(StorageError) in try await opened.deleteIncognito() }
                try await opened.close()
                #expect(try await one.remove(configuration))
                try await requireNothing()
            }

            @Test func aUserWhoMayNot() async throws {
                let role = try Role("LOGIN PASSWORD 'x'")
                defer { role.drop() }
                try role.grantAll()
                try TestServer.run(
                    "REVOKE DELETE ON browser_sessions.profiles FROM \(role.name)")
                let place = StorageConfiguration(
                    location: try TestServer.location(user: role.name, profile: name),
                    options: ["password": .text("x")])
                try await fill(one)
                let before = try rows()
                let error = await failure { () throws(StorageError) in
                    try await other.remove(place)
                }
                #expect(error?.code == .permissionDenied, "\(error as Any)")
                // It counts as gone: whoever opens it ends that.
                #expect(error?.effect == .applied)
                #expect(try rows() == before)
                try TestServer.run("GRANT DELETE ON browser_sessions.profiles TO \(role.name)")
                #expect(try await other.remove(place))
                try await requireNothing()
            }

            @Test func aServerThatDoesNotAnswer() async throws {
                let proxy = try TestServer.proxy()
                var place = try TestServer.configuration(over: proxy, profile: name)
                place.options["timeout"] = .integer(1)
                try await fill(one)
                proxy.refuse(true)
                let error = await failure { [place] () throws(StorageError) in
                    try await one.remove(place)
                }
                #expect(error?.code == .unavailable && error?.effect == .notApplied)
                proxy.refuse(false)
                #expect(try await one.remove(place))
                try await requireNothing()
            }

            /// The row of an opener that made nothing goes, too.
            @Test func whatAnOpenerOfNothingLeft() async throws {
                try TestServer.run(
                    """
                    INSERT INTO browser_sessions.profiles (profile, epoch, token, opening, attempt)
                    VALUES ('\(name)', 7, gen_random_uuid(), gen_random_uuid(), 0)
                    """)
                #expect(try await !one.remove(configuration))
                try await requireNothing()
            }

            /// Wherever the connection is lost: the store is whole, or there is none for any opener.
            @Test(
                .enabled(if: TestServer.isSingle, "no single server"),
                arguments: CuttingProxy.Direction.allCases)
            func cutAnywhere(direction: CuttingProxy.Direction) async throws {
                let proxy = try TestServer.proxy()
                let keys = CountedKeys()
                let backend = StorageBackend.postgreSQL(incognitoKeys: keys)
                var (uncut, removed, kept) = (0, 0, 0)
                // waits: until three removals in a row were not cut
                for count in 0... {
                    let place = try TestServer.configuration(over: proxy)
                    let name = TestServer.name(of: place.location)
                    try await fill(
                        backend,
                        StorageConfiguration(
                            location: TestServer.location(profile: name)))
                    let before = proxy.counts.cuts
                    proxy.cut(direction, after: count, .messages)
                    var failure: StorageError?
                    do throws(StorageError) {
                        #expect(try await backend.remove(place))
                        removed += 1
                    } catch { failure = error }
                    proxy.cutNothing()
                    if let failure {
                        #expect(failure.code == .unavailable, "\(count): \(failure)")
                        kept += 1
                        var there = place
                        there.options["create"] = .bool(false)
                        do throws(StorageError) {
                            let store = try await backend.open(there)
                            #expect(try await store.sessions().count == 2, "\(count)")
                            #expect(try await store.check().isHealthy)
                            try await store.close()
                            #expect(try await backend.remove(place))
                        } catch {
                            #expect(error.code == .notFound, "\(count): \(error)")
                            #expect(failure.effect != .notApplied)
                        }
                    }
                    try await requireNothing(of: name)
                    uncut = proxy.counts.cuts > before ? 0 : uncut + 1
                    if uncut == 3 { break }
                }
                #expect(removed > 3 && kept > 0)
                #expect(keys.count == 0)
            }
        }
    }

    /// A key store that other programs do not know, and whose keys can be counted.
    private final class CountedKeys: IncognitoKeyStore {
        private let keys = Mutex<[IncognitoKeyID: [UInt8]]>([:])

        var count: Int { keys.withLock(\.count) }
        var name: String { "counted" }
        var survives: Durability { .memory }
        var keepsKeysInStore: Bool { false }

        func save(_ key: [UInt8], for id: IncognitoKeyID, of store: (any FileDirectory)?) {
            keys.withLock { $0[id] = key }
        }

        func key(for id: IncognitoKeyID, of store: (any FileDirectory)?) -> [UInt8]? {
            keys.withLock { $0[id] }
        }

        func destroy(_ id: IncognitoKeyID, of store: (any FileDirectory)?) {
            keys.withLock { $0[id] = nil }
        }
    }
#endif
