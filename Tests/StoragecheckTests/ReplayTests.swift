import Expectations
import Foundation
import TestSupport

@Suite("storagecheck replay")
struct ReplayTests {
    @Test func everyStepIsALine() throws {
        let folder = try CheckTool.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let outcome = try CheckTool.run([
            "replay", "1002", "--storage", "sqlite://\(folder)/stores",
        ])
        expect(outcome.status, is: 0, "\(outcome.output)\(outcome.messages)")
        let lines = outcome.output.split(separator: "\n")
        expect(lines.count { $0.contains("kill a process") }, is: 5)
        expect(lines.last, is: "seed 1002: all 42 steps as the model")
        expect(!FileManager.default.fileExists(atPath: "\(folder)/stores"))
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

    @Test(arguments: [
        ["replay"], ["replay", "1", "--group", "MODEL"], ["replay", "1", "--mutant", "unknown"],
        ["run", "--mutant", "drops-the-fifth-move"],
    ])
    func mistakesOfTheCommandLine(arguments: [String]) throws {
        expect(try CheckTool.run(arguments).status == 64)
    }
}
