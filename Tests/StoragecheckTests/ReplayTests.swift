import Expectations
import Foundation
import TestSupport

@Suite("storagecheck replay")
struct ReplayTests {
    private let place = TemporaryFolder()

    @Test func everyStepIsALine() throws {
        let stores = place.file("stores")
        let outcome = try CheckTool.run(["replay", "1002", "--storage", "sqlite://\(stores)"])
        expect(outcome.status, is: 0, "\(outcome.output)\(outcome.messages)")
        let lines = outcome.output.split(separator: "\n")
        expect(lines.count { $0.contains("kill a process") }, is: 5)
        expect(lines.last, is: "seed 1002: all 42 steps as the model")
        expect(!FileManager.default.fileExists(atPath: stores))
    }

    @Test func withoutAStoreAllBackendsGoInLockstep() throws {
        let outcome = try CheckTool.run(["replay", "1000"])
        expect(outcome.status, is: 0, "\(outcome.output)\(outcome.messages)")
    }

    @Test func aFailureIsTheSameAgainAndAViolation() throws {
        let arguments = ["replay", "1000", "--mutant", "brings-removed-titles-back"]
        let outcomes = try [CheckTool.run(arguments), CheckTool.run(arguments)]
        expect(outcomes.map(\.status), is: [1, 1])
        expect(outcomes[0].output, is: outcomes[1].output)
        expect(outcomes[0].output.contains(/at step \d+ of 110/))
    }
}
