import Expectations
import Foundation

@testable import StorageConformance

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("Reports")
struct ReportTests {
    private static let message = "<&\"'> | `x`\n\u{1}\u{FFFE} *"

    /// One requirement of each kind with every verdict.
    private var report: ConformanceReport {
        let verdicts: [Verdict] = [
            .passed, .failed(Self.message), .notApplicable(.files), .errored("machine"),
            .expectedFailure(reason: "later", message: "how"), .unexpectedPass(reason: "later"),
            .notTried("no such file"),
        ]
        let results = verdicts.enumerated().flatMap { number, verdict in
            Requirement.Level.allCases.flatMap { level in
                [false, true].flatMap { isProvisional in
                    let entry = SuiteEntry(
                        "SAVE-\(number + 1)", level, "It <holds> | & more.",
                        isProvisional: isProvisional
                    ).tried("try \"it\"") { _ in }
                    return entry.cases.map {
                        CaseResult($0, verdict: verdict, duration: .seconds(1))
                    }
                }
            }
        }
        let run = ConformanceRun(BackendHarness(RunTests.reference))
        return ConformanceReport([
            HarnessReport(run, traits: nil, results: results, problems: ["stale <entry>"]),
            HarnessReport(run, traits: nil, results: [], fault: "no & no"),
        ])
    }

    @Test func jsonIsTheSameValueAgain() throws {
        let text = try report.formatted(.json)
        let again = try JSONDecoder().decode(ConformanceReport.self, from: Data(text.utf8))
        expect(again, is: report)
    }

    @Test func junitIsWellFormedAndCountsRight() throws {
        let text = try report.formatted(.junit)
        let reader = Reader()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = reader
        expect(parser.parse(), "\(String(describing: parser.parserError))")
        expect(reader.cases, is: 44)
        // Of each verdict: three levels, binding and provisional.
        expect(reader.failures == 1 + 6 + 1 && reader.errors == 6 + 1)
        expect(reader.counted, is: reader.failures + reader.errors)
        expect(reader.messages.contains("<&\"'> | `x`\n\u{FFFD}\u{FFFD} *"))
    }

    @Test func thePageOfPromisesSaysWhatWasTriedAndWhatIsNotKept() throws {
        func result(_ id: String, _ verdict: Verdict, _ note: String) -> CaseResult {
            var evidence = Evidence()
            evidence.notes = [note]
            let entry = SuiteEntry(id, .must, "It <holds> | always.").tried("cuts") { _ in }
            return CaseResult(
                entry.cases[0], verdict: verdict, duration: .seconds(1), evidence: evidence)
        }
        var run = ConformanceRun(BackendHarness(RunTests.reference))
        run.seed = 7
        let results = [
            result("SAVE-1", .failed("elsewhere"), ""),
            result("POWER-2", .passed, "120 states | of cuts"),
            result("FAULT-1", .expectedFailure(reason: "later", message: "3 of 9"), "9 calls"),
        ]
        let report = HarnessReport(run, traits: nil, results: results)
        let page = try ConformanceReport([report], baseline: "known.txt").formatted(.promises)
        let lines = page.split(separator: "\n")
        let rows = lines.filter { $0.hasPrefix("| POWER") || $0.hasPrefix("| FAULT") }
        expect(
            rows.map { $0.components(separatedBy: " | ").last },
            is: [
                "kept<br>120 states \\| of cuts |", "expected failure<br>9 calls |",
            ])
        expect(lines.contains("- reference, FAULT-1 cuts: later. Seen: 3 of 9"))
        expect(
            page.contains("--seed 7 --depth full --format promises --baseline known.txt")
                && !page.contains("elsewhere"))
    }

    @Test func tablesOfMarkdownHoldTheirColumns() throws {
        let text = try report.formatted(.markdown)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| SAVE-") }
        expect(!rows.isEmpty)
        for row in rows {
            let bars = row.replacingOccurrences(of: "\\|", with: "").filter { $0 == "|" }
            expect(bars.count, is: 5, "\(row)")
        }
        expect(text.contains("no &amp; no") && text.contains("stale &lt;entry\\>"))
    }

    @Test func textNamesWhatIsNotWell() throws {
        let text = try report.formatted(.text)
        expect(text.contains("FAILED SAVE-2 try \"it\" [must]"))
        expect(text.contains("[provisional]") && text.contains("HARNESS no & no"))
        expect(text.contains("PROBLEM stale <entry>"))
        expect(!text.contains("SAVE-1 "))
        expect(text.contains("  not applicable, needs files: SAVE-3"))
        expect(
            text.contains(
                "  must: 1 case not applicable, 1 not tried, 1 passed, 1 expected failure"))
        expect(text.contains("not tried: SAVE-7 try \"it\" (no such file)"))
    }

    @Test func provisionalAndOptionalFailuresDoNotCount() {
        let run = ConformanceRun(
            BackendHarness(RunTests.reference, child: .test(named: #function)))
        for entry in [
            SuiteEntry("SAVE-1", .must, "It holds.", isProvisional: true),
            SuiteEntry("SAVE-1", .should, "It holds."),
        ] {
            let sound = SuiteEntry("SAVE-2", .must, "It holds.").tried("a") { _ in }
            let failing = entry.tried("b") { _ in }
            let results =
                sound.cases.map { CaseResult($0, verdict: .passed, duration: .zero) }
                + failing.cases.map { CaseResult($0, verdict: .failed("no"), duration: .zero) }
            let report = HarnessReport(run, traits: nil, results: results)
            expect(report.outcome, is: .conformant)
            expect(report.requirements.last?.verdict, is: .failed)
        }
        expect(HarnessReport(run, traits: nil, results: []).outcome, is: .violation)
    }

    /// Counts what a reader of JUnit's XML sees.
    private final class Reader: NSObject, XMLParserDelegate {
        var (cases, failures, errors, counted) = (0, 0, 0, 0)
        var messages: [String] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
            qualifiedName: String?, attributes: [String: String]
        ) {
            switch name {
            case "testcase": cases += 1
            case "failure": failures += 1
            case "error": errors += 1
            case "testsuite":
                counted += ["failures", "errors"].reduce(0) { sum, name in
                    sum + (Int(attributes[name] ?? "") ?? 0)
                }
            default: break
            }
            if let message = attributes["message"] { messages.append(message) }
        }
    }
}
