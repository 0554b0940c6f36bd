#if PostgreSQL
    import BrowserSessions
    internal import CPostgreSQL
    import Foundation
    @testable import PostgreSQLBackend
    import TestSupport
    import Expectations

    /// Servers that are none of ours, or stand between us and ours. No server is needed for it.
    @Suite("hostile servers", .timeLimit(.minutes(10)))
    struct HostileServerTests {
        private static let password = "canary-5e1d"

        private func error(
            at server: FakeServer, _ host: String = "127.0.0.1",
            _ options: [String: OptionValue] = [:]
        ) async -> StorageError? {
            let configuration = StorageConfiguration(
                location: "//user:\(Self.password)@\(host):\(server.port)/sessions",
                options: options)
            let backend = StorageBackend.postgreSQL(
                2, .seconds(600), nil, in: .patient(.seconds(20)))
            return await backend.refusal(of: configuration)
        }

        // MARK: Passwords

        private static let asksForPassword: FakeServer.Script = { line in
            _ = line.send(Fake.message("R", [0, 0, 0, 3]))
            _ = line.next()
        }

        private func hasPassword(_ server: FakeServer) -> Bool {
            String(decoding: server.received, as: UTF8.self).contains(Self.password)
        }

        /// libpq alone goes on without encryption, and sends the password to anyone who asks.
        @Test(.enabled(if: FakeServer.otherAddress != nil, "no address but loopback"))
        func noPasswordInClear() async throws {
            let host = FakeServer.otherAddress ?? ""
            let server = try FakeServer(at: host, Self.asksForPassword)
            let refused = await error(at: server, host)
            expect(refused?.code, is: .permissionDenied)
            expect(refused?.message.contains("sslmode"), is: true)
            expect(!hasPassword(server))
            expect(!Secrets.isRevealed(Self.password, by: refused as Any, nil))
            // Where it is said that it may, a newer libpq does what does not show it.
            _ = await error(at: server, host, ["sslmode": .text("disable")])
            expect(hasPassword(server), is: (PQlibVersion() < 160_000))
        }

        @Test func onThisMachineItIsSent() async throws {
            let server = try FakeServer(Self.asksForPassword)
            expect(await error(at: server)?.code == .unavailable)
            expect(hasPassword(server))
        }

        @Test(arguments: [
            ("localhost", true), ("127.0.0.1", true), ("127.8.9.1", true), ("::1", true),
            ("/run/postgresql", true), ("", true), ("@abstract", true), ("LOCALHOST", true),
            ("localhost,/run", true), ("localhost,db", false), ("db", false),
            ("localhost.example.org", false), ("127.0.0.1.example.org", false), ("10.0.0.1", false),
            ("::2", false), ("127.0.0.256", false), ("128.0.0.1", false),
        ])
        func hosts(host: String, isLocal: Bool) {
            expect(PostgreSQLTransport.isLocal(["host": host]), is: isLocal)
            expect(!PostgreSQLTransport.isLocal(["host": host, "hostaddr": "10.0.0.1"]))
            let resolved = ["host": host, "sslmode": "prefer"]
            func secured(_ given: [String: String], _ version: Int32 = 160_000) -> [String: String]
            {
                PostgreSQLTransport.secured(
                    given, resolved: resolved.merging(given) { $1 }, version: version)
            }
            expect(secured([:]), is: (isLocal ? [:] : ["sslmode": "require"]))
            let full = ["sslmode": "verify-full"]
            expect(secured(full), is: full)
            for mode in ["disable", "allow", "prefer"] {
                let given = ["sslmode": mode]
                let limited = given.merging(["require_auth": "!password,!md5"]) { $1 }
                expect(secured(given), is: (isLocal ? given : limited))
                expect(secured(given, 150_000), is: given)
            }
        }

        // MARK: What a server says

        /// Nothing that a server says reaches a terminal as it is, before a login or behind it.
        @Test(arguments: [false, true])
        func noticesAndErrors(isLoggedIn: Bool) throws {
            let evil = "\u{1B}]0;canary\u{7}\u{1B}[2J"
            let server = try FakeServer { line in
                guard isLoggedIn else {
                    _ = line.send(Fake.failure(evil, evil))
                    return
                }
                line.serve(Fake.notice(evil)) { _, _ in Fake.notice(evil) + Fake.failure(evil, evil)
                }
            }
            let (status, text) = try BuiltProgram.run(
                "sessionctl",
                ["list", "--storage", "postgresql://127.0.0.1:\(server.port)/sessions"])
            expect(status != 0 && !text.isEmpty)
            expect(!text.contains("canary") && !text.contains("\u{1B}"), "\(text)")
            expect(text.utf8.count < 2000)
        }

        @Test func textsForPeople() {
            let shown = PostgreSQLRows.harmless(
                "a\u{1B}[2Jé\n\u{202E}b\u{301}" + String(repeating: "c", count: 99))
            expect(shown.hasPrefix("a?[2Jé??b?ccc") && shown.hasSuffix("…"))
            expect(shown.unicodeScalars.count, is: 65)
        }

        // MARK: Answers without an end

        private static let many = [UInt8](repeating: 0, count: 60_000)

        /// What is sent again and again.
        enum Flood: String, CaseIterable {
            case startup, notices, rows, results, copies, notifications, settings, failures

            func run(_ line: FakeServer.Line) {
                let bytes: [UInt8] =
                    switch self {
                    case .startup, .notices: Fake.notice(String(repeating: "n", count: 9000))
                    case .rows: Fake.row([many])
                    case .results, .failures: Fake.failure("XX000", "no") + Fake.done
                    case .copies: Fake.message("H", [0, 0, 0])
                    case .notifications:
                        Fake.message("A", [0, 0, 0, 1] + Array("channel\0load\0".utf8))
                    case .settings: Fake.message("S", Array("name\0value\0".utf8))
                    }
                if self != .startup {
                    guard line.welcome(), line.next() != nil else { return }
                }
                if self == .rows { _ = line.send(Fake.rows([[[]]]).dropLast(Fake.done.count)) }
                let all = [UInt8](
                    repeatElement(bytes, count: max(1, 60_000 / bytes.count)).joined())
                // waits: until the client has enough
                while line.send(all) {}
            }
        }

        @Test(arguments: Flood.allCases)
        func answersWithoutEnd(flood: Flood) async throws {
            let server = try FakeServer { flood.run($0) }
            let error = await error(at: server)
            expect(error?.code, is: .unavailable, "\(error as Any)")
            // What the system keeps on the way is beside it.
            expect(server.sent < 8 * PostgreSQLBound.text.bytes)
        }
    }
#endif
