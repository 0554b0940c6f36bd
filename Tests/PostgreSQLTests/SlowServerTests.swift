#if PostgreSQL
    import BrowserSessions
    @testable import PostgreSQLBackend
    import StorageConformance
    import StorageEngines
    import Expectations

    extension ServerTests {
        /// Servers that answer late, or not at all.
        @Suite(
            "slow servers", .enabled(if: TestServer.isSingle, "no single server"),
            .timeLimit(.minutes(10)))
        struct SlowServerTests {
            /// When the question is asked what became of a write that lands after its connection was cut.
            enum Moment: CaseIterable { case before, during, after }

            private let proxy: LoopbackProxy
            private let configuration: StorageConfiguration

            init() throws {
                proxy = try TestServer.proxy()
                configuration = try TestServer.configuration(over: proxy)
            }

            private var name: String { TestServer.name(of: configuration.location) }

            private func backend(_ timeout: Duration, lease: Duration = .seconds(15))
                -> StorageBackend
            {
                .postgreSQL(16, lease, in: .patient(timeout))
            }

            @Test(arguments: Moment.allCases)
            func aWriteThatLandsLate(asked moment: Moment) async throws {
                let store = try await backend(.seconds(20)).open(configuration)
                try await store.save(tabs: 3)
                let holder = try RowLock(of: name)
                async let answer = Self.result { () async throws(StorageError) in
                    try await store.save(tabs: 5)
                }
                try holder.wait(forOthers: 1)
                if moment != .during { proxy.refuse(true) }
                proxy.loseClients()
                switch moment {
                case .before:
                    let error = await answer.failure
                    expect(error?.code == .unavailable && error?.effect == .indeterminate)
                    // The outcome is unknown yet, and the store does not guess.
                    let reading = await failure { () throws(StorageError) in
                        _ = try await store.tabs()
                    }
                    expect(reading?.code, is: .unavailable)
                    proxy.refuse(false)
                    try holder.release()
                case .during:
                    try holder.wait(forOthers: 2)
                    try holder.release()
                    expect(try await answer.get().sequence == 2)
                case .after:
                    let error = await answer.failure
                    expect(error?.code == .unavailable && error?.effect == .indeterminate)
                    let before = holder.revision
                    try holder.release()
                    try TestServer.wait(until: "\(holder.revisionNow) > \(before)")
                    proxy.refuse(false)
                }
                expect(try await store.tabs() == 5)
                expect(try await store.save(tabs: 4).sequence == 3)
                try await store.close()
                proxy.end()
                let again = try await StorageBackend.postgreSQL.open(at: name)
                expect(try await again.tabs() == 4)
                try await again.close()
            }

            /// A connection that hangs keeps neither others nor the lease.
            @Test func aLeaseIsRenewedAllTheSame() async throws {
                let store = try await backend(.seconds(20), lease: .milliseconds(900)).open(
                    configuration)
                try await store.save(tabs: 3)
                let holder = try RowLock(of: name)
                async let answer = Self.result { () async throws(StorageError) in
                    try await store.save(tabs: 5)
                }
                try holder.wait(forOthers: 1)
                let lease = """
                    (SELECT o.lease_until FROM browser_sessions.owners o
                    JOIN browser_sessions.profiles p USING (owner) WHERE p.profile = '\(name)')
                    """
                for _ in 1...3 {
                    let before = try require(try TestServer.run("SELECT \(lease)").first ?? nil)
                    try TestServer.wait(until: "\(lease) > '\(before)'")
                }
                try holder.release()
                expect(try await answer.get().sequence == 2)
                try await store.close()
            }

            /// An opening that the server was not done with when it was given up keeps nothing from others.
            @Test func anOpeningThatLandsLate() async throws {
                try await StorageBackend.postgreSQL.open(at: name).close()
                let holder = try RowLock(of: name)
                let backend = backend(.milliseconds(800), lease: .milliseconds(300))
                let error = await backend.refusal(of: configuration)
                expect(error?.code, is: .unavailable)
                try holder.release()
                try TestServer.wait(
                    until: """
                        (SELECT owner IS NULL FROM browser_sessions.profiles
                        WHERE profile = '\(name)')
                        """)
                let other = try await StorageBackend.postgreSQL.open(at: name)
                try await other.close()
            }

            private static func result<Success: Sendable>(
                _ work: () async throws(StorageError) -> Success
            ) async -> Result<Success, StorageError> {
                do throws(StorageError) {
                    return .success(try await work())
                } catch { return .failure(error) }
            }
        }
    }

    extension Result where Failure == StorageError {
        var failure: StorageError? {
            guard case .failure(let error) = self else { return nil }
            return error
        }
    }

    /// Holds the head of a profile, so that what would change it waits.
    final class RowLock: Sendable {
        private let connection: PostgreSQLConnection
        private let process: String
        let revisionNow: String
        let revision: Int64

        init(of profile: String) throws {
            connection = try TestServer.connection()
            _ = try connection.run("BEGIN")
            let rows = try connection.run(
                """
                SELECT revision, pg_backend_pid() FROM browser_sessions.profiles
                WHERE profile = '\(profile)' FOR UPDATE
                """)
            revision = rows.text(0, 0).flatMap { Int64($0) } ?? -1
            process = rows.text(0, 1) ?? ""
            revisionNow =
                "(SELECT revision FROM browser_sessions.profiles WHERE profile = '\(profile)')"
        }

        /// Returns when so many wait behind it, or behind each other.
        func wait(forOthers count: Int) throws {
            try TestServer.wait(
                until: """
                    (SELECT count(*) FROM pg_stat_activity
                    WHERE cardinality(pg_blocking_pids(pid)) > 0) = \(count)
                    """)
        }

        func release() throws { _ = try connection.run("COMMIT") }
    }
#endif
