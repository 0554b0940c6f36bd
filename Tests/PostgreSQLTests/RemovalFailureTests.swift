#if PostgreSQL
    import BrowserSessions
    import ChildProcesses
    import Foundation
    @testable import PostgreSQLBackend
    import StorageConformance
    import TestSupport
    import Expectations

    extension ServerTests {
        /// Removals that do not come to their end: the profile is whole, or there is none for any opener.
        @Suite("removals that fail", .timeLimit(.minutes(10)))
        struct RemovalFailureTests {
            private let profile: RemovableProfile
            private var configuration: StorageConfiguration { profile.configuration }
            private let one = StorageBackend.postgreSQL
            private let other = StorageBackend.postgreSQL

            init() throws { profile = try RemovableProfile() }

            @Test func aUserWhoMayNot() async throws {
                let role = try Role("LOGIN PASSWORD 'x'")
                defer { role.drop() }
                try role.grantAll()
                try TestServer.run(
                    "REVOKE DELETE ON browser_sessions.profiles FROM \(role.name)")
                let place = StorageConfiguration(
                    location: try TestServer.location(user: role.name, profile: profile.name),
                    options: ["password": .text("x")])
                try await profile.fill(one)
                let before = try profile.rows()
                let error = await failure { () throws(StorageError) in
                    try await other.remove(place)
                }
                expect(error?.code, is: .permissionDenied, "\(error as Any)")
                // It counts as gone: the next opener ends the removal.
                expect(error?.effect, is: .applied)
                expect(try profile.rows() == before)
                try TestServer.run("GRANT DELETE ON browser_sessions.profiles TO \(role.name)")
                expect(try await other.remove(place))
                try await profile.requireNothing()
            }

            @Test func aServerThatDoesNotAnswer() async throws {
                let proxy = try TestServer.proxy()
                var place = try TestServer.configuration(over: proxy, profile: profile.name)
                place.options["timeout"] = .integer(1)
                try await profile.fill(one)
                proxy.refuse(true)
                let error = await failure { [place] () throws(StorageError) in
                    try await one.remove(place)
                }
                expect(error?.code == .unavailable && error?.effect == .notApplied)
                proxy.refuse(false)
                expect(try await one.remove(place))
                try await profile.requireNothing()
            }

            /// A process that is killed while the server does it: the profile is gone, or it goes when
            /// somebody opens it.
            @Test(arguments: [false, true])
            func aProcessThatIsKilled(isOpenedNext: Bool) async throws {
                let store = try await one.open(configuration)
                try await store.save(tabs: 3)
                try await store.close()
                let holder = try TestServer.connection()
                _ = try holder.run("BEGIN; LOCK TABLE browser_sessions.chunks IN SHARE MODE")
                let program = try RunningProgram(
                    [
                        BuiltProgram.named("sessionctl").path, "remove", "--yes", "--storage",
                        "postgresql:\(configuration.location)",
                    ], output: .nothing, messages: .nothing)
                try TestServer.wait(
                    until: """
                        EXISTS (SELECT FROM pg_stat_activity
                        WHERE cardinality(pg_blocking_pids(pid)) > 0)
                        """)
                expect(program.kill(), is: .signal(SIGKILL))
                expect(try profile.rows() > 0)
                _ = try holder.run("COMMIT")
                if isOpenedNext {
                    let store = try await one.open(configuration)
                    expect(try await store.sessions() == [])
                    try await store.close()
                    expect(try await one.remove(configuration))
                } else {
                    _ = try await one.remove(configuration)
                }
                try await profile.requireNothing()
            }

            /// Wherever the connection is lost: the store is whole, or there is none for any opener.
            @Test(
                .enabled(if: TestServer.isSingle, "no single server"),
                arguments: WireWay.allCases)
            func cutAnywhere(way: WireWay) async throws {
                let proxy = try TestServer.proxy()
                let keys = HostKeys(survives: .memory)
                let backend = StorageBackend.postgreSQL(incognitoKeys: keys)
                var (uncut, removed, kept, whole) = (0, 0, 0, 0)
                // waits: until three removals in a row were not cut
                for count in stride(from: 0, to: .max, by: TestRun.isNightly ? 7 : 60) {
                    let place = try TestServer.configuration(over: proxy)
                    let name = TestServer.name(of: place.location)
                    let profile = try RemovableProfile(named: name)
                    // A key stays that was made for another address.
                    try await profile.fill(backend, at: place)
                    let before = proxy.traffic.cuts
                    proxy.cut(way, after: count)
                    var failure: StorageError?
                    do throws(StorageError) {
                        expect(try await backend.remove(place))
                        removed += 1
                    } catch { failure = error }
                    proxy.cutNothing()
                    if let failure {
                        expect(failure.code, is: .unavailable, "\(count): \(failure)")
                        kept += 1
                        var there = place
                        there.options["create"] = .bool(false)
                        do throws(StorageError) {
                            let store = try await backend.open(there)
                            expect(try await store.sessions().count == 2, "\(count)")
                            expect(try await store.check().isHealthy)
                            try await store.close()
                            expect(try await backend.remove(place))
                            whole += 1
                        } catch {
                            expect(error.code, is: .notFound, "\(count): \(error)")
                            expect(failure.effect != .notApplied)
                        }
                    }
                    try await profile.requireNothing()
                    uncut = proxy.traffic.cuts > before ? 0 : uncut + 1
                    if uncut == 3 { break }
                }
                // Some lost answers are those of a removal that was done. Whether what is sent behind
                // one is lost depends on what else the process sends to the server.
                expect(removed > (way == .received ? 3 : 2))
                expect(kept > 0 && whole > 0)
                expect(keys.keys.count, is: 0)
            }
        }
    }
#endif
