import BrowserSessions
import Foundation

/// The formats of a comparison.
enum ComparisonFormat: String, CaseIterable, Sendable {
    case text, markdown, json
}

extension Comparison {
    func formatted(_ format: ComparisonFormat) throws -> String {
        switch format {
        case .text: text()
        case .markdown: markdown()
        case .json: try json()
        }
    }

    /// A sentence about the result.
    var summary: String {
        guard !compared.isEmpty else {
            return "Nothing could be compared: no row is in both runs with a right answer."
        }
        let counts = Verdict.allCases.compactMap { verdict -> String? in
            let count = rows.filter { $0.verdict == verdict }.count
            return count == 0 ? nil : "\(Figures.whole(count)) \(verdict.words)"
        }
        let limit = Figures.change(limit)
        let outcome =
            failures.isEmpty
            ? "no backend is certainly slower by more than \(limit.dropFirst())"
            : "\(Figures.whole(failures.count)) certainly slower by more than \(limit.dropFirst())"
        return "\(counts.joined(separator: ", ")): \(outcome)."
    }

    /// The failures, then other changed or unknown rows. Rows without a difference are only
    /// counted.
    private var listed: [Row] {
        let order: [Verdict] = [.slower, .faster, .cannotTell, .notCompared]
        return failures
            + order.flatMap { verdict in
                rows.filter { $0.verdict == verdict && !$0.fails }
            }
    }

    private func text() -> String {
        var lines: [String] = []
        for row in listed {
            lines += TextWrap.lines(
                "\(row.title): \(row.outcome)", width: TextReport.width, hanging: 4)
        }
        if !lines.isEmpty { lines.append("") }
        lines += TextWrap.lines(summary, width: TextReport.width)
        return lines.joined(separator: "\n") + "\n"
    }

    private func markdown() -> String {
        var lines: [String] = []
        if !listed.isEmpty {
            lines += ["| row | durability | outcome |", "| --- | --- | --- |"]
            lines += listed.map { row in
                let cells = [row.key.title, row.key.durability.rawValue, row.outcome]
                    .map { $0.escapedForMarkdown() }
                return "| \(cells.joined(separator: " | ")) |"
            }
            lines.append("")
        }
        lines.append(summary.escapedForMarkdown())
        return lines.joined(separator: "\n") + "\n"
    }

    private struct Document: Encodable {
        var limit: Double
        var exitCode: Int32
        var warnings: [String]
        var rows: [Row]
    }

    private func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let document = Document(limit: limit, exitCode: exitCode, warnings: warnings, rows: rows)
        return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    }
}

extension Comparison.Key {
    /// The title, such as `sqlite, save-one-tab-state, 10 KiB, 1,000 tabs`.
    var title: String {
        let state = stateBytes == 0 ? "" : ", \(Figures.chosenBytes(stateBytes))"
        let words = conditions?.words.map { ", \($0)" } ?? ""
        return "\(backend), \(workload)\(state)\(words), \(ReportWords.tabs(tabs))"
    }
}

extension Comparison.Row {
    fileprivate var title: String { "\(key.title), \(key.durability.rawValue)" }

    /// The outcome, such as `SLOWER +12 % (+8.1 % to +16 %), 1.02 to 1.14 times the floor`.
    fileprivate var outcome: String {
        let word = fails ? verdict.words.uppercased() : verdict.words
        guard let change, let changeInterval, let old, let new, let measure else {
            return "\(word): \(note ?? "unknown")"
        }
        let ends = changeInterval.map(Figures.change).joined(separator: " to ")
        let figures =
            switch measure {
            case .ratio:
                "\(Figures.ratio(old.value)) to \(Figures.ratio(new.value)) times the floor"
            case .median: "\(Figures.time(old.value)) to \(Figures.time(new.value))"
            }
        let end = note.map { "; \($0)" } ?? ""
        return "\(word) \(Figures.change(change)) (\(ends)), \(figures)\(end)"
    }
}

extension Comparison.Verdict {
    var words: String {
        switch self {
        case .slower: "slower"
        case .faster: "faster"
        case .noDifference: "no difference"
        case .cannotTell: "cannot tell"
        case .notCompared: "not compared"
        }
    }
}
