extension ConformanceReport {
    /// For a terminal: what is not well, then the numbers.
    var text: String {
        let body = harnesses.flatMap(\.textLines)
        let end = "suite \(suite.rawValue): \(outcome.words)"
        return (body + [end]).joined(separator: "\n") + "\n"
    }
}

extension HarnessReport {
    fileprivate var textLines: [String] {
        var lines = ["\(name) (persistence: \(persistence), seed \(seed))"]
        for requirement in requirements {
            let notable = requirement.cases.filter {
                ![.passed, .notApplicable].contains($0.verdict)
            }
            for found in notable {
                let level = requirement.isProvisional ? "provisional" : requirement.level.rawValue
                lines.append("  \(found.verdict.words.uppercased()) \(found.id) [\(level)]")
                lines.append("    \(requirement.statement)")
                if let remark = found.remark { lines.append("    \(remark)") }
            }
        }
        lines += counts.map { "  \($0.words)" }
        lines += problems.map { "  PROBLEM \($0)" }
        if let fault { lines.append("  HARNESS \(fault)") }
        return lines + ["  \(name): \(outcome.words)\(isFiltered ? " (filtered)" : "")", ""]
    }
}

extension LevelCounts {
    /// `must: 40 passed, 1 failed`.
    var words: String {
        let numbers = CaseReport.Kind.allCases.filter { number($0) > 0 }
            .map { "\(number($0)) \($0.words)" }
        return "\(isProvisional ? "provisional " : "")\(level.rawValue): "
            + numbers.joined(separator: ", ")
    }
}
