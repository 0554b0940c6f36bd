import DirectoryBackend
import StorageConformance
import Testing

@Suite("The built-in backends conform")
struct BackendConformanceTests {
    @Test(arguments: ConformanceSuite.cases)
    func directory(_ testCase: ConformanceCase) async throws {
        try await testCase.check(BackendHarness(.directory))
    }
}
