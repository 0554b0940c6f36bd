#if PostgreSQL
    import BrowserSessions
    import Foundation
    @testable import PostgreSQLBackend
    import TestSupport
    import Expectations

    extension ServerTests {
        /// The programs leave nothing at a server.
        @Suite("programs", .timeLimit(.minutes(10)))
        struct ToolTests {
            private let url = TestServer.url ?? ""

            init() throws { try TestServer.isPrepared.get() }

            /// How many rows each table has, but for the owners that are this process.
            private func rows() throws -> [String] {
                var counts: [String] = []
                for table in ["profiles", "records", "chunks", "owners"] {
                    let own = table == "owners" ? " WHERE process <> \(getpid())" : ""
                    let text = "SELECT count(*) FROM browser_sessions.\(table)\(own)"
                    counts.append("\(table): \(try TestServer.run(text)[0] ?? "")")
                }
                return counts
            }

            @Test func storagebench() throws {
                let (before, folder) = (try rows(), TemporaryFolder())
                let (status, text) = try BuiltProgram.run(
                    "storagebench",
                    [
                        "--storage", url, "--tabs", "10", "--samples", "3",
                        "--folder", folder.path, "--workloads",
                        "save-one-tab,restore,profile-restore,profile-save-new,rewrite-without-rest,"
                            + "collapse-group,move-group",
                    ])
                expect(status, is: 0, "\(text)")
                expect(try rows() == before)
            }

            /// Processes that are killed may leave that they were there, and nothing else.
            @Test(arguments: ["SAVE,CLOSE", "INCOGNITO,CRASH"])
            func storagecheck(groups: String) throws {
                let before = try rows()
                let (status, text) = try BuiltProgram.run(
                    "storagecheck",
                    [
                        "--storage", url, "--group", groups, "--depth", "quick",
                        "--minimum-graded", "10",
                    ])
                expect(status, is: 0, "\(text)")
                let count = groups.contains("CRASH") ? 3 : 4
                expect(try rows().prefix(count) == before.prefix(count))
            }

            /// What can be done about a loss does not look only, as the command does that names it.
            @Test func advice() async throws {
                let profile = try RemovableProfile()
                let place = "postgresql:\(profile.configuration.location)"
                let store = "\(place)?incognitoKeys=memory"
                let (status, text) = try BuiltProgram.run(
                    "sessionctl",
                    ["import", "Tests/SessionInteropTests/Fixtures/Sample", "--storage", store])
                expect(status, is: 0, "\(text)")
                let (found, message) = try BuiltProgram.run(
                    "sessionctl", ["list", "--storage", store])
                expect(found, is: 1, "\(message)")
                expect(message.contains("sessionctl delete-incognito 'postgresql:"), "\(message)")
                expect(message.contains("?incognitoKeys=memory'"), "\(message)")
                expect(!message.contains("access="), "\(message)")
                let (removed, words) = try BuiltProgram.run(
                    "sessionctl", ["remove", "--yes", "--storage", place])
                expect(removed, is: 0, "\(words)")
            }

            /// What a repair set aside is in records of the profile.
            @Test func quarantine() async throws {
                let profile = try RemovableProfile()
                let store = "postgresql:\(profile.configuration.location)?incognitoKeys=memory"
                func run(_ arguments: String...) throws -> (Int32, String) {
                    try BuiltProgram.run("sessionctl", arguments + ["--storage", store])
                }
                let open = try await StorageBackend.postgreSQL.open(profile.configuration)
                _ = try await open.save(Samples.window(tabs: 4))
                try await open.close()
                expect(try run("quarantine").1 == "nothing was set aside\n")
                // The last byte of the text of an address.
                _ = try TestServer.run(
                    """
                    UPDATE browser_sessions.records SET value = overlay(value PLACING 'x'::bytea
                    FROM position('example.org/2'::bytea IN value) + 12)
                    WHERE profile = '\(profile.name)' AND position('example.org/2'::bytea IN value) > 0
                    """)
                let (repaired, report) = try run("repair")
                expect(repaired == 0 && report.contains("#quarantine-"), "\(report)")
                let (listed, list) = try run("quarantine", "list", "--format", "json-lines")
                expect(listed == 0 && list.contains("https://example.org/x"), "\(list)")
                let (shown, item) = try run("quarantine", "show", "quarantine-")
                expect(shown == 0 && item.contains("reason: damaged-records"), "\(item)")
                expect(try run("quarantine", "purge").1.contains("1 item of "))
                expect(try run("quarantine").1 == "nothing was set aside\n")
                expect(try run("remove", "--yes").0 == 0)
            }

            @Test func sessionctl() async throws {
                let profile = try RemovableProfile()
                let before = try rows()
                try await profile.fill(
                    StorageBackend.postgreSQL(incognitoKeys: HostKeys(survives: .memory)))
                let held = try await StorageBackend.postgreSQL.open(profile.configuration)
                _ = await failure { () throws(StorageError) in try await held.deleteIncognito() }
                let place = "postgresql:\(profile.configuration.location)"
                let (locked, reason) = try BuiltProgram.run(
                    "sessionctl", ["remove", "--yes", "--storage", place])
                expect(locked == 2 && reason.contains("process \(getpid()) on "))
                try await held.close()
                let (asked, question) = try BuiltProgram.run(
                    "sessionctl",
                    ["remove", "--storage", place, "--option", "password=not-to-be-shown"])
                expect(asked, is: 64, "\(question)")
                expect(question.contains("with 1 session and 3 tabs"))
                expect(question.contains(profile.name) && !question.contains("not-to-be-shown"))
                let (status, text) = try BuiltProgram.run(
                    "sessionctl", ["remove", "--yes", "--storage", place])
                expect(status, is: 0, "\(text)")
                try await profile.requireNothing()
                expect(try rows() == before)
                let (again, absent) = try BuiltProgram.run(
                    "sessionctl", ["remove", "--yes", "--storage", place])
                expect(again == 2 && absent.contains("(notFound)"))
                expect(try rows() == before)
            }
        }
    }
#endif
