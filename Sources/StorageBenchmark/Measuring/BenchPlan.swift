import BrowserSessions
import SessionSamples

/// What a run measures.
struct BenchPlan: Sendable {
    var contestants: [Contestant]
    var workloads: [Workload] = Workload.usual
    var tabs = Self.defaultTabs
    var stateBytes = Self.defaultStateBytes
    var durabilities: [Durability] = [.processCrash, .powerLoss]
    /// Pairs of each row, at most; slow operations get fewer.
    var samples = 150
    /// Saves of each long operation; `nil`: as many as it wants.
    var longSamples: Int?
    /// The sizes at which long operations are done.
    var longTabs = [Endurance.tabs]
    /// Over how many processes the samples of a row are spread.
    var rounds = 3
    /// How long a row may take in each round, in milliseconds.
    var milliseconds = 80
    /// Operations that are started in a second; `nil` starts each when the one before has ended.
    var rate: Double?
    var seed: UInt64 = 1
    /// Where the stores are made that no contestant has another place for.
    var folder: String

    static let defaultTabs = [10, 1000, 10_000]
    static let defaultStateBytes = [10 << 10, 100 << 10]
    /// How many operations are counted for one row.
    static let countedOperations = 6

    init(contestants: [Contestant], folder: String) {
        self.contestants = contestants
        self.folder = folder
    }

    /// The rows of each contestant at one size, in the order of tables.
    func jobs(tabs: Int) -> [Job] {
        workloads.flatMap { workload in
            if let endurance = workload.endurance {
                return !longTabs.contains(tabs)
                    ? []
                    : [
                        Job(
                            workload: workload.name, tabs: tabs, stateBytes: endurance.stateBytes,
                            durability: .processCrash)
                    ]
            }
            return (workload.takesState ? stateBytes : [0]).flatMap { bytes in
                (workload.isSaving ? durabilities : [.powerLoss]).map { durability in
                    Job(
                        workload: workload.name, tabs: tabs, stateBytes: bytes,
                        durability: durability)
                }
            }
        }
    }

    /// Where whole windows of 10,000 tabs are rewritten, each round takes long and says little: the
    /// reference designs and the dry one get one, backends at most two.
    func rounds(_ contestant: Contestant, _ tabs: Int) -> Int {
        guard tabs >= 10_000 else { return rounds }
        return min(rounds, contestant.role == .backend ? 2 : 1)
    }

    /// All children in the order in which they run. In every round each contestant comes once at
    /// each size that still has rounds, in another order; the counts come last.
    func orders() -> [ChildOrder] {
        var generator = SeededGenerator(seed: seed)
        let perRound = max(1, (samples + rounds - 1) / rounds)
        var orders: [ChildOrder] = []
        for round in 0...rounds {
            var ofRound: [ChildOrder] = []
            for size in tabs {
                for contestant in contestants
                where round == rounds || round < self.rounds(contestant, size) {
                    var jobs = jobs(tabs: size).filter { !$0.isLong }
                    guard !jobs.isEmpty else { continue }
                    generator.mix(&jobs)
                    // What they do to the cache would slow those that come after them.
                    jobs = jobs.filter { !$0.dropsCache } + jobs.filter(\.dropsCache)
                    ofRound.append(
                        ChildOrder(
                            contestant: contestant.name, jobs: jobs, tabs: size,
                            samples: perRound, milliseconds: milliseconds,
                            seed: seed &+ UInt64(size), folder: ""))
                }
            }
            generator.mix(&ofRound)
            orders += ofRound.map { order in
                var order = order
                order.isCounting = round == rounds
                order.rate = rate
                if order.isCounting { order.samples = min(Self.countedOperations, samples) }
                return order
            }
        }
        return orders + longOrders()
    }

    /// Each long operation has a process and a store of its own. Only backends do them: for others
    /// they would take hours or mean nothing.
    private func longOrders() -> [ChildOrder] {
        tabs.flatMap { size in
            jobs(tabs: size).filter(\.isLong).flatMap { job in
                contestants.filter { $0.role == .backend }.map { contestant in
                    ChildOrder(
                        contestant: contestant.name, jobs: [job], tabs: size,
                        samples: longSamples ?? Workload.named(job.workload)?.endurance?.saves ?? 1,
                        milliseconds: milliseconds, seed: seed &+ UInt64(size), folder: "")
                }
            }
        }
    }
}

extension SeededGenerator {
    /// Shuffles in the same way on every platform.
    mutating func mix<Element>(_ elements: inout [Element]) {
        guard elements.count > 1 else { return }
        for place in (1..<elements.count).reversed() {
            elements.swapAt(place, integer(in: 0...place))
        }
    }
}

extension Job {
    fileprivate var isLong: Bool { Workload.named(workload)?.endurance != nil }

    fileprivate var dropsCache: Bool { Workload.named(workload)?.mostPerRound != nil }
}
