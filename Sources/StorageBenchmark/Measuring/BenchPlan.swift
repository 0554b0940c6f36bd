import BrowserSessions
import SessionSamples

/// What a run measures.
struct BenchPlan: Sendable {
    var contestants: [Contestant]
    var workloads: [Workload] = Workload.all
    var tabs = Self.defaultTabs
    var stateBytes = Self.defaultStateBytes
    var durabilities: [Durability] = [.processCrash, .powerLoss]
    /// Pairs of each row, at most; slow operations get fewer.
    var samples = 150
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
            (workload.takesState ? stateBytes : [0]).flatMap { bytes in
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
                    var jobs = jobs(tabs: size)
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
        return orders
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
    fileprivate var dropsCache: Bool { Workload.named(workload)?.mostPerRound != nil }
}
