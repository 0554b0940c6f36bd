#if PostgreSQL
    import BrowserSessions
    @testable import PostgreSQLBackend
    import Expectations

    extension ServerTests {
        /// What the server knows of processes that have profiles, and how it finds them.
        @Suite("owners", .timeLimit(.minutes(10)))
        struct OwnerTests {
            private let profile: RemovableProfile
            private var configuration: StorageConfiguration { profile.configuration }
            private let one = StorageBackend.postgreSQL
            private let other = StorageBackend.postgreSQL

            init() throws { profile = try RemovableProfile() }

            /// A process is at the server as long as it has something open there.
            @Test func ownersThatLeave() async throws {
                let before = try RemovableProfile.owners()
                var second = configuration
                second.location = try TestServer.location()
                let first = try await one.open(configuration)
                let other = try await one.open(second)
                expect(try RemovableProfile.owners() == before + 1)
                try await first.close()
                expect(try RemovableProfile.owners() == before + 1)
                expect(try await other.save(tabs: 2).sequence == 1)
                try await other.close()
                expect(try RemovableProfile.owners() == before)
                let again = try await one.open(configuration)
                expect(try RemovableProfile.owners() == before + 1)
                expect(await self.other.refusal(of: configuration)?.code == .locked)
                try await again.close()
                expect(try RemovableProfile.owners() == before)
                for place in [configuration, second] { try await one.remove(place) }
                expect(try RemovableProfile.owners() == before)
            }

            /// A look takes nothing from the owner, makes none, and sees one moment.
            @Test func looksBesideTheOwner() async throws {
                var looking = configuration
                looking.options["access"] = .text(StorageAccess.readOnly.rawValue)
                let absent = looking
                expect(await self.other.refusal(of: absent)?.code == .notFound)
                let first = try await one.open(configuration)
                try await first.save(tabs: 2)
                try await first.close()
                let owner = try await one.open(configuration)
                try await owner.save(tabs: 3)
                let owners = try RemovableProfile.owners()
                let view = try await other.open(looking)
                expect(try RemovableProfile.owners() == owners)
                expect(try await view.sessions() == [Samples.id])
                try await owner.save(tabs: 4)
                expect(try await view.summaries().map(\.tabCount) == [3])
                expect(try await view.restoreEarlier(Samples.id)?.tabs.count == 2)
                try await view.close()
                expect(try await owner.summaries().map(\.tabCount) == [4])
                try await owner.close()
                try await one.remove(configuration)
            }

            /// What looks for the profiles of an owner looks at no others.
            @Test func profilesAreFoundByTheirOwner() throws {
                let id = "gen_random_uuid()"
                try TestServer.run(
                    """
                    INSERT INTO browser_sessions.profiles
                        (profile, epoch, token, owner, opening, attempt)
                    SELECT '\(profile.name)-' || n, 1, \(id), \(id), \(id), 0 FROM generate_series(1, 2000) n;
                    ANALYZE browser_sessions.profiles
                    """)
                defer {
                    _ = try? TestServer.run(
                        "DELETE FROM browser_sessions.profiles WHERE profile LIKE '\(profile.name)-%'"
                    )
                }
                let connection = try TestServer.connection()
                let null = "'00000000-0000-0000-0000-000000000000'::uuid"
                for statement in [PostgreSQLStatement.giveUp, .leave, .sweep] {
                    let text = statement.text.replacing("$1", with: null)
                        .replacing("$2", with: "ARRAY[\(null)]")
                    let plan = try connection.run("EXPLAIN \(text)")
                    let lines = (0..<plan.count).compactMap { plan.text($0, 0) }
                    expect(
                        lines.contains { $0.contains("profiles_owner") },
                        "\(statement.name): \(lines)")
                }
            }
        }
    }
#endif
