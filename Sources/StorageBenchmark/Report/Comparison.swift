import BrowserSessions

/// The changes between two runs: which rows became slower, and whether that is certain.
///
/// Rows are paired by backend, work, tabs, and durability. Ratios are compared if both refer to the same
/// floor and have an interval. Otherwise, medians are compared.
///
/// An interval covers the uncertainty of one run, not the difference to the next run of the same program. A
/// change is certain only if it also exceeds the variation of its ``Measure`` from run to run. Nothing is
/// certain between two runs of one program. Debug and release builds are not compared at all.
struct Comparison {
    enum Verdict: String, CaseIterable {
        /// Certainly slower: the intervals are further apart than between two runs of one program.
        case slower
        case faster
        /// Nothing is certain, and even the ends of the intervals differ by no more than the limit.
        case noDifference = "no difference"
        /// Nothing is certain, and a change above the limit is possible.
        case cannotTell = "cannot tell"
        /// The row cannot be judged; see the note.
        case notCompared = "not compared"
    }

    /// The figure that was compared.
    enum Measure {
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

    struct Row {
        /// The row, such as `sqlite, save-one-tab, 1,000 tabs, powerLoss`.
        var title: String
        var verdict = Verdict.notCompared
        /// What was compared; `nil` if nothing was.
        var measure: Measure?
        /// The new figure divided by the old one, minus one: 0.1 means 10 % slower.
        var change = 0.0
        /// Whether a backend is certainly slower by more than the limit.
        var fails = false
        /// The figures, or why the row was not compared.
        var note: String
    }

    /// The fraction by which a row may be slower: 0.1 means 10 %.
    let limit: Double
    /// The rows in the order of the new run. Rows that only the old run has come last.
    private(set) var rows: [Row] = []
    /// Doubts about the comparison as a whole.
    private(set) var warnings: [String] = []
    /// Whether both runs are of one build of the program, so that their differences mean nothing.
    private let isOfOneProgram: Bool

    init(old: BenchReport, new: BenchReport, limit: Double) {
        self.limit = limit
        isOfOneProgram =
            old.environment.program != nil && old.environment.program == new.environment.program
        addWarnings(old, new)
        let name = { (result: BenchResult) in
            "\(ReportWords.name(result)), \(result.durability.rawValue)"
        }
        let oldRows = Dictionary(grouping: old.results, by: name)
        let newRows = Dictionary(grouping: new.results, by: name)
        var seen: Set<String> = []
        for title in (new.results + old.results).map(name) where seen.insert(title).inserted {
            guard old.environment.build == new.environment.build else {
                rows.append(Row(title: title, note: "builds of two kinds are not compared"))
                continue
            }
            rows.append(row(title, oldRows[title] ?? [], newRows[title] ?? []))
        }
    }

    /// The rows that were compared, with any verdict.
    var compared: [Row] { rows.filter { $0.verdict != .notCompared } }

    var failures: [Row] { rows.filter(\.fails) }

    /// The exit code: 0 if nothing is certainly slower by more than the limit, 1 if something is,
    /// and 2 if nothing could be compared.
    var exitCode: Int32 { compared.isEmpty ? 2 : failures.isEmpty ? 0 : 1 }

    private mutating func addWarnings(_ old: BenchReport, _ new: BenchReport) {
        for (name, report) in [("old", old), ("new", new)] {
            if let reason = report.incompleteBecause {
                warnings.append("the \(name) run ended early: \(reason)")
            }
        }
        let (before, after) = (old.environment, new.environment)
        if before.build != after.build {
            warnings.append(
                "the old run is of a \(before.build) build and the new one of a \(after.build) build; "
                    + "build both the same way and measure again")
        } else if isOfOneProgram {
            warnings.append("both runs are of one program: what differs is how much runs differ")
        }
        // The revision and the date may differ.
        let places = [
            ("file system", before.filesystem, after.filesystem),
            ("kernel", before.kernel, after.kernel),
            ("libraries", before.libraryNames, after.libraryNames),
            ("processor", before.cpu, after.cpu), ("Swift", before.swift, after.swift),
            ("seed", "\(before.seed)", "\(after.seed)"),
        ]
        for (name, before, after) in places where before != after {
            warnings.append(
                "different \(name): '\(before)' and '\(after)'; times of different environments "
                    + "cannot be compared, ratios only roughly")
        }
    }
}

// MARK: - Rows

extension Comparison {
    /// A figure above zero with its interval.
    private struct Figure {
        let value: Double
        let interval: ClosedRange<Double>

        init?(_ value: Double?, _ interval: ClosedRange<Double>?) {
            guard let value, value > 0, value.isFinite, let interval, interval.lowerBound > 0
            else { return nil }
            (self.value, self.interval) = (value, interval)
        }
    }

    private func row(_ title: String, _ old: [BenchResult], _ new: [BenchResult]) -> Row {
        var row = Row(title: title, note: "")
        guard let before = old.first, let after = new.first else {
            row.note = "only the \(old.isEmpty ? "new" : "old") run has this row"
            return row
        }
        guard old.count == 1, new.count == 1 else {
            row.note = "a run has this row more than once"
            return row
        }
        guard before.verified, after.verified else {
            let run = before.verified ? "new" : "old"
            row.note = "a wrong answer in the \(run) run, so its figures mean nothing"
            return row
        }
        if before.floor == after.floor, let old = Figure(before.ratio, before.ratioInterval),
            let new = Figure(after.ratio, after.ratioInterval)
        {
            judge(&row, .ratio, old, new)
            row.note +=
                "\(Figures.ratio(old.value)) to \(Figures.ratio(new.value)) times the floor"
        } else if let old = Figure(before.microseconds.p50, before.interval),
            let new = Figure(after.microseconds.p50, after.interval)
        {
            judge(&row, .median, old, new)
            row.note += "\(Figures.time(old.value)) to \(Figures.time(new.value))"
        } else {
            row.note = "a run has no interval for it"
        }
        if after.role != .backend { row.fails = false }
        return row
    }

    private func judge(_ row: inout Row, _ measure: Measure, _ old: Figure, _ new: Figure) {
        let (before, after) = (old.interval, new.interval)
        let least = after.lowerBound / before.upperBound - 1
        let most = after.upperBound / before.lowerBound - 1
        row.measure = measure
        row.change = new.value / old.value - 1
        let words = [row.change, least, most].map(Figures.change)
        row.note = "\(words[0]) (\(words[1]) to \(words[2])), "
        if isOfOneProgram {
            row.verdict = abs(row.change) <= limit ? .noDifference : .cannotTell
        } else if after.lowerBound > before.upperBound * measure.repeatability {
            row.verdict = .slower
            row.fails = row.change > limit
        } else if after.upperBound * measure.repeatability < before.lowerBound {
            row.verdict = .faster
        } else {
            row.verdict = most <= limit && least >= -limit ? .noDifference : .cannotTell
        }
    }
}

// MARK: - For people

extension Comparison {
    /// A sentence about the result.
    var summary: String {
        guard !compared.isEmpty else {
            return "Nothing could be compared: no row is in both runs with a right answer."
        }
        let counts = Verdict.allCases.compactMap { verdict -> String? in
            let count = rows.count { $0.verdict == verdict }
            return count == 0 ? nil : "\(Figures.whole(count)) \(verdict.rawValue)"
        }
        let count = failures.isEmpty ? "no backend is" : Figures.whole(failures.count)
        let limit = Figures.change(limit).dropFirst()
        return "\(counts.joined(separator: ", ")): \(count) certainly slower by more than \(limit)."
    }

    /// Returns the failures, then other changed or unknown rows, and the summary. Rows without a
    /// difference are only counted.
    func written() -> String {
        let order: [Verdict] = [.slower, .faster, .cannotTell, .notCompared]
        let others = order.flatMap { verdict in
            rows.filter { $0.verdict == verdict && !$0.fails }
        }
        let lines = (failures + others).map { row in
            let verdict = row.verdict.rawValue
            return "\(row.title): \(row.fails ? verdict.uppercased() : verdict) \(row.note)"
        }
        return (lines + (lines.isEmpty ? [] : [""]) + [summary]).joined(separator: "\n") + "\n"
    }
}
