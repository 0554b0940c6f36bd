import Expectations

@testable import StorageConformance

@Suite("What becomes of a store's claims")
struct ClaimTests {
    private static let cases = ConformanceSuite.cases

    /// The standing of a claim if the cases of the requirement that proves it come out like this.
    private func standing(
        _ capability: Capability, claimed: Bool = true, dropping dropped: Int = 0,
        _ verdict: (Int) -> Verdict
    ) throws -> Claim.Standing {
        let proof = try require(ConformanceSuite.entries.first { $0.proves == capability })
        let results = proof.cases.dropLast(dropped).enumerated().map { number, testCase in
            CaseResult(testCase, verdict: verdict(number), duration: .zero)
        }
        let claims = Claim.all(claimed: claimed ? [capability] : [], results: results)
        return try require(claims.first { $0.capability == capability }).standing
    }

    @Test func itIsProvenIfEveryCasePassed() throws {
        expect(try standing(.processCrash) { _ in .passed } == .proven)
        // A store that does not know one of the levels has nothing to show there.
        expect(try standing(.processCrash) { $0 == 0 ? .passed : .notTried("") } == .proven)
    }

    @Test func itIsNotTriedIfACaseIsMissingOrSaysNothing() throws {
        expect(try standing(.processCrash, dropping: 1) { _ in .passed } == .claimedNotTried)
        expect(try standing(.processCrash) { _ in .notTried("") } == .claimedNotTried)
        expect(try standing(.processCrash) { $0 == 0 ? .errored("") : .passed } == .claimedNotTried)
        expect(try standing(.processCrash) { _ in .notApplicable(.processes) } == .claimedNotTried)
    }

    @Test func itIsRefutedByOneFailureExpectedOrNot() throws {
        expect(try standing(.processCrash) { $0 == 0 ? .failed("") : .passed } == .refuted)
        expect(
            try standing(.reopening) { _ in .expectedFailure(reason: "", message: "") } == .refuted)
    }

    @Test func whatIsNotClaimedIsNotProven() throws {
        expect(try standing(.processCrash, claimed: false) { _ in .passed } == .notClaimed)
    }

    @Test("a store that passes all that applies is not proven where calls cannot be watched")
    func powerLossIsNotProvenByOtherCases() throws {
        let results = Self.cases.map {
            let isPower = $0.requirement.group == .power
            return CaseResult(
                $0, verdict: isPower ? .notApplicable(.watchedCalls) : .passed, duration: .zero)
        }
        let claims = Claim.all(claimed: Set(Capability.claims), results: results)
        expect(claims.filter { $0.standing != .proven }.map(\.capability), is: [.powerLoss])
        let run = ConformanceRun(
            BackendHarness(RunTests.reference, child: .test(named: #function)))
        let report = HarnessReport(
            run, traits: StorageTraitsSample.everything, results: results)
        expect(report.outcome == .conformant && report.untried == ["powerLoss"])
        for format in ReportFormat.allCases {
            let text = try ConformanceReport([report]).formatted(format)
            expect(
                text.contains("not tried") || text.contains("claimedNotTried")
                    || format == .promises && text.contains("| not applicable |"))
        }
    }
}
