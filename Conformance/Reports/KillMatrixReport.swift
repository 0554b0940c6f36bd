import BrowserSessions

extension KillMatrix {
    /// Returns the matrix; `nil` for ``ReportFormat/junit`` and ``ReportFormat/promises``.
    public func formatted(_ format: ReportFormat) throws -> String? {
        switch format {
        case .text: text
        case .markdown: markdown
        case .json: try ReportJSON.encode(self)
        case .junit, .promises: nil
        }
    }

    private static let introduction =
        "Each of these backends has one fault, made to break one requirement, which must catch it"
        + " and say what is wrong."

    private static let hollowIntroduction =
        "Backends with nothing behind them. The cases that they pass prove little by themselves."

    private var text: String {
        var lines = ["What suite \(SuiteRevision.current.rawValue) catches", "", Self.introduction]
        for row in rows {
            lines.append("  \(row.breaks) \(row.name): \(row.words)")
            lines += row.others.map { "    by \($0)" }
        }
        if !hollow.isEmpty { lines += ["", Self.hollowIntroduction] }
        for row in hollow {
            lines.append("  \(row.words):")
            lines += row.passed.map { "    \($0)" }
        }
        return (lines + [""] + conclusion).joined(separator: "\n") + "\n"
    }

    private var markdown: String {
        var lines = ["# What suite \(SuiteRevision.current.rawValue) catches", ""]
        lines += [Self.introduction, ""]
        lines += ["| Requirement | Faulty backend | Outcome |", "|---|---|---|"]
        lines += rows.map { row in
            let effect = [row.words] + row.others.map { "by \($0)" }
            let cell = effect.map { $0.escapedForMarkdown() }.joined(separator: "<br>")
            return "| \(row.breaks) | \(row.name) | \(cell) |"
        }
        if !hollow.isEmpty { lines += ["", Self.hollowIntroduction] }
        for row in hollow {
            lines += ["", "## \(row.words)", ""]
            lines += row.passed.map { "- \($0.escapedForMarkdown())" }
        }
        return (lines + ["", conclusion.joined(separator: " ")]).joined(separator: "\n") + "\n"
    }

    /// The overall result. It omits requirements if only some backends were tried.
    private var conclusion: [String] {
        let caught = rows.count { $0.effect == .caught }
        var lines = ["\(caught) of \(rows.count) faulty backends are caught as they should be."]
        guard !hollow.isEmpty else { return lines }
        lines.append(
            unproven.isEmpty
                ? "Every must requirement catches at least one."
                : "MUST REQUIREMENTS WITHOUT A FAULTY BACKEND: \(unproven.joined(separator: ", "))"
        )
        lines.append("The suite \(isSound ? "catches" : "DOES NOT CATCH") what it should.")
        return lines
    }
}

extension KillMatrix.Row {
    /// The outcome in plain text.
    var words: String {
        switch effect {
        case .caught: "caught"
        case .survived: "SURVIVED"
        case .caughtElsewhere: "CAUGHT BY ANOTHER REQUIREMENT OR WITH ANOTHER MESSAGE"
        }
    }
}

extension KillMatrix.HollowRow {
    fileprivate var words: String { "\(name) passes \(passed.count) of \(total) cases" }
}
