import BrowserSessions
import DirectoryBackend
import Expectations

@testable import StorageConformance

@Suite("Replaying a seed")
struct ReplayTests {
    @Test("a seed fails at the same step, with the same short sequence, every time")
    func isTheSame() async throws {
        let harness = try BuiltChecker.harness(faulty: "brings-removed-titles-back")
        var reports: [ReplayReport] = []
        for _ in 1...2 {
            reports.append(try await ConformanceSuite.replay(1000, onAny: [harness]))
        }
        let failure = try require(reports[0].failure)
        expect(reports[0], is: reports[1])
        expect(failure.shortest.count, is: 4, "\(failure.shortest)")
    }

    @Test("a failed case names the seed that fails at the same step")
    func theCaseNamesTheSeed() async throws {
        let harness = try BuiltChecker.harness(faulty: "brings-removed-titles-back")
        let testCase = try require(ConformanceSuite.cases.first { $0.requirement.id == "MODEL-1" })
        let report = try await ConformanceSuite.replay(1000, onAny: [harness])
        let step = try require(report.failure?.step)
        do {
            try await testCase.check(any: harness)
            recordIssue("the case passed")
        } catch let failure as ConformanceFailure {
            expect(failure.description.contains("seed 1000:"))
            expect(failure.description.contains("at step \(step) of 110"))
            expect(failure.description.contains("child --mutant"))
        }
    }

    @Test("neither steps nor failures hold content of sessions")
    func noContent() async throws {
        let harness = try BuiltChecker.harness(faulty: "brings-removed-titles-back")
        let lines = FaultMemory<[String]>([])
        let report = try await ConformanceSuite.replay(
            1000, onAny: [harness], progress: { line in lines.use { $0.append(line) } }
        )
        let text = lines.use { $0.joined(separator: "\n") } + "\(report)"
        for content in ["example", "Page", "Säge", "頁", "zoom"] { expect(!text.contains(content)) }
        expect(text.contains("save(r1"))
    }

    @Test("kills are replayed too; between two saves in lockstep, and so always the same")
    func kills() async throws {
        let faulty = try BuiltChecker.harness(
            faulty: "holds-every-other-save-back", label: "faulty")
        let sound = try BuiltChecker.harness(.directory, label: "sound")
        var failures: [ReplayReport.Failure] = []
        for _ in 1...2 {
            let report = try await ConformanceSuite.replay(
                1002, onAny: [sound, faulty])
            failures.append(try require(report.failure))
        }
        expect(failures[0], is: failures[1])
        expect(failures[0].label, is: "faulty")
        expect(failures[0].message.contains("after a kill"))
        expect(failures[0].shortest.last?.contains("kill a process after save"), is: true)
    }

    @Test("a harness without processes cannot replay kills")
    func noProcesses() async throws {
        await expect(throws: HarnessFault.self) {
            let harness: any StorageHarness = BackendHarness(RunTests.reference)
            _ = try await ConformanceSuite.replay(1002, onAny: [harness])
        }
    }
}
