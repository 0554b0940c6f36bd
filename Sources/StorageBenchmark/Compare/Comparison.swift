import BrowserSessions

/// The changes between two runs: which rows became slower, and whether that is certain.
///
/// Rows are paired by backend, workload, tabs, bytes of state, durability, and conditions. Ratios are
/// compared if both refer to the same floor and have an interval. Otherwise, medians are compared.
///
/// An interval covers the uncertainty of one run, not the difference to the next run of the same program. A
/// change is certain only if it also exceeds the variation of its ``Measure`` from run to run. Nothing is
/// certain between two runs of one program. Debug and release builds are not compared at all.
struct Comparison {
    /// The properties that two rows for the same work share.
    struct Key: Hashable, Codable, Sendable {
        var backend: String
        var workload: String
        var tabs: Int
        var stateBytes: Int
        var durability: Durability
        /// A cold or warm cache, or the rate of an open loop; `nil` for the usual conditions.
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
        /// Certainly slower: the intervals are further apart than between two runs of one program.
        case slower
        case faster
        /// Nothing is certain, and even the ends of the intervals differ by no more than the limit.
        case noDifference
        /// Nothing is certain, and a change above the limit is possible.
        case cannotTell
        /// The row cannot be judged; see the note.
        case notCompared
    }

    /// The figure that was compared.
    enum Measure: String, Codable, Sendable {
        case ratio
        case median

        /// The factor by which it may vary between runs of one program. Ratios repeat well, because the floor
        /// is measured along with each row. Other work of the machine can change times threefold.
        var repeatability: Double {
            switch self {
            case .ratio: 1.05
            case .median: 3
            }
        }
    }

    /// A figure of one run.
    struct Figure: Codable, Sendable {
        var value: Double
        var lower: Double
        var upper: Double
    }

    struct Row: Codable, Sendable {
        var key: Key
        var verdict: Verdict
        /// What was compared; `nil` if nothing was.
        var measure: Measure?
        var old: Figure?
        var new: Figure?
        /// The new figure divided by the old one, minus one: 0.1 means 10 % slower.
        var change: Double?
        /// The bounds of the change if each figure is within its interval.
        var changeInterval: [Double]?
        /// Whether a backend is certainly slower by more than the limit.
        var fails: Bool
        /// Why the row was not compared, or other information for readers.
        var note: String?
    }

    /// The fraction by which a row may be slower: 0.1 means 10 %.
    let limit: Double
    /// The rows in the order of the new run. Rows that only the old run has come last.
    let rows: [Row]
    /// Doubts about the comparison as a whole.
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

    /// The rows that were compared, with any verdict.
    var compared: [Row] { rows.filter { $0.verdict != .notCompared } }

    var failures: [Row] { rows.filter(\.fails) }

    /// The exit code: 0 if nothing is certainly slower by more than the limit, 1 if something is,
    /// and 2 if nothing could be compared.
    var exitCode: Int32 { compared.isEmpty ? 2 : failures.isEmpty ? 0 : 1 }

    /// A reason that two runs cannot be compared, or that their differences mean nothing.
    enum Doubt: Equatable {
        /// One run is of a debug build.
        case builds(old: String, new: String)
        /// Both runs are of one build of the program.
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

    /// Returns the values that must be equal in both runs. The revision and the date may differ.
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

    /// The build, which old results state in a note.
    fileprivate var knownBuild: String {
        build ?? (notes?.contains(Self.debugNote) == true ? "debug" : "release")
    }
}
