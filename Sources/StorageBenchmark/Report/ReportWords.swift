import BrowserSessions

/// The sentences that every format shows with the figures.
enum ReportWords {
    static func title(of durability: Durability) -> String {
        switch durability {
        case .replicated: "Survives the loss of a machine (replicated)"
        case .powerLoss: "Survives a power cut (powerLoss)"
        case .processCrash: "Survives a killed process (processCrash)"
        case .memory: "Nothing is promised beyond the process (memory)"
        }
    }

    /// Returns an explanation of each figure in the report.
    static func legend(_ report: BenchReport) -> [String] {
        var lines = [
            "Times are medians of one operation. The interval after each contains the median with "
                + "95 % confidence.",
            "The best backend of a row is marked only where its interval and those of all others "
                + "do not overlap. Durability classes are never ranked against each other.",
        ]
        var floors = Set(report.results.compactMap { $0.ratio == nil ? nil : $0.floor })
        if report.results.contains(where: { $0.overwriteRatio != nil }) {
            floors.insert(.overwrite)
        }
        if !floors.isEmpty {
            lines.append(
                "A ratio such as 1.05 A is the median of pairs of an operation and its floor, "
                    + "measured in turn; it repeats better than times do. The floors:")
            lines += FloorKind.allCases.filter(floors.contains)
                .map { "\($0.rawValue) = \($0.meaning)" }
        }
        if report.results.contains(where: { $0.role == .reference }) {
            lines.append("Reference designs do what other browsers do; they are never ranked.")
        }
        if report.results.contains(where: { $0.role == .dry }) {
            lines.append("'dry' does nothing: what measuring itself costs.")
        }
        if report.results.contains(where: { $0.cache == .cold }) {
            lines.append(
                "The page cache of the system was dropped before each opening of open-cold.")
        }
        lines.append("Syncs and bytes of one operation were counted apart from the timed runs.")
        return lines
    }

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
            + results.filter(\.verified).compactMap { result in
                result.note.map { "\(name(result)): \($0)" }
            }
    }

    /// Returns `sqlite, save-one-tab-state, 10 KiB, 1,000 tabs`.
    static func name(_ result: BenchResult) -> String {
        "\(result.backend), \(result.title), \(tabs(result.tabs))"
    }

    static func tabs(_ count: Int) -> String {
        "\(Figures.whole(count)) \(count == 1 ? "tab" : "tabs")"
    }

    // MARK: - Cells

    static let wrong = "✗ wrong answer"

    /// Formats `1.05 A`, and `1.50 O` if that floor was measured along with another.
    static func ratios(_ result: BenchResult) -> [String] {
        let pairs = [(result.ratio, result.floor), (result.overwriteRatio, .overwrite)]
        return pairs.compactMap { ratio, floor in
            guard let ratio, let floor else { return nil }
            return "\(Figures.ratio(ratio)) \(floor.rawValue)"
        }
    }

    /// Formats `1 sync, 217 B`.
    static func writes(_ result: BenchResult) -> String {
        let syncs = Figures.syncs(result.syncs)
        return "\(syncs) \(syncs == "1" ? "sync" : "syncs"), \(Figures.bytes(result.bytesWritten))"
    }
}
