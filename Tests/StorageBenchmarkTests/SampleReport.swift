import BrowserSessions

@testable import StorageBenchmark

/// A report like one of a real run, with one wrong answer. The same for ever.
enum SampleReport {
    private static let contestants: [(name: String, role: BenchResult.Role, ratio: Double)] = [
        ("directory", .backend, 1.02), ("sqlite", .backend, 1.6),
        ("whole-window-json", .reference, 3.4), ("dry", .dry, 0.004),
    ]

    private static let works: [(name: String, state: Int, floor: FloorKind, cost: Double)] = [
        ("save-one-tab", 0, .append, 140), ("save-one-tab-state", 10 << 10, .append, 196),
        ("restore", 0, .decode, 420),
    ]

    static let environment = BenchEnvironment(
        cpu: "EPYC, 2 processors", kernel: "6.18.0", filesystem: "ext4", swift: "6.3.1",
        libraries: ["sqlite": "3.40.1", "leveldb": "1.23"], revision: "4b5af46", seed: 4,
        command: "storagebench --seed 4", date: "2026-11-21T12:00:00Z",
        notes: ["page cache not dropped"])

    static func full() -> BenchReport {
        var results: [BenchResult] = []
        for durability in [Durability.powerLoss, .processCrash] {
            for work in works {
                for tabs in [10, 1000] {
                    results += contestants.map { contestant in
                        let median = work.cost * contestant.ratio
                        return BenchResult(
                            backend: contestant.name, role: contestant.role, workload: work.name,
                            tabs: tabs, stateBytes: work.state, durability: durability,
                            samples: 400,
                            microseconds: .init(
                                p50: median, p90: median * 1.3, p99: median * 2.1, max: median * 6),
                            interval95: [median * 0.98, median * 1.02], floor: work.floor,
                            floorMicroseconds: work.cost, floorRatio: contestant.ratio,
                            ratioInterval95: [contestant.ratio * 0.97, contestant.ratio * 1.03],
                            bytesWritten: 252, syncs: 1, verified: true)
                    }
                }
            }
        }
        let wrong = results.firstIndex { $0.backend == "sqlite" && $0.workload == "restore" }
        if let wrong {
            results[wrong].verified = false
            results[wrong].note = "tab 17 came back with another title"
        }
        return BenchReport(environment: environment, results: results)
    }
}
