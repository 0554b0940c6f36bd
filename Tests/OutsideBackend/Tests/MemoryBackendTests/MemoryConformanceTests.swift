import BrowserSessions
import MemoryBackend
import StorageConformance
import Testing

@Test(arguments: ConformanceSuite.cases)
func memoryConforms(_ testCase: ConformanceCase) async throws {
    try await testCase.check(BackendHarness(.memory, persistence: .process))
}
