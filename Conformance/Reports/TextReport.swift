extension ConformanceReport {
    /// A report for a terminal: problems first, then the numbers.
    var text: String {
        let body = harnesses.flatMap(\.textLines)
        let end = "suite \(suite.rawValue), all backends together: \(summary)"
        return (body + [end]).joined(separator: "\n") + "\n"
    }
}

extension HarnessReport {
    fileprivate var textLines: [String] {
        var lines = ["\(name) (persistence: \(persistence), seed \(seed), depth \(depth.rawValue))"]
        if let traits { lines.append("  claims: \(traits.words)") }
        for requirement in requirements {
            for found in requirement.cases where found.verdict.isNotable {
                let level = requirement.isProvisional ? "provisional" : requirement.level.rawValue
                lines.append("  \(found.verdict.words.uppercased()) \(found.id) [\(level)]")
                lines.append("    \(requirement.statement)")
                if let remark = found.remark { lines.append("    \(remark)") }
                lines += found.clues.map { "    \($0)" }
            }
        }
        lines += counts.map { "  \($0.words)" }
        lines += notApplicable.map { "  not applicable, \($0.reason): \($0.ids)" }
        lines += Claim.Standing.allCases.compactMap { standing in
            let found = claims.filter { $0.standing == standing }.map(\.capability.rawValue)
            return found.isEmpty ? nil : "  \(standing.words): \(found.joined(separator: ", "))"
        }
        if !salvage.isEmpty {
            lines.append(
                "  came back after damage: \(salvage.map(\.words).joined(separator: ", "))")
        }
        lines += problems.map { "  PROBLEM \($0)" }
        if let fault { lines.append("  HARNESS \(fault)") }
        return lines + ["  \(name): \(summary)", ""]
    }
}

extension HarnessReport {
    /// The requirements without an applicable case, grouped by what is missing.
    var notApplicable: [(reason: String, ids: String)] {
        let found = requirements.filter { $0.verdict == .notApplicable }
        let reasons = found.map { $0.cases.first?.message ?? "" }
        let groups = Dictionary(grouping: zip(reasons, found.map(\.id)), by: \.0)
        return groups.sorted { $0.key < $1.key }.map { reason, pairs in
            (reason, pairs.map(\.1).joined(separator: ", "))
        }
    }
}

extension ClaimedTraits {
    /// The claims in one line.
    var words: String {
        var parts = ["saves survive at most \(durability.last ?? "nothing")"]
        parts.append("states have at most \(maximumStateBytes) bytes")
        let sealing = incognitoSealing.map { " (\($0.cipher), key: \($0.keyStore))" } ?? ""
        parts.append("deleted incognito is \(incognitoErasure)\(sealing)")
        let onRequest = takesRestorePoints ? ", and taken on request" : ""
        parts.append(
            keepsRestorePoints ? "restore points are kept\(onRequest)" : "no restore points")
        return parts.joined(separator: "; ")
    }
}

extension LevelCounts {
    /// The counts in plain text: `must: 40 cases passed, 1 failed`.
    var words: String {
        let kinds = CaseReport.Kind.allCases.filter { number($0) > 0 }
        let numbers = kinds.map { kind in
            let unit = kind != kinds.first ? "" : number(kind) == 1 ? " case" : " cases"
            return "\(number(kind))\(unit) \(kind.words)"
        }
        return "\(isProvisional ? "provisional " : "")\(level.rawValue): "
            + numbers.joined(separator: ", ")
    }
}
