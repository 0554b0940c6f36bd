import BrowserSessions

/// What changed between two runs: which rows became slower, and whether that is certain.
///
/// Rows are paired by backend, workload, tabs, bytes of state, durability and conditions. Where both have a
/// ratio to the same floor with an interval, the ratios are compared, else the medians.
///
/// An interval says what one run knows, not what the next one of the same program will say: a change is
/// certain only if it is also more than a ``Measure`` moves from run to run. Between two runs of one program
/// nothing is, and runs of a debug build and a release build are not compared at all.
struct Comparison {
    /// What makes two rows the same work.
    struct Key: Hashable, Codable, Sendable {
        var backend: String
        var workload: String
        var tabs: Int
        var stateBytes: Int
        var durability: Durability
        /// A cold or warm cache, or the rate of an open loop; `nil` for the usual ones.
        var conditions: BenchResult.Conditions?

        init(_ result: BenchResult) {
            backend = result.backend
            workload = result.workload
            tabs = result.tabs
            stateBytes = result.stateBytes
            durability = result.durability
            let conditions = result.conditions
            self.conditions = conditions == BenchResult.Conditions() ? nil : conditions
        }
    }

    enum Verdict: String, Codable, Sendable, CaseIterable {
        /// The intervals do not overlap, and are further apart than two runs of one program: certainly slower.
        case slower
        case faster
        /// Nothing is certain, and even the ends of the intervals are no further apart than the limit.
        case noDifference
        /// Nothing is certain, and a change above the limit may be there.
        case cannotTell
        /// A row that cannot be judged: see the note.
        case notCompared
    }

    /// Which figure was compared.
    enum Measure: String, Codable, Sendable {
        case ratio
        case median

        /// How many times as large it may be in another run of the same program: the floor is measured
        /// beside each row, so ratios repeat; what else the machine does meanwhile moves times threefold.
        var repeatability: Double {
            switch self {
            case .ratio: 1.05
            case .median: 3
            }
        }
    }

    /// The figure of one side.
    struct Figure: Codable, Sendable {
        var value: Double
        var lower: Double
        var upper: Double
    }

    struct Row: Codable, Sendable {
        var key: Key
        var verdict: Verdict
        /// `nil` if nothing was compared.
        var measure: Measure?
        var old: Figure?
        var new: Figure?
        /// New divided by old, less one: 0.1 is 10 % slower.
        var change: Double?
        /// Between what the change lies if each figure lies in its interval.
        var changeInterval: [Double]?
        /// Certainly slower, by more than the limit, and a backend: what fails the comparison.
        var fails: Bool
        /// Why it was not compared, or what else is to be known.
        var note: String?
    }

    /// The part by which a row may be slower: 0.1 is 10 %.
    let limit: Double
    /// In the order of the new run; rows that only the old one has come last.
    let rows: [Row]
    /// What makes the comparison as a whole doubtful.
    let warnings: [String]

    init(old: BenchReport, new: BenchReport, limit: Double) {
        self.limit = limit
        warnings = Self.warnings(old, new)
        let oldRows = Dictionary(grouping: old.results, by: Key.init)
        let newRows = Dictionary(grouping: new.results, by: Key.init)
        var seen: Set<Key> = []
        let keys = (new.results + old.results).map(Key.init).filter { seen.insert($0).inserted }
        let doubt = Self.doubt(old.environment, new.environment)
        rows = keys.map { key in
            RowComparison(key: key, limit: limit, doubt: doubt)
                .row(oldRows[key] ?? [], newRows[key] ?? [])
        }
    }

    /// Rows that were compared, whatever came of it.
    var compared: [Row] { rows.filter { $0.verdict != .notCompared } }

    var failures: [Row] { rows.filter(\.fails) }

    /// 0 nothing is certainly slower by more than the limit; 1 something is; 2 nothing could be
    /// compared.
    var exitCode: Int32 { compared.isEmpty ? 2 : failures.isEmpty ? 0 : 1 }

    /// What makes two runs as a whole not comparable, or their differences mean nothing.
    enum Doubt: Equatable {
        /// One is of a debug build.
        case builds(old: String, new: String)
        /// Both are of one build of the program.
        case sameProgram
    }

    private static func doubt(_ old: BenchEnvironment, _ new: BenchEnvironment) -> Doubt? {
        guard old.knownBuild == new.knownBuild else {
            return .builds(old: old.knownBuild, new: new.knownBuild)
        }
        return old.program != nil && old.program == new.program ? .sameProgram : nil
    }

    private static func warnings(_ old: BenchReport, _ new: BenchReport) -> [String] {
        var warnings: [String] = []
        for (name, report) in [("old", old), ("new", new)] {
            if let reason = report.incompleteBecause {
                warnings.append("the \(name) run ended early: \(reason)")
            }
        }
        switch doubt(old.environment, new.environment) {
        case .builds(let old, let new):
            warnings.append(
                "the old run is of a \(old) build and the new one of a \(new) build; build both the same "
                    + "way and measure again")
        case .sameProgram:
            warnings.append("both runs are of one program: what differs is how much runs differ")
        case nil: break
        }
        let before = environment(old)
        let after = environment(new)
        for name in before.keys.sorted() where before[name] != after[name] {
            warnings.append(
                "different \(name): '\(before[name] ?? "")' and '\(after[name] ?? "")'; "
                    + "times of different environments cannot be compared, ratios only roughly")
        }
        return warnings
    }

    /// What has to be equal on both sides; the revision and the date may differ.
    private static func environment(_ report: BenchReport) -> [String: String] {
        let environment = report.environment
        return [
            "processor": environment.cpu, "kernel": environment.kernel,
            "file system": environment.filesystem, "Swift": environment.swift,
            "libraries": environment.libraryNames, "seed": "\(environment.seed)",
        ]
    }
}

extension BenchEnvironment {
    static let debugNote = "a debug build: times say little"

    /// The build; results of before it was noted say it in a note.
    fileprivate var knownBuild: String {
        build ?? (notes?.contains(Self.debugNote) == true ? "debug" : "release")
    }
}
