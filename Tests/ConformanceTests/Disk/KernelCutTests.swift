import Expectations
import Foundation
import StorageConformance
import TestSupport

/// A simulation is worth what it says of the real thing.
@Suite(
    "A file system that the kernel cuts off",
    .enabled(if: TestRun.isNightly && geteuid() == 0, "at night, as the superuser"))
struct KernelCutTests {
    @Test("it shows what the simulated disk shows: a store that never syncs loses what it promised")
    func lost() async throws {
        let harness = try BuiltChecker.harness(faulty: "acknowledges-unsynced-saves")
        let testCase = try require(ConformanceSuite.cases.first { $0.requirement.id == "POWER-8" })
        do {
            let verdict = try await testCase.check(any: harness, depth: .full)
            if case .notTried(let why) = verdict { try Test.cancel("\(why)") }
            recordIssue("the kernel's cuts were survived: \(verdict)")
        } catch let failure as ConformanceFailure {
            expect(failure.description.contains("of 12 states are wrong"))
        }
    }
}
