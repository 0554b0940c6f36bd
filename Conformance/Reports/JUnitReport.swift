import BrowserSessions

extension ConformanceReport {
    /// A report for continuous integration: one suite for each backend, in the XML of JUnit.
    var junit: String {
        let suites = harnesses.map(\.junit).joined()
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            + "<testsuites name=\"storage conformance \(suite.rawValue.escapedForXML)\">\n"
            + suites + "</testsuites>\n"
    }
}

extension HarnessReport {
    /// A suite with problems and faults as test cases, because JUnit has no other place for them.
    fileprivate var junit: String {
        var lines: [String] = []
        for requirement in requirements {
            for found in requirement.cases {
                let isBinding = requirement.level == .must && !requirement.isProvisional
                lines.append(element(found, of: requirement.id, outcome(found, isBinding)))
            }
        }
        lines += problems.map { element("problem", nil, "harness", tag("failure", $0)) }
        if let fault { lines.append(element("preflight", nil, "harness", tag("error", fault))) }
        let all = lines.joined()
        func count(_ name: String) -> Int { lines.filter { $0.contains("<\(name) ") }.count }
        return "  <testsuite name=\"\(name.escapedForXML)\" tests=\"\(lines.count)\""
            + " failures=\"\(count("failure"))\" errors=\"\(count("error"))\""
            + " skipped=\"\(count("skipped"))\">\n"
            + "    <properties>\n" + properties + "    </properties>\n"
            + all + "  </testsuite>\n"
    }

    /// The claims as properties, because JUnit has no place for them.
    private var properties: String {
        let claims = claims.map { ("claim \($0.capability.rawValue)", $0.standing.words) }
        let all =
            [("result", summary), ("seed", "\(seed)"), ("depth", depth.rawValue)] + claims
            + salvage.map { ("salvage", $0.words) }
            + untried.map { ("not tried", $0) }
        return all.map { name, value in
            "      <property name=\"\(name.escapedForXML)\" value=\"\(value.escapedForXML)\"/>\n"
        }.joined()
    }

    private func outcome(_ found: CaseReport, _ isBinding: Bool) -> String {
        let remark = found.remark ?? ""
        let clues = found.clues.joined(separator: "\n")
        return switch found.verdict {
        case .passed: ""
        case .failed:
            isBinding ? tag("failure", remark, clues) : tag("skipped", "not binding: \(remark)")
        case .unexpectedPass: tag("failure", "passed unexpectedly; \(remark)")
        case .errored: tag("error", remark, clues)
        case .notTried: tag("skipped", "not tried: \(remark)")
        case .notApplicable, .expectedFailure: tag("skipped", remark)
        }
    }

    private func element(_ found: CaseReport, of requirement: String, _ body: String) -> String {
        element(found.id, found.seconds, requirement, body)
    }

    private func element(_ id: String, _ seconds: Double?, _ group: String, _ body: String)
        -> String
    {
        "    <testcase classname=\"\("\(name).\(group)".escapedForXML)\""
            + " name=\"\(id.escapedForXML)\" time=\"\(seconds ?? 0)\">\(body)</testcase>\n"
    }

    private func tag(_ name: String, _ message: String, _ text: String = "") -> String {
        "<\(name) message=\"\(message.escapedForXML)\">\(text.escapedForXML)</\(name)>"
    }
}
