import BrowserSessions
import Expectations

@testable import StorageConformance

@Suite("What the suite catches")
struct KillMatrixTests {
    private func row(_ name: String, breaks: String, says: String, of backend: StorageBackend)
        async throws -> KillMatrix.Row
    {
        // Without a second process: these backends are faulty, but harmless.
        return try await verification.row(
            FaultyBackend(name, says: says, backend: backend, breaks: breaks))
    }

    private var verification: SuiteVerification {
        var verification = SuiteVerification { _, backend in BackendHarness(backend) }
        verification.cases = ConformanceSuite.cases.filter { $0.requirement.id == "CLOSE-1" }
        return verification
    }

    private var closesOnce: StorageBackend {
        get throws { try require(FaultyBackend.backend(named: "closes-once")) }
    }

    @Test func theRightRequirementWithTheRightMessage() async throws {
        let row = try await row(
            "a", breaks: "CLOSE-1", says: "the second close threw", of: closesOnce)
        expect(row.effect == .caught && row.others.isEmpty)
    }

    @Test func aWrongMessageIsNotEnough() async throws {
        let row = try await row("a", breaks: "CLOSE-1", says: "something else", of: closesOnce)
        expect(row.effect, is: .caughtElsewhere)
        expect(row.others.contains { $0.contains("CLOSE-1") })
    }

    @Test func aWrongRequirementIsNotEnough() async throws {
        let row = try await row("a", breaks: "CLOSE-999", says: "close", of: closesOnce)
        expect(row.effect, is: .caughtElsewhere)
    }

    @Test func aSoundBackendSurvives() async throws {
        let row = try await row(
            "a", breaks: "CLOSE-1", says: "close", of: RunTests.reference)
        expect(row.effect, is: .survived)
    }

    @Test func hollowBackendsShowWhatProvesLittle() async throws {
        let row = try await verification.row(
            try require(FaultyBackend.all.first { $0.name == "closes-once" }))
        let matrix = KillMatrix(
            rows: [row], hollow: try await verification.hollowRows(), unproven: [])
        expect(matrix.isSound && matrix.hollow.map(\.name) == ["null", "echo"])
        expect(matrix.hollow.allSatisfy { $0.passed == ["CLOSE-1 close twice"] && $0.total == 1 })
        for format in ReportFormat.allCases where ![.junit, .promises].contains(format) {
            let text = try require(try matrix.formatted(format))
            expect(text.contains("closes-once") && text.contains("echo"))
        }
    }

    @Test func theReportSaysWhatIsWrongWithTheSuite() throws {
        let rows = [
            KillMatrix.Row(name: "a", breaks: "CLOSE-1", effect: .survived, others: []),
            KillMatrix.Row(
                name: "b", breaks: "CLOSE-2", effect: .caughtElsewhere, others: ["CLOSE-3 x: y"]),
        ]
        let hollow = KillMatrix.HollowRow(name: "null", passed: ["CLOSE-1 x"], total: 9)
        let matrix = KillMatrix(rows: rows, hollow: [hollow], unproven: ["CLOSE-4"])
        for format in [ReportFormat.text, .markdown] {
            let text = try require(try matrix.formatted(format))
            for part in [
                "SURVIVED", "by CLOSE-3 x: y", "null passes 1 of 9 cases", "CLOSE-1 x",
                "0 of 2 faulty backends", "WITHOUT A FAULTY BACKEND: CLOSE-4", "DOES NOT CATCH",
            ] { expect(text.contains(part), "\(part)") }
        }
        let some = try require(
            try KillMatrix(rows: rows, hollow: [], unproven: []).formatted(.text))
        expect(!some.contains("The suite"))
    }

    @Test func aMustWithoutAFaultyBackendIsNamed() {
        let unproven = SuiteVerification.unproven([])
        expect(unproven.contains("CLOSE-1"))
        expect(!SuiteVerification.unproven(FaultyBackend.all).contains("CLOSE-1"))
        let matrix = KillMatrix(rows: [], hollow: [], unproven: unproven)
        expect(!matrix.isSound)
    }
}
