import BrowserSessions

/// What changed between two runs: which rows became slower, and whether that is certain.
///
/// Rows are paired by backend, workload, tabs, bytes of state, durability and conditions. Where both have a
/// ratio to the same floor with an interval, the ratios are compared, because they repeat within
/// about 5 % where times move threefold; else the medians.
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
        /// The intervals do not overlap: certainly slower.
        case slower
        case faster
        /// The intervals overlap, and even their ends are no further apart than the limit.
        case noDifference
        /// The intervals overlap but are so wide that a change above the limit may hide in them.
        case cannotTell
        /// A row that cannot be judged: see the note.
        case notCompared
    }

    /// Which figure was compared.
    enum Measure: String, Codable, Sendable {
        case ratio
        case median
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
        /// Between what the change lies if each side's figure lies in its interval.
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
        rows = keys.map { key in
            RowComparison(key: key, limit: limit)
                .row(oldRows[key] ?? [], newRows[key] ?? [])
        }
    }

    /// Rows that were compared, whatever came of it.
    var compared: [Row] { rows.filter { $0.verdict != .notCompared } }

    var failures: [Row] { rows.filter(\.fails) }

    /// 0 nothing is certainly slower by more than the limit; 1 something is; 2 nothing could be
    /// compared.
    var exitCode: Int32 { compared.isEmpty ? 2 : failures.isEmpty ? 0 : 1 }

    private static func warnings(_ old: BenchReport, _ new: BenchReport) -> [String] {
        var warnings: [String] = []
        for (name, report) in [("old", old), ("new", new)] {
            if let reason = report.incompleteBecause {
                warnings.append("the \(name) run ended early: \(reason)")
            }
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
