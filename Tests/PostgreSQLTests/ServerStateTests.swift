#if PostgreSQL
    import BrowserSessions
    import ChildProcesses
    import Foundation
    @testable import PostgreSQLBackend
    import Synchronization
    import TestSupport
    import Expectations

    /// Servers that are restarted, or not set up as a store needs it.
    @Suite(
        "servers of their own", .serialized,
        .enabled(if: OwnServer.isPossible, "no script for servers"),
        .timeLimit(.minutes(10)))
    struct ServerStateTests {
        /// Between and within saves: nothing that was acknowledged is lost, nothing is there twice.
        @Test func aServerThatIsRestarted() async throws {
            let server = try OwnServer()
            let backend = StorageBackend.postgreSQL
            let configuration = server.configuration()
            try await backend.prepare(configuration)
            let store = try await backend.open(configuration)
            var log = SaveLog()
            for turn in 0..<TestRun.amount(4, nightly: 12) {
                let kinds =
                    turn < 2 ? OwnServer.Stop.allCases : OwnServer.Stop.allCases.reversed()
                await log.save(in: store)
                try server.restart(kinds[turn % 2])
                expect(try await store.tabs() == log.tabs)
                let isDone = Atomic(false)
                async let restarted: Void = {
                    defer { isDone.store(true, ordering: .releasing) }
                    try server.restart(kinds[1 - turn % 2])
                }()
                // waits: each turn saves, until the server is there again
                while !isDone.load(ordering: .acquiring) { await log.save(in: store) }
                try await restarted
                expect(await log.save(in: store))
                expect(try await store.tabs() == log.tabs)
            }
            expect(try await store.check().isHealthy)
            try await store.close()
        }

        /// A server that keeps less than a store promises is refused, by the name of the setting:
        /// at openings, and with the next save of a store that is open.
        @Test(arguments: ["fsync", "full_page_writes"])
        func aServerThatKeepsTooLittle(setting: String) async throws {
            let server = try OwnServer()
            let backend = StorageBackend.postgreSQL
            try await backend.prepare(server.configuration())
            let store = try await backend.open(server.configuration())
            try await store.save(tabs: 3)
            try server.set(setting, to: "off")
            for error in [
                await failure { () throws(StorageError) in try await store.save(tabs: 1) },
                await backend.refusal(of: server.configuration()),
                await StorageBackend.postgreSQL.refusal(of: server.configuration()),
            ] {
                expect(error?.code == .unsupported && error?.effect == .notApplied)
                expect(error?.message.contains("\(setting) = off"), is: true)
            }
            expect(try await store.tabs() == 3)
            let weaker = try await backend.open(server.configuration(keeping: "processCrash"))
            expect(try await weaker.save(tabs: 1).durability == .processCrash)
            try server.set(setting, to: "on")
            expect(try await store.save(tabs: 5).durability == .powerLoss)
        }

        /// Whatever is set for all, the database and the role, and whenever: saves wait for the
        /// server's disk.
        @Test func commitsThatAreToWaitForNothing() async throws {
            let server = try OwnServer()
            try server.set("wal_writer_delay", to: "10s")
            let backend = StorageBackend.postgreSQL
            try await backend.prepare(server.configuration())
            var stores: [any SessionStorage] = []
            for turn in 1...2 {
                for durability in ["powerLoss", "processCrash"] {
                    let configuration = server.configuration(keeping: durability)
                    stores.append(try await backend.open(configuration))
                }
                if turn == 2 { break }
                for place in ["DATABASE sessions", "ROLE sessions"] {
                    let change = "ALTER \(place) SET synchronous_commit = off"
                    try TestServer.run(change, at: server.admin)
                }
                try server.set("synchronous_commit", to: "off")
            }
            for (number, store) in stores.enumerated() {
                // The first ones may wake the server's writer.
                for turn in 1...20 { try await store.save(tabs: 1 + turn % 5) }
                try server.restart(.immediate)
                expect(try await store.tabs() == 1, "\(number)")
            }
        }

        /// A standby that is given up while a save waits for it has not confirmed the save.
        @Test func aStandbyThatIsGivenUp() async throws {
            let server = try OwnServer()
            let backend = StorageBackend.postgreSQL
            try await backend.prepare(server.configuration())
            let names = "synchronous_standby_names"
            let folder = TemporaryFolder()
            var standby = try server.standby(in: folder)
            try server.set(names, to: "*")
            let store = try await backend.open(server.configuration(keeping: "replicated"))
            try await store.save(tabs: 3)
            try server.set("synchronous_commit", to: "local")
            standby.kill()
            async let waiting = failure { () throws(StorageError) in
                try await store.save(tabs: 5)
            }
            let isWaiting = "wait_event = 'SyncRep' AND query LIKE '%SET revision%'"
            try TestServer.wait(
                until: "EXISTS (SELECT FROM pg_stat_activity WHERE \(isWaiting))",
                at: server.admin)
            try server.set(names, to: "")
            let error = await waiting
            expect(error?.code == .unsupported && error?.effect == .indeterminate)
            expect(error?.message.contains(names), is: true)
            let configuration = server.configuration(keeping: "replicated")
            let refused = await StorageBackend.postgreSQL.refusal(of: configuration)
            expect(refused?.code == .unsupported && refused?.message.contains(names) == true)
            try server.set(names, to: "*")
            standby = try server.standby(in: folder)
            expect(try await store.tabs() == 5)
            expect(try await store.save(tabs: 4).durability == .replicated)
            // Between saves it is found before anything is applied.
            try server.set(names, to: "")
            let next = await failure { () throws(StorageError) in try await store.save(tabs: 1)
            }
            expect(next?.code == .unsupported && next?.effect == .notApplied)
            expect(try await store.tabs() == 4)
            standby.kill()
        }

        /// Its standbys did not confirm, and an administrator ended the wait for them: the server
        /// warns, and a warning is no acknowledgement.
        @Test func aWaitForStandbysThatIsEndedByHand() async throws {
            let server = try OwnServer()
            let configuration = server.configuration()
            try await StorageBackend.postgreSQL.prepare(configuration)
            let store = try await StorageBackend.postgreSQL.open(configuration)
            try await store.save(tabs: 3)
            try server.set("synchronous_standby_names", to: "absent")
            // The first may come before the server minds the setting.
            let isSeen = Atomic(false)
            async let last = {
                var tabs = 5
                // waits: each turn saves, until one has waited
                repeat {
                    tabs = 9 - tabs
                    try await store.save(tabs: tabs)
                } while !isSeen.load(ordering: .acquiring)
                return tabs
            }()
            let waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE"
            try TestServer.wait(
                until: "EXISTS (SELECT \(waiting) '%SET revision%')", at: server.admin)
            try TestServer.run(
                "SELECT pg_cancel_backend(pid) \(waiting) '%SET revision%'", at: server.admin)
            // It asks, in a commit of its own that waits as well.
            try TestServer.wait(
                until: "EXISTS (SELECT \(waiting) '%attempt =%')", at: server.admin)
            isSeen.store(true, ordering: .releasing)
            try server.set("synchronous_standby_names", to: "")
            let tabs = try await last
            expect(
                try TestServer.run(
                    "SELECT attempt > 0 FROM browser_sessions.profiles", at: server.admin)
                    == ["t"])
            expect(try await store.tabs() == tabs)
            try await store.close()
        }

        /// The server asks for a password, libpq finds it in any of its places, and no message has it.
        @Test func passwords() async throws {
            let server = try OwnServer(withPasswords: true)
            let configuration = server.configuration()
            try await StorageBackend.postgreSQL.prepare(configuration)
            let file = try String(contentsOfFile: server.passwordFile ?? "", encoding: .utf8)
            let line = try require(file.split(separator: "\n").last)
            let password = String(try require(line.split(separator: ":").last))
            var given = configuration
            given.options = ["password": .text(password)]
            var inURL = given
            inURL.options = [:]
            inURL.location = inURL.location.replacing(
                "sessions@", with: "sessions:\(password)@", maxReplacements: 1)
            for right in [configuration, given, inURL] {
                let store = try await StorageBackend.postgreSQL.open(right)
                try await store.save(tabs: 1)
                expect(!Secrets.isRevealed(password, by: store, right))
                try await store.close()
            }
            for number in 0..<4 {
                var wrong = number < 2 ? given : inURL
                let text = number % 2 == 0 ? "wr0ng+secret" : "wr0ng'secret"
                wrong.options["password"] = .text(text)
                if number >= 2 {
                    wrong.options = [:]
                    wrong.location = wrong.location.replacing(password, with: "wr0ng+secret")
                }
                let error = await StorageBackend.postgreSQL.refusal(of: wrong)
                expect(error?.code, is: .permissionDenied)
                expect(error?.message.contains("28P01"), is: true)
                expect(!Secrets.isRevealed("secret", by: error as Any, nil))
                expect(!Secrets.isRevealed(password, by: error as Any, nil))
            }
            var none = configuration
            none.options = ["passfile": .text("/dev/null")]
            let error = await StorageBackend.postgreSQL.refusal(of: none)
            expect(error?.code, is: .permissionDenied)
        }
    }

    /// What saves were answered while a server came and went.
    private struct SaveLog {
        /// Of the last save that was acknowledged.
        private(set) var tabs = 0
        private var sequence: UInt64 = 0
        /// Saves since then with an unknown outcome.
        private var unknown: UInt64 = 0
        private var turn = 0

        /// Saves once; returns whether it was acknowledged.
        @discardableResult
        mutating func save(in store: any SessionStorage) async -> Bool {
            turn += 1
            let next = 1 + turn % 6
            do throws(StorageError) {
                let receipt = try await store.save(tabs: next)
                expect((sequence + 1...sequence + 1 + unknown).contains(receipt.sequence))
                (sequence, unknown, tabs) = (receipt.sequence, 0, next)
                return true
            } catch {
                expect(error.code, is: .unavailable, "\(error)")
                if error.effect == .indeterminate { unknown += 1 }
                return false
            }
        }
    }

    /// Looks for a text in whatever people may come to see.
    enum Secrets {
        static func isRevealed(
            _ secret: String, by value: Any, _ configuration: StorageConfiguration?
        ) -> Bool {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            if let configuration {
                let meanings = StorageBackend.postgreSQL.meanings(configuration)
                text += meanings.values.joined(separator: " ")
                if let address = try? PostgreSQLAddress(configuration) {
                    text += "\(address) \(String(reflecting: address))"
                    dump(address, to: &text)
                }
            }
            return text.contains(secret)
        }
    }
#endif
