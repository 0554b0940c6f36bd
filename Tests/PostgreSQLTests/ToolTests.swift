#if PostgreSQL
    import BrowserSessions
    import Foundation
    @testable import PostgreSQLBackend
    import TestSupport
    import Testing

    extension ServerTests {
        /// The programs leave nothing at a server.
        @Suite("programs", .timeLimit(.minutes(5)))
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

            private func run(_ program: String, _ arguments: [String]) throws -> (Int32, String) {
                let folder = TemporaryFolder()
                let process = Process()
                process.executableURL = try BuiltProgram.named(program)
                process.arguments = arguments
                process.environment = ProcessInfo.processInfo.environment
                    .merging(["TMPDIR": folder.path]) { $1 }
                process.standardInput = FileHandle.nullDevice
                let file = folder.file("output")
                _ = FileManager.default.createFile(atPath: file, contents: nil)
                let output = FileHandle(forWritingAtPath: file)
                process.standardOutput = output
                process.standardError = output
                try process.run()
                process.waitUntilExit()
                let text = try String(contentsOfFile: file, encoding: .utf8)
                return (process.terminationStatus, text)
            }

            @Test func storagebench() throws {
                let (before, folder) = (try rows(), TemporaryFolder())
                let (status, text) = try run(
                    "storagebench",
                    [
                        "--storage", url, "--storage", libpq, "--tabs", "10", "--samples", "3",
                        "--folder", folder.path, "--workloads",
                        "save-one-tab,restore,profile-restore,profile-save-new,rewrite-state",
                    ])
                #expect(status == 0, "\(text)")
                #expect(try rows() == before)
                #expect(try bareRows() == ["0", "0"])
            }

            @Test func storagebenchClients() throws {
                let before = try rows()
                let (status, text) = try run(
                    "storagebench",
                    [
                        "clients", "--storage", url, "--storage", libpq, "--clients", "1,3",
                        "--seconds", "1",
                    ])
                #expect(status == 0, "\(text)")
                #expect(try rows() == before)
                #expect(try bareRows() == ["0", "0"])
            }

            /// Processes that are killed may leave that they were there, and nothing else.
            @Test(arguments: ["SAVE,CLOSE", "INCOGNITO,CRASH"])
            func storagecheck(groups: String) throws {
                let before = try rows()
                let (status, text) = try run(
                    "storagecheck",
                    [
                        "--storage", url, "--group", groups, "--depth", "quick",
                        "--minimum-graded", "10",
                    ])
                #expect(status == 0, "\(text)")
                let count = groups.contains("CRASH") ? 3 : 4
                #expect(try rows().prefix(count) == before.prefix(count))
            }

            /// What can be done about a loss does not look only, as the command does that names it.
            @Test func advice() async throws {
                let profile = try RemovableProfile()
                let place = "postgresql:\(profile.configuration.location)"
                let store = "\(place)?incognitoKeys=memory"
                let (status, text) = try run(
                    "sessionctl",
                    ["import", "Tests/SessionInteropTests/Fixtures/Sample", "--storage", store])
                #expect(status == 0, "\(text)")
                let (found, message) = try run("sessionctl", ["list", "--storage", store])
                #expect(found == 1, "\(message)")
                #expect(message.contains("sessionctl delete-incognito 'postgresql:"), "\(message)")
                #expect(message.contains("?incognitoKeys=memory'"), "\(message)")
                #expect(!message.contains("access="), "\(message)")
                let (removed, words) = try run(
                    "sessionctl", ["remove", "--yes", "--storage", place])
                #expect(removed == 0, "\(words)")
            }

            @Test func sessionctl() async throws {
                let profile = try RemovableProfile()
                let before = try rows()
                try await profile.fill(StorageBackend.postgreSQL(incognitoKeys: CountedKeys()))
                let held = try await StorageBackend.postgreSQL.open(profile.configuration)
                _ = await failure { () throws(StorageError) in try await held.deleteIncognito() }
                let place = "postgresql:\(profile.configuration.location)"
                let (locked, reason) = try run(
                    "sessionctl", ["remove", "--yes", "--storage", place])
                #expect(locked == 2 && reason.contains("process \(getpid()) on "))
                try await held.close()
                let (asked, question) = try run(
                    "sessionctl",
                    ["remove", "--storage", place, "--option", "password=not-to-be-shown"])
                #expect(asked == 64, "\(question)")
                #expect(question.contains("with 1 session and 3 tabs"))
                #expect(question.contains(profile.name) && !question.contains("not-to-be-shown"))
                let (status, text) = try run("sessionctl", ["remove", "--yes", "--storage", place])
                #expect(status == 0, "\(text)")
                try await profile.requireNothing()
                #expect(try rows() == before)
                let (again, absent) = try run(
                    "sessionctl", ["remove", "--yes", "--storage", place])
                #expect(again == 2 && absent.contains("(notFound)"))
                #expect(try rows() == before)
            }

            /// The same server for a bare client.
            private var libpq: String { "libpq:" + url.drop { $0 != ":" }.dropFirst() }

            private func bareRows() throws -> [String?] {
                try ["heads", "records"].map {
                    try TestServer.run("SELECT count(*) FROM bare_client.\($0)")[0]
                }
            }
        }
    }
#endif
