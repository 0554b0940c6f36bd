#if PostgreSQL
    import BrowserSessions
    @testable import PostgreSQLBackend
    import TestSupport
    import Testing

    extension ServerTests {
        /// Connections that are cut: what was answered is there, and what was not is there as a whole or not
        /// at all.
        @Suite("lost connections", .enabled(if: TestServer.isSingle, "no single server"))
        struct LostConnectionTests {
            typealias Direction = CuttingProxy.Direction
            typealias Unit = CuttingProxy.Unit

            private let direct = StorageBackend.postgreSQL

            /// All of a store's life: it is opened, saved, restored and closed.
            @Test(arguments: Direction.allCases, Unit.allCases)
            func cutAnywhere(direction: Direction, unit: Unit) async throws {
                let proxy = try TestServer.proxy()
                let step = unit == .messages || TestRun.isNightly ? 1 : 173
                var (uncut, saved, cuts) = (0, 0, 0)
                // waits: until three lives in a row were not cut
                for count in stride(from: 0, to: .max, by: step) {
                    let configuration = try TestServer.configuration(over: proxy)
                    let setUp = try await direct.open(
                        at: TestServer.name(of: configuration.location))
                    try await setUp.save(tabs: 3)
                    try await setUp.close()
                    let before = proxy.counts.cuts
                    var last = 3
                    var opened: (any SessionStorage)?
                    let backend = StorageBackend.postgreSQL
                    proxy.cut(direction, after: count, unit)
                    do throws(StorageError) {
                        let store = try await backend.open(configuration)
                        opened = store
                        let receipt = try await store.save(tabs: 5)
                        #expect(receipt.sequence == 2 && !receipt.wasAlreadyApplied)
                        last = 5
                        saved += 1
                        #expect(try await store.tabs() == 5)
                        try await store.close()
                    } catch {
                        #expect(error.code == .unavailable && last == 3, "\(count): \(error)")
                        try? await opened?.close()
                    }
                    opened = nil
                    proxy.cutNothing()
                    // At once, in the same process: what was given up is not in the way.
                    let again = try await backend.open(configuration)
                    let found = try #require(try await again.restore(Samples.id))
                    #expect(found.tabs.count == last && found.provenance == .intact, "\(count)")
                    #expect(try await again.check().isHealthy)
                    try await again.close()
                    let wasCut = proxy.counts.cuts > before
                    cuts += wasCut ? 1 : 0
                    uncut = wasCut ? 0 : uncut + 1
                    if uncut == 3 { break }
                }
                #expect(saved > 3 && cuts > 5)
            }

            /// A save alone, over a connection that knows its statements: each is applied once, whatever is
            /// cut, as the next connection tells what became of it.
            @Test(arguments: Direction.allCases, Unit.allCases)
            func cutWithinASave(direction: Direction, unit: Unit) async throws {
                let proxy = try TestServer.proxy()
                let configuration = try TestServer.configuration(over: proxy)
                let store = try await StorageBackend.postgreSQL.open(configuration)
                let isCoarse = unit == .bytes && direction == .sent && !TestRun.isNightly
                var sequence = try await store.save(tabs: 6).sequence
                var (uncut, cuts) = (0, 0)
                // waits: until three saves in a row were not cut
                for count in stride(from: 0, to: .max, by: isCoarse ? 19 : 1) {
                    let tabs = 1 + count % 6
                    let before = proxy.counts.cuts
                    proxy.cut(direction, after: count, unit)
                    let receipt = try await store.save(tabs: tabs)
                    proxy.cutNothing()
                    sequence += 1
                    #expect(receipt.sequence == sequence && !receipt.wasAlreadyApplied, "\(count)")
                    #expect(try await store.tabs() == tabs, "\(count)")
                    let wasCut = proxy.counts.cuts > before
                    cuts += wasCut ? 1 : 0
                    uncut = wasCut ? 0 : uncut + 1
                    if uncut == 3 { break }
                }
                #expect(cuts > (unit == .bytes ? 20 : 2))
                #expect(try await store.check().isHealthy)
                try await store.close()
            }

            /// A store that is made: it is there, or it can be made again.
            @Test(arguments: Direction.allCases)
            func cutWhileAStoreIsMade(direction: Direction) async throws {
                let proxy = try TestServer.proxy()
                var (uncut, made) = (0, 0)
                for count in 0... {
                    let configuration = try TestServer.configuration(over: proxy)
                    let backend = StorageBackend.postgreSQL
                    let before = proxy.counts.cuts
                    proxy.cut(direction, after: count, .messages)
                    do throws(StorageError) {
                        let store = try await backend.open(configuration)
                        made += 1
                        try await store.close()
                    } catch { #expect(error.code == .unavailable, "\(count): \(error)") }
                    proxy.cutNothing()
                    let again = try await backend.open(configuration)
                    #expect(try await again.save(tabs: 3).sequence == 1)
                    #expect(try await again.check().isHealthy)
                    try await again.close()
                    uncut = proxy.counts.cuts > before ? 0 : uncut + 1
                    if uncut == 3 { break }
                }
                #expect(made > 3)
            }

            /// An opening that lost its connection holds nothing: not for its process, and for others no
            /// longer than until its process can tell.
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
                    count += 1
                    backend = StorageBackend.postgreSQL(lease: .seconds(3))
                    proxy.cut(.sent, after: count, .messages)
                    let error = await failure { [backend] () throws(StorageError) in
                        _ = try await backend.open(configuration)
                    }
                    #expect(error?.code == .unavailable)
                }
                try TestServer.wait(
                    until: "NOT \(isHeld) OR \(isHeld.dropLast()) AND owner IS NULL)")
                let other = try await direct.open(at: name)
                try await other.close()
            }

            @Test func cutWithinScansAndLargeValues() async throws {
                let proxy = try TestServer.proxy()
                let configuration = try TestServer.configuration(over: proxy)
                let (tabs, states, large) = (6000, 100, 1 << 20)
                let setUp = try await direct.open(at: TestServer.name(of: configuration.location))
                try await setUp.save(tabs: tabs, of: tabs)
                var changes = SessionChanges()
                for number in 0..<states {
                    changes.put(Samples.blob(number, bytes: 3000), for: Samples.state(number))
                }
                changes.put(Samples.blob(7, bytes: large), for: Samples.state(200))
                _ = try await setUp.save(changes)
                try await setUp.close()

                let backend = StorageBackend.postgreSQL
                // Cut at places from the first byte to the last, each in a call that reads so much.
                let places = [0, 1, 4096, 70_000, 131_072, 300_000, 500_000, 700_000, 1_000_000]
                var cutOpenings = 0
                for place in places {
                    proxy.cut(.received, after: place, .bytes)
                    do throws(StorageError) {
                        try await backend.open(configuration).close()
                    } catch {
                        #expect(error.code == .unavailable, "\(place): \(error)")
                        cutOpenings += 1
                    }
                    proxy.cutNothing()
                }
                #expect(cutOpenings > 5)
                let store = try await backend.open(configuration)
                for place in places {
                    try await cut(proxy, .received, after: place) {
                        #expect(try await store.tabs() == tabs)
                        let found = try await store.state(of: Samples.state(200))
                        #expect(found == Samples.blob(7, bytes: large))
                    }
                    try await cut(proxy, .received, after: place / 4) {
                        #expect(try await store.check().isHealthy)
                        let keys = (0..<states).map(Samples.state)
                        let found = try await store.state(of: keys)
                        #expect(found.count == states)
                        #expect(found[Samples.state(9)] == Samples.blob(9, bytes: 3000))
                    }
                }
                try await store.close()
            }

            /// Does something while the connection is cut, as it must be.
            private func cut(
                _ proxy: CuttingProxy, _ direction: Direction, after bytes: Int,
                _ work: () async throws -> Void
            ) async throws {
                let before = proxy.counts.cuts
                proxy.cut(direction, after: bytes, .bytes)
                try await work()
                proxy.cutNothing()
                #expect(proxy.counts.cuts == before + 1, "\(bytes)")
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
