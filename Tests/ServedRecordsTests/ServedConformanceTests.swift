import BrowserSessions
import Expectations
import ServedRecords
import StorageConformance
import TestSupport

/// Every requirement, for a store with its records in another process. An engine of our own ends no
/// process, so only what needs one, and the nightly run, has one for each case.
@Suite("A store in another process conforms", .serialized)
struct ServedConformanceTests {
    @Test(arguments: tried)
    func served(_ testCase: ConformanceCase) async throws {
        let harness = try ServedHarness(startsProcesses: testCase.hasOwnProcess)
        let verdict = try await testCase.check(any: harness)
        if case .notApplicable(let capability) = verdict {
            expect(!abilities.contains(capability))
            try Test.cancel("needs \(capability.rawValue)")
        }
    }

    /// Of SHARED, with a change, one case of each requirement: the medium in the process of
    /// `SharedMediumTests` meets them all.
    private static var tried: [ConformanceCase] {
        var seen: Set<String> = []
        return ConformanceSuite.cases.filter {
            let isFirst = seen.insert($0.requirement.id).inserted
            return isFirst || TestRun.isNightly || $0.requirement.group != .shared
        }
    }

    /// A key that the new owner has too must not be destroyed by the old one.
    @Test(
        arguments: ConformanceSuite.cases.filter {
            $0.requirement.group == .fence || TestRun.isNightly && $0.requirement.group == .shared
        })
    func sealed(_ testCase: ConformanceCase) async throws {
        let harness = try ServedHarness(startsProcesses: testCase.hasOwnProcess, isSealed: true)
        try await testCase.check(any: harness)
    }

    /// What of the needs of requirements it has.
    private let abilities: Set<Capability> = [
        .reopening, .ownProcess, .processes, .processCrash, .restorePoints, .takesRestorePoints,
        .incognitoSurvivesKill, .takeover, .erasure, .link, .troubles,
    ]
}
