import BrowserSessions
import SessionSamples
import StorageBenchmark

/// A report like one of a real run: three backends, two reference designs and `dry`, every
/// workload, four sizes, two durabilities, one wrong answer. The same for ever.
struct SampleReport {
    private var generator = SeededGenerator(seed: 4)

    /// Median of a durable save in microseconds, its floor's ratio, bytes beyond the record.
    private static let contestants:
        [(name: String, role: BenchResult.Role, ratio: Double, growth: Double, bytes: Int)] = [
            ("directory", .backend, 1.01, 0, 64), ("sqlite", .backend, 1.58, 0.02, 4120),
            ("leveldb", .backend, 1.06, 0.01, 60), ("whole-window-json", .reference, 3.4, 2.2, 290),
            ("list-and-files", .reference, 4.2, 0.9, 190), ("dry", .dry, 0.004, 0, 0),
        ]

    private static let works: [(name: String, state: Int, floor: String?, cost: Double)] = [
        ("save-one-tab", 0, "A", 1), ("save-one-tab-state", 10 << 10, "A", 1.4),
        ("save-one-tab-state", 100 << 10, "A", 2.6), ("insert-tab-middle", 0, "A", 1),
        ("move-tab", 0, "A", 1), ("move-tab-between-windows", 0, "A", 1.1),
        ("save-new-session", 0, nil, 40), ("restore", 0, "D", 8),
        ("realize-one-tab", 10 << 10, "R", 0.05), ("open-existing", 0, nil, 14),
        ("delete-incognito", 0, "A", 12), ("close-all-and-undo", 0, nil, 30),
    ]

    static let environment = BenchEnvironment(
        cpu: "EPYC, 2 processors", kernel: "6.18.0", filesystem: "ext4", swift: "6.3.1",
        libraries: ["sqlite": "3.40.1", "leveldb": "1.23"], revision: "4b5af46", seed: 4,
        command: "storagebench --seed 4", date: "2026-11-21T12:00:00Z",
        notes: ["page cache not dropped"])

    /// The whole report.
    static func full() -> BenchReport {
        var sample = SampleReport()
        var results: [BenchResult] = []
        for durability in [Durability.powerLoss, .processCrash] {
            for work in works {
                for tabs in [10, 100, 1000, 10_000] {
                    for contestant in contestants.indices {
                        results.append(sample.result(durability, work, tabs, contestant))
                    }
                }
            }
        }
        let wrong = results.firstIndex {
            $0.backend == "sqlite" && $0.workload == "restore" && $0.tabs == 1000
        }
        if let wrong {
            results[wrong].verified = false
            results[wrong].note = "tab 17 came back with another title"
        }
        return BenchReport(environment: environment, results: results)
    }

    private mutating func result(
        _ durability: Durability, _ work: (name: String, state: Int, floor: String?, cost: Double),
        _ tabs: Int, _ place: Int
    ) -> BenchResult {
        let contestant = Self.contestants[place]
        let isWhole = work.floor != "A" || work.name == "delete-incognito"
        var ratio = contestant.ratio * (1 + contestant.growth * Double(tabs) / 100)
        ratio *= 1 + Double(generator.integer(in: -20...20)) / 1000
        var floor = work.cost * 140 * (durability == .powerLoss ? 1 : 0.01)
        if isWhole { floor *= Double(tabs) / 1000 + 0.02 }
        let median = floor * ratio
        var result = BenchResult(
            backend: contestant.name, workload: work.name, tabs: tabs, stateBytes: work.state,
            durability: durability, samples: 400,
            microseconds: .init(
                p50: median, p90: median * 1.3, p99: median * 2.1, max: median * 6),
            interval95: [median * 0.98, median * 1.02],
            floorMicroseconds: work.floor == nil ? 0 : floor,
            floorRatio: work.floor == nil ? 0 : ratio,
            bytesWritten: Self.isReading(work.name)
                ? 0 : bytes(contestant.role, contestant.bytes, work.state, tabs),
            syncs: Self.isReading(work.name) || durability != .powerLoss
                ? 0 : contestant.role == .reference ? 2 : contestant.role == .dry ? 0 : 1,
            peakRSSBytes: 12_000_000 + tabs * 900, verified: true)
        result.role = contestant.role
        result.floor = work.floor
        result.ratioInterval95 = work.floor == nil ? nil : [ratio * 0.97, ratio * 1.03]
        result.diskBytes = tabs * (188 + work.state)
        result.distribution = distribution(median)
        return result
    }

    private static func isReading(_ work: String) -> Bool {
        ["restore", "realize-one-tab", "open-existing"].contains(work)
    }

    private func bytes(_ role: BenchResult.Role, _ own: Int, _ state: Int, _ tabs: Int) -> Int {
        switch role {
        case .backend: 188 + own + state
        case .reference: own * tabs + state
        case .dry: 0
        }
    }

    private mutating func distribution(_ median: Double) -> [BenchResult.Bucket] {
        let shares = [
            (0.9, 40), (0.97, 90), (1, 80), (1.05, 90), (1.2, 50), (1.5, 30), (2.1, 16), (6, 4),
        ]
        return shares.map { factor, count in
            .init(upTo: median * factor, count: count + generator.integer(in: -3...3))
        }
    }
}
