import MemoryBackend
import StorageConformance
import Testing

/// Every requirement. What does not apply to stores in memory is skipped, with the reason.
@Test(arguments: ConformanceSuite.cases)
func memoryConforms(_ testCase: ConformanceCase) async throws {
    let verdict = try await testCase.check(BackendHarness(.memory, persistence: .process))
    if case .notApplicable(let capability) = verdict {
        print("\(testCase) does not apply: it needs \(capability.rawValue)")
        try Test.cancel("needs \(capability.rawValue)")
    }
}
