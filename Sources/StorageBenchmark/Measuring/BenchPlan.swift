import BrowserSessions
import SessionSamples

/// The plan of a run.
struct BenchPlan: Sendable {
    var contestants: [Contestant]
    var workloads: [Workload] = .usual
    var tabs = Self.defaultTabs
    var stateBytes = Self.defaultStateBytes
    var durabilities: [Durability] = [.processCrash, .powerLoss]
    /// The maximum number of pairs of each row. Slow operations get fewer.
    var samples = 150
    /// The number of saves of each long operation; `nil` uses the operation's own number.
    var longSamples: Int?
    /// The number of processes that share the samples of a row.
    var rounds = 3
    /// The maximum time of a row in each round, in milliseconds.
    var milliseconds = 80
    var seed: UInt64 = 1
    /// The folder for the stores of contestants without another location.
    var folder: String

    static let defaultTabs = [10, 1000, 10_000]
    static let defaultStateBytes = [10 << 10, 100 << 10]
    /// The number of operations that are counted for one row.
    static let countedOperations = 6

    init(contestants: [Contestant], folder: String) {
        self.contestants = contestants
        self.folder = folder
    }

    /// Returns the rows of a workload on each contestant at one size, in the order of tables.
    func jobs(_ workload: Workload, tabs: Int) -> [Job] {
        let sizes =
            workload.endurance.map { [$0.stateBytes] } ?? (workload.takesState ? stateBytes : [0])
        let levels: [Durability] =
            workload.endurance != nil
            ? [.processCrash] : workload.isSaving ? durabilities : [.powerLoss]
        return sizes.flatMap { bytes in
            levels.map {
                Job(workload: workload.name, tabs: tabs, stateBytes: bytes, durability: $0)
            }
        }
    }

    /// Returns the number of rounds. Rewriting whole windows of 10,000 tabs takes long and shows
    /// little, so reference designs and the dry one get one round, and backends at most two.
    func rounds(_ contestant: Contestant, _ tabs: Int) -> Int {
        guard tabs >= 10_000 else { return rounds }
        return min(rounds, contestant.role == .backend ? 2 : 1)
    }

    /// Returns all children in the order in which they run. In every round, each contestant occurs
    /// once at each size with rounds left, in another order. The counts come last. Long operations
    /// are in the first round alone.
    func orders() -> [JobOrder] {
        var generator = SeededGenerator(seed: seed)
        let perRound = max(1, (samples + rounds - 1) / rounds)
        var orders: [JobOrder] = []
        for round in 0...rounds {
            let isCounting = round == rounds
            var ofRound: [JobOrder] = []
            for size in tabs {
                for contestant in contestants
                where isCounting || round < self.rounds(contestant, size) {
                    var jobs = workloads.flatMap { self.jobs($0, tabs: size) }
                        .filter { round == 0 || !$0.isLong }
                    guard !jobs.isEmpty else { continue }
                    generator.mix(&jobs)
                    // These jobs come last, because their effect on cache and store would slow the jobs
                    // after them.
                    jobs = jobs.filter { !$0.slowsOthers } + jobs.filter(\.slowsOthers)
                    ofRound.append(
                        JobOrder(
                            contestant: contestant.name, jobs: jobs, tabs: size,
                            samples: isCounting
                                ? min(Self.countedOperations, samples) : perRound,
                            longSamples: longSamples, milliseconds: milliseconds,
                            seed: seed &+ UInt64(size), folder: "", isCounting: isCounting))
                }
            }
            generator.mix(&ofRound)
            orders += ofRound
        }
        return orders
    }
}

extension SeededGenerator {
    /// Shuffles elements in the same way on every platform.
    mutating func mix<Element>(_ elements: inout [Element]) {
        guard elements.count > 1 else { return }
        for place in (1..<elements.count).reversed() {
            elements.swapAt(place, integer(in: 0...place))
        }
    }
}

extension Job {
    fileprivate var isLong: Bool { Workload.named(workload)?.endurance != nil }

    fileprivate var slowsOthers: Bool { isLong || Workload.named(workload)?.mostPerRound != nil }
}
