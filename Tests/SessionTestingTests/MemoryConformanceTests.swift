import Expectations
import SessionTesting
import StorageConformance
import TestSupport

/// Every requirement. What does not apply to stores in memory is skipped, with the reason. A double
/// of our own ends no process, so only what needs one, and the nightly run, has one for each case.
@Suite("The store in memory conforms", .serialized)
struct MemoryConformanceTests {
    @Test(arguments: ConformanceSuite.cases)
    func memoryConforms(_ testCase: ConformanceCase) async throws {
        let needs = testCase.requirement.needs
        let hasProcess = needs.contains(.ownProcess) || TestRun.isNightly
        let child = hasProcess ? ChildCommand.test(named: #function) : nil
        let verdict = try await testCase.check(any: MemoryHarness(child: child))
        let missing = needs.first { !abilities.contains($0) }
        expect(verdict, is: missing.map { .notApplicable($0) } ?? .passed)
        if let missing { try Test.cancel("needs \(missing.rawValue)") }
    }

    /// A double must not be weaker than what it stands for. The whole suite at night: with each
    /// change `FaultyStorageTests` show that every call is passed on, once and as it is.
    @Test(
        .enabled(if: TestRun.isNightly, "part of the nightly run: NIGHTLY=1"),
        arguments: ConformanceSuite.cases)
    func wrapperWithoutFaultsConformsLikeItsBase(_ testCase: ConformanceCase) async throws {
        let child = ChildCommand.test(named: #function)
        try await testCase.check(any: MemoryHarness(child: child) { FaultyStorage($0) })
    }

    /// What a store in memory can do of what requirements need.
    private let abilities: Set<Capability> = [
        .reopening, .ownProcess, .restorePoints, .takesRestorePoints, .incognitoErased, .erasure,
        .removalErased,
    ]
}
