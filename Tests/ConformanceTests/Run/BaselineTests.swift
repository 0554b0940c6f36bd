import Expectations

@testable import StorageConformance

@Suite("Expected failures")
struct BaselineTests {
    private static let close = ConformanceSuite.cases.filter { $0.requirement.id == "CLOSE-1" }

    private func apply(_ text: String, _ verdict: Verdict) throws -> ([Verdict], [String]) {
        let results = Self.close.map { CaseResult($0, verdict: verdict, duration: .zero) }
        let (graded, problems) = try Baseline(parsing: text).apply(to: results, of: "mine")
        return (graded.map(\.verdict), problems)
    }

    @Test(arguments: [
        "# known\n\nCLOSE-1: later: with 2.0\n", "CLOSE-1 close twice: later: with 2.0",
        "[mine] CLOSE-1: later: with 2.0", "{\"CLOSE-1\": \"later: with 2.0\"}",
    ])
    func aKnownFailureIsExpected(text: String) throws {
        let (verdicts, problems) = try apply(text, .failed("how"))
        expect(verdicts.first, is: .expectedFailure(reason: "later: with 2.0", message: "how"))
        expect(problems.isEmpty)
    }

    @Test func anEntryThatPassesFails() throws {
        let (verdicts, problems) = try apply("CLOSE-1: later", .passed)
        expect(verdicts.first, is: .unexpectedPass(reason: "later"))
        expect(problems.count, is: Self.close.count)
    }

    @Test(arguments: ["CLOSE-1?: seldom", "[mine] CLOSE-1 close twice?: seldom"])
    func aRareFailureNeedNotBeSeen(text: String) throws {
        expect(try apply(text, .passed) == ([.passed], []))
        let (verdicts, _) = try apply(text, .failed("how"))
        expect(verdicts, is: [.expectedFailure(reason: "seldom", message: "how")])
        let entry = try Baseline(parsing: text).entry(for: Self.close[0], of: "mine")
        expect(entry?.isRare, is: true)
    }

    @Test func anEntryForNothingFails() throws {
        let (_, problems) = try apply("CLOSE-99: later", .passed)
        expect(problems, is: ["the baseline names 'CLOSE-99', which does not exist"])
    }

    @Test func theEntryOfAnotherBackendIsNotLookedAt() throws {
        let (verdicts, problems) = try apply("[other] CLOSE-1: later", .failed("how"))
        expect(verdicts.first == .failed("how") && problems.isEmpty)
    }

    @Test(arguments: ["CLOSE-1", "CLOSE-1: ", "{\"CLOSE-1\": \"\"}", "{", "A: b\nA: b"])
    func mistakes(text: String) {
        expect(throws: Baseline.Mistake.self) { try Baseline(parsing: text) }
    }
}
