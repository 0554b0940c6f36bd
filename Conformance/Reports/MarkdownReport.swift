import BrowserSessions

extension ConformanceReport {
    /// A report for a page: one table of requirements, with a column for each backend.
    var markdown: String {
        var lines = ["# Storage conformance \(suite.rawValue)", "", "Result: **\(summary)**"]
        lines += ["", "| Backend | Result | Seed | Cases |", "|---|---|---|---|"]
        lines += harnesses.map { report in
            let counts = report.counts.map(\.words).joined(separator: "<br>")
            return
                "| \(report.name) | \(report.summary.escapedForMarkdown()) | \(report.seed) | \(counts) |"
        }
        for report in harnesses {
            let remarks = report.problems + [report.fault].compactMap(\.self)
            lines += remarks.isEmpty ? [] : [""]
            lines += remarks.map { "- \(report.name): \($0.escapedForMarkdown())" }
        }
        lines += claimTable
        for report in harnesses where !report.notApplicable.isEmpty {
            lines += ["", "Not applicable to \(report.name):", ""]
            lines += report.notApplicable.map { "- \($0.reason): \($0.ids)" }
        }
        lines += requirementTable + failures
        return lines.joined(separator: "\n") + "\n"
    }

    /// A table with a row for each claim and a column for each backend.
    private var claimTable: [String] {
        guard harnesses.contains(where: { !$0.claims.isEmpty }) else { return [] }
        let names = harnesses.map(\.name).joined(separator: " | ")
        let rule = String(repeating: "---|", count: harnesses.count + 1)
        var rows = Capability.claims.map { capability in
            let cells = harnesses.map { report in
                report.claims.first { $0.capability == capability }?.standing.words ?? ""
            }
            return "| \(capability.rawValue) | \(cells.joined(separator: " | ")) |"
        }
        let scores = harnesses.map { report in
            report.salvage.map(\.words).joined(separator: "<br>")
        }
        rows.append("| came back after damage | \(scores.joined(separator: " | ")) |")
        let untried = harnesses.map { report in
            report.untried.joined(separator: "; ").escapedForMarkdown()
        }
        rows.append("| not tried | \(untried.joined(separator: " | ")) |")
        return ["", "| Claim | \(names) |", "|\(rule)"] + rows
    }

    private var requirementTable: [String] {
        var order: [RequirementReport] = []
        for requirement in harnesses.flatMap(\.requirements)
        where !order.contains(where: { $0.id == requirement.id }) { order.append(requirement) }
        guard !order.isEmpty else { return [] }
        let names = harnesses.map(\.name).joined(separator: " | ")
        let rule = String(repeating: "---|", count: harnesses.count + 2)
        let rows = order.map { requirement in
            let cells = harnesses.map { report in
                report.requirements.first { $0.id == requirement.id }?.verdict.words ?? ""
            }
            let level = requirement.isProvisional ? "provisional" : requirement.level.rawValue
            let statement = requirement.statement.escapedForMarkdown(keeping: "`")
            return "| \(requirement.id) \(statement) | \(level) | "
                + cells.joined(separator: " | ") + " |"
        }
        return ["", "| Requirement | Level | \(names) |", "|\(rule)"] + rows
    }

    private var failures: [String] {
        harnesses.flatMap { report in
            let notable = report.requirements.flatMap(\.cases).filter(\.verdict.isNotable)
            guard !notable.isEmpty else { return [String]() }
            return ["", "## \(report.name)", ""]
                + notable.map { found in
                    let remark = found.remark.map { ": \($0.escapedForMarkdown())" } ?? ""
                    let clues = found.clues.map { "\n  - \($0.escapedForMarkdown())" }.joined()
                    return "- \(found.verdict.words) `\(found.id)`\(remark)\(clues)"
                }
        }
    }
}
