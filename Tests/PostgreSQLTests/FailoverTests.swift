#if PostgreSQL
    import BrowserSessions
    import Foundation
    import PostgreSQLBackend
    import Expectations

    /// What becomes of saves under load when a cluster loses its primary, in every way that there is: with
    /// the cluster of `.ci/postgresql-cluster` alone.
    @Suite("Failover", .serialized, .enabled(if: TestCluster.folder != nil, "no cluster"))
    struct FailoverTests {
        @Test(.timeLimit(.minutes(10)), arguments: TestCluster.actions, 1...TestCluster.runs)
        func nothingAcknowledgedIsLost(action: [String], run: Int) async throws {
            let load = try await ClusterLoad.begin(profiles: 8)
            try await load.progress()
            let isDone = try await TestCluster.perform(action)
            guard isDone else {
                _ = try await load.end()
                try Test.cancel("it cannot be done here")
            }
            if TestCluster.goesOnByItself(after: action) { try await load.progress() }
            try await TestCluster.heal()
            try await load.progress()
            let outcome = try await load.end()
            TestCluster.report(action, outcome)
            for note in Set(outcome.notes) { print("  \(action[0]): \(note)") }
            expect(outcome.lost == 0 && outcome.doubleOwners == 0)
            expect(outcome.unresolved == 0 && outcome.problems == [])
            expect(outcome.acknowledged > 8 * 3)
        }
    }

    /// The cluster that the tests were started with.
    enum TestCluster {
        private static let environment = ProcessInfo.processInfo.environment
        static let folder = environment["POSTGRESQL_TEST_CLUSTER"]
        static let runs = environment["POSTGRESQL_TEST_RUNS"].flatMap { Int($0) } ?? 1

        /// With the seconds that the lease of a leader needs to run out, where nothing ends it.
        static let actions =
            environment["POSTGRESQL_TEST_ACTIONS"].map { text in
                text.split(separator: ",").map { $0.split(separator: " ").map(String.init) }
            } ?? [
                ["kill-primary"], ["kill-node"], ["freeze-primary", "30"], ["freeze-receivers"],
                ["cut-primary", "30"], ["kill-all"],
            ]

        /// Whether there is a primary with a synchronous standby again before the cluster is healed.
        static func goesOnByItself(after action: [String]) -> Bool {
            !["freeze-receivers", "kill-all"].contains(action[0])
        }

        /// Twice if it must be: Patroni may need longer for a server that it demoted two times.
        static func heal() async throws {
            do { _ = try await perform(["heal"]) } catch { _ = try await perform(["heal"]) }
        }

        /// Does something to the cluster; `false` if it cannot be done here.
        static func perform(_ action: [String]) async throws -> Bool {
            let script = environment["POSTGRESQL_TEST_SCRIPT"] ?? ".ci/postgresql-cluster"
            let arguments = [action[0], folder ?? ""] + action.dropFirst()
            let code = try await BlockingWork.run { try Script.run(script, arguments) }
            if code == 77 { return false }
            try require(code == 0, "\(action) ended with \(code)")
            return true
        }

        /// Returns when a server answers as the primary. However many ask, one looks.
        static func waitForPrimary() async throws { try await ClusterGate.shared.wait() }

        static func report(_ action: [String], _ outcome: ClusterLoad.Outcome) {
            let longest = outcome.longestPause.formatted(
                .units(allowed: [.seconds], fractionalPart: .show(length: 1)))
            let fields = [
                action.joined(separator: " "), "\(outcome.acknowledged)", "\(outcome.lost)",
                "\(outcome.unknown)", "\(outcome.unresolved)", "\(outcome.reopenings)",
                "\(outcome.doubleOwners)", longest,
            ]
            let line = fields.joined(separator: "\t") + "\n"
            guard let path = environment["POSTGRESQL_TEST_REPORT"],
                let file = FileHandle(forWritingAtPath: path)
            else { return }
            _ = try? file.seekToEnd()
            try? file.write(contentsOf: Data(line.utf8))
        }
    }

    /// Looks for the primary, once for all who wait.
    private actor ClusterGate {
        static let shared = ClusterGate()
        private var looking: Task<Void, any Error>?

        func wait() async throws {
            if let looking { return try await looking.value }
            let task = Task { _ = try await TestCluster.perform(["wait"]) }
            looking = task
            defer { looking = nil }
            try await task.value
        }
    }
#endif
