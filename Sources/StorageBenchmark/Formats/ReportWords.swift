import BrowserSessions

/// The sentences that every format shows with the figures.
enum ReportWords {
    static let best = "*"

    static func title(of durability: Durability) -> String {
        switch durability {
        case .replicated: "Survives the loss of a machine (replicated)"
        case .powerLoss: "Survives a power cut (powerLoss)"
        case .processCrash: "Survives a killed process (processCrash)"
        case .memory: "Nothing is promised beyond the process (memory)"
        }
    }

    /// Returns an explanation of each figure in the report.
    static func legend(_ report: BenchReport, withOverwriting: Bool = true) -> [String] {
        var lines = [
            "Times are medians of one operation. The interval after each contains the median with "
                + "95 % confidence.",
            "The best backend of a row is marked only where its interval and those of all others "
                + "do not overlap. Durability classes are never ranked against each other.",
        ]
        var letters = Set(report.results.compactMap { $0.ratio == nil ? nil : $0.floor ?? "×" })
        if withOverwriting, report.results.contains(where: { overwriteRatio($0) != nil }) {
            letters.insert("O")
        }
        if !letters.isEmpty {
            lines.append(
                "A ratio such as 1.05 A is the median of pairs of an operation and its floor, "
                    + "measured in turn; it repeats better than times do. The floors:")
            lines += floors.filter { letters.contains($0.letter) }
                .map { "\($0.letter) = \($0.meaning)" }
            if letters.contains("×") { lines.append("× = a floor that the results do not name") }
        }
        if report.results.contains(where: { $0.kind == .reference }) {
            lines.append("Reference designs do what other browsers do; they are never ranked.")
        }
        if report.results.contains(where: { $0.kind == .dry }) {
            lines.append("'dry' does nothing: what measuring itself costs.")
        }
        if report.results.contains(where: { $0.cache == .cold }) {
            lines.append(
                "The page cache of the system was dropped before each opening of open-cold.")
        }
        lines.append(
            report.results.contains { $0.rate != nil }
                ? "Open loop: operations start on a schedule and are measured from when they should "
                    + "have started, so that a stall counts for all that had to wait; p99 is shown "
                    + "too."
                : "Closed loop: an operation starts when the one before has ended.")
        lines.append("Syncs and bytes of one operation were counted apart from the timed runs.")
        return lines
    }

    static let floors: [(letter: String, meaning: String)] = [
        ("A", "append of the same bytes to a file, and one fdatasync"),
        ("O", "overwriting blocks that were written before with the same bytes, and one fdatasync"),
        ("D", "decoding as many tabs of a flat format from memory into the same values"),
        ("R", "opening, reading and closing a file of the state's size"),
        ("S", "the store alone restoring the same sessions, or saving the same changes"),
        (
            "L",
            "restoring the same tabs without groups from another store, or changing a list of them"
        ),
        ("C", "copying the files of the store; for a backup, with a sync of each"),
        ("W", "the same without restore points, or without readers beside the store"),
    ]

    static func environment(_ report: BenchReport) -> [(name: String, value: String)] {
        let environment = report.environment
        let pairs: [(name: String, value: String)] = [
            ("processor", environment.cpu), ("kernel", environment.kernel),
            ("file system", environment.filesystem), ("Swift", environment.swift),
            ("libraries", environment.libraryNames), ("revision", environment.revision),
            ("seed", "\(environment.seed)"), ("date", environment.date ?? ""),
            ("command", environment.command),
            ("notes", (environment.notes ?? []).joined(separator: "; ")),
        ]
        return pairs.filter { !$0.value.isEmpty }
    }

    /// Returns the opening sentence of an incomplete report; `nil` if the run is complete.
    static func incomplete(_ report: BenchReport) -> String? {
        report.incompleteBecause.map {
            "INCOMPLETE: the run ended early (\($0)); what is missing was not measured."
        }
    }

    /// Returns the notes on single rows, wrong answers first.
    static func notes(_ results: [BenchResult]) -> [String] {
        results.filter { !$0.verified }.map {
            "✗ \(name($0)): a wrong answer, so its figures mean nothing and are not shown. "
                + ($0.note ?? "The run does not say what was wrong.")
        }
            + results.filter { $0.verified }.compactMap { result in
                let words = [result.endurance?.words, result.note].compactMap(\.self)
                return words.isEmpty
                    ? nil : "\(name(result)): \(words.joined(separator: " "))"
            }
    }

    private static func name(_ result: BenchResult) -> String {
        let state = result.stateBytes == 0 ? "" : ", \(Figures.chosenBytes(result.stateBytes))"
        let conditions = result.conditions.words.map { ", \($0)" } ?? ""
        return "\(result.backend), \(result.workload)\(state)\(conditions), \(tabs(result.tabs))"
    }

    static func tabs(_ count: Int) -> String {
        "\(Figures.whole(count)) \(count == 1 ? "tab" : "tabs")"
    }

    // MARK: - Cells

    static let wrong = "✗ wrong answer"

    /// Formats `1.05 A`; `nil` if there is no floor.
    static func ratio(_ result: BenchResult) -> String? {
        result.ratio.map { ratio in
            result.floor.map { "\(Figures.ratio(ratio)) \($0)" } ?? "\(Figures.ratio(ratio))×"
        }
    }

    /// Formats `p99 310 µs`, for rows about the slowest operations.
    static func tail(_ result: BenchResult) -> String? {
        result.rate == nil && result.endurance == nil
            ? nil : "p99 \(Figures.time(result.microseconds.p99))"
    }

    /// Formats `1.50 O`; `nil` if floor O was not measured along with another.
    static func overwriteRatio(_ result: BenchResult) -> String? {
        result.overwriteRatio.flatMap { $0 > 0 ? "\(Figures.ratio($0)) O" : nil }
    }

    /// Formats `1 sync, 217 B`.
    static func writes(_ result: BenchResult) -> String {
        // This value is a mean. The syncs were not counted.
        guard result.endurance == nil else {
            return "\(Figures.bytes(result.bytesWritten)), with maintenance"
        }
        let syncs = Figures.syncs(result.syncs)
        return "\(syncs) \(syncs == "1" ? "sync" : "syncs"), \(Figures.bytes(result.bytesWritten))"
    }
}

extension BenchEnvironment {
    /// The names and versions of the libraries: `leveldb 1.23, sqlite 3.40.1`.
    var libraryNames: String {
        libraries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            .joined(separator: ", ")
    }
}
