#if PostgreSQL
    import BrowserSessions
    import ChildProcesses
    import Foundation
    @testable import PostgreSQLBackend
    import StorageConformance
    import TestSupport
    import Expectations

    extension ServerTests {
        /// A process with a thousand profiles over few connections; killed, they are opened elsewhere.
        @Suite("many profiles", .timeLimit(.minutes(10)))
        struct ManyProfilesTests {
            private static let count = 1000
            private static let variable = "POSTGRESQL_TEST_MANY"

            @Test func aThousandProfiles() async throws {
                if let prefix = ProcessInfo.processInfo.environment[Self.variable] {
                    return try await Self.openAll(prefix)
                }
                let prefix = "many-\(UUID().uuidString)-"
                try TestServer.isPrepared.get()
                let child = try RunningProgram(function: #function, [Self.variable: prefix])
                let answers = try child.lines(until: "saved")
                print(answers.last { $0.hasPrefix("measured") } ?? "")
                child.kill()
                // Its process is gone, as this machine can see: there is no wait for the lease.
                let backend = StorageBackend.postgreSQL
                try await Self.each { number in
                    let store = try await backend.open(at: "\(prefix)\(number)")
                    expect(try await store.tabs() == 1 + number % 6)
                    try await store.close()
                }
                expect(
                    try TestServer.run(
                        """
                        SELECT count(*) FROM browser_sessions.profiles
                        WHERE profile LIKE '\(prefix)%' AND owner IS NULL
                        """) == ["\(Self.count)"])
            }

            /// In the child: opens all, saves all under load, prints the figures, and lives on.
            private static func openAll(_ prefix: String) async throws {
                let backend = StorageBackend.postgreSQL
                // What libraries and the first connections take is not what a profile takes.
                try await backend.open(at: "warm-\(prefix)").close()
                let before = try memory()
                let stores = try await each { try await backend.open(at: "\(prefix)\($0)") }
                let after = try memory()
                let clock = ContinuousClock()
                let duration = try await clock.measure {
                    for round in 1...3 {
                        _ = try await each { number in
                            let tabs = round < 3 ? 6 : 1 + number % 6
                            let receipt = try await stores[number].save(tabs: tabs)
                            expect(receipt.sequence, is: UInt64(round))
                        }
                    }
                }
                let backends = try TestServer.run(
                    """
                    SELECT count(*) FROM pg_stat_activity
                    WHERE application_name = 'browser-sessions'
                    """)[0].flatMap { Int($0) }
                expect((1...17).contains(backends ?? 0))
                let bytes = (after - before) / count
                // REMOTE: 1,000 open profiles take at most 64 MiB.
                expect(bytes < 64 << 10)
                print(
                    "measured: \(bytes) bytes a profile, \(backends ?? 0) backends,",
                    "\(3 * count) saves in \(duration)")
                print("saved")
                fflush(nil)
                // waits: until it is killed
                while readLine() != nil {}
            }

            /// Does something for each profile, some at a time; in order.
            @discardableResult
            private static func each<Success: Sendable>(
                _ work: @escaping @Sendable (Int) async throws -> Success
            ) async throws -> [Success] {
                try await withThrowingTaskGroup(of: (Int, Success).self) { group in
                    for number in 0..<count {
                        group.addTask { (number, try await work(number)) }
                    }
                    var found: [Int: Success] = [:]
                    for try await (number, success) in group { found[number] = success }
                    return (0..<count).compactMap { found[$0] }
                }
            }

            /// What the process has in memory, in bytes.
            private static func memory() throws -> Int {
                let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
                let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
                return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
            }
        }
    }

    extension RunningProgram {
        /// This program again, with one test.
        fileprivate convenience init(function: String, _ variables: [String: String]) throws {
            let command = ChildCommand.test(named: function)
            try self.init(
                [command.executable] + command.arguments, environment: variables, input: .pipe,
                output: .pipe)
        }

        /// What it says up to a line, or to its end.
        fileprivate func lines(until last: String) throws -> [String] {
            var text = ""
            // waits: each turn blocks until the child says something
            while !text.contains("\n\(last)\n") {
                let bytes = read()
                try require(!bytes.isEmpty, "\(text)")
                text += String(decoding: bytes, as: UTF8.self)
            }
            return text.split(separator: "\n").map(String.init)
        }
    }
#endif
