extension KillMatrix {
    /// The matrix in a form; there is none for ``ReportFormat/junit``.
    public func formatted(_ format: ReportFormat) throws -> String? {
        switch format {
        case .text: text
        case .markdown: markdown
        case .json: try ReportJSON.encode(self)
        case .junit: nil
        }
    }

    private var text: String {
        var lines = rows.map { "\($0.name) (\($0.breaks)): \($0.words)" }
        lines += unproven.map { "\($0): NO FAULTY BACKEND PROVES IT" }
        for row in hollow {
            lines.append("\(row.name) passes \(row.passed.count) of \(row.total) cases")
            lines += row.passed.map { "  \($0)" }
        }
        let caught = rows.count { $0.fate == .caught }
        lines.append("\(caught) of \(rows.count) faulty backends are caught as they should be")
        return lines.joined(separator: "\n") + "\n"
    }

    private var markdown: String {
        var lines = ["# What the suite catches", "", "| Faulty backend | Breaks | Fate |"]
        lines.append("|---|---|---|")
        lines += rows.map { "| \($0.name) | \($0.breaks) | \(MarkdownText.escape($0.words)) |" }
        if !unproven.isEmpty {
            lines += ["", "Without a faulty backend: " + unproven.joined(separator: ", ")]
        }
        for row in hollow {
            lines += ["", "## \(row.name) passes \(row.passed.count) of \(row.total) cases", ""]
            lines += row.passed.map { "- \(MarkdownText.escape($0))" }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension KillMatrix.Row {
    fileprivate var words: String {
        switch fate {
        case .caught: "caught"
        case .survived: "SURVIVED"
        case .caughtElsewhere: "CAUGHT INSTEAD BY " + others.joined(separator: "; ")
        }
    }
}
