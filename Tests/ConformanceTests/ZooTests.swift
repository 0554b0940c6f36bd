import BrowserSessions
import Expectations
import TestSupport

@testable import StorageConformance

/// One after the other, like everything that runs cases here: hundreds at once would meet their time
/// limits on a small machine.
@Suite("The suite catches every faulty backend", .serialized)
struct ZooTests {
    /// Of the requirements that record processes and cut or fail what they do, the first faulty backend of
    /// each, and all others; `make nightly PART=faults` tries all.
    private static var tried: [FaultyBackend] {
        let laboratory: [RequirementGroup] = [.crash, .power, .fault, .erase]
        return ConformanceSuite.entries.flatMap { entry in
            laboratory.contains(entry.requirement.group)
                ? Array(entry.faultyBackends.prefix(1)) : entry.faultyBackends
        }
    }

    @Test(arguments: tried.map(\.name))
    func isCaught(name: String) async throws {
        let mutant = try require(FaultyBackend.all.first { $0.name == name })
        let harness = mutant.dress(try BuiltChecker.harness(faulty: name))
        var (messages, others): ([String], [String]) = ([], [])
        func isCaught() -> Bool { messages.contains { $0.contains(mutant.message) } }
        for testCase in ConformanceSuite.cases
        where testCase.requirement.id == mutant.breaks && !isCaught() {
            do {
                let verdict = try await testCase.check(any: harness, depth: .quick)
                others.append("\(testCase.id): \(verdict)")
            } catch let failure as ConformanceFailure {
                messages.append(failure.description)
            }
        }
        expect(
            isCaught(),
            "\(mutant.breaks) does not catch '\(name)' with '\(mutant.message)': \(messages), \(others)"
        )
    }
}

@Suite("The medium that faulty backends are made from is sound", .serialized)
struct SharedMediumTests {
    @Test(
        arguments: ConformanceSuite.cases.filter {
            [.fence, .shared].contains($0.requirement.group)
                && !$0.requirement.needs.contains(.incognitoSealed)
        })
    func sharedMedium(_ testCase: ConformanceCase) async throws {
        let sound = FaultyBackend("sound", says: "", sharing: nil)
        let harness = sound.dress(BackendHarness(sound.backend))
        let verdict = try await testCase.check(any: harness, depth: .ofThisRun)
        expect(verdict, is: .passed)
    }
}

@Suite(
    "The store that faulty backends are made from is sound", .serialized,
    .enabled(if: TestRun.isNightly, "the faults of the zoo say as much with every change"))
struct ReferenceTests {
    /// But for what a log that is written in place does not notice.
    @Test(arguments: ConformanceSuite.cases.filter { $0.requirement.id != "BACKUP-4" })
    func reference(_ testCase: ConformanceCase) async throws {
        let backend = StorageBackend(name: "reference", summary: "") {
            configuration throws(StorageError) in
            try ReferenceEngine.open(configuration)
        }
        try await testCase.check(BackendHarness(backend), depth: .ofThisRun)
    }
}
