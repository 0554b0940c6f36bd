import DirectoryBackend
import LevelDBBackend
import SQLiteBackend
import StorageConformance
import Testing

@Suite("The built-in backends conform", .serialized)
struct BackendConformanceTests {
    @Test(arguments: ConformanceSuite.cases)
    func directory(_ testCase: ConformanceCase) async throws {
        try await testCase.check(BackendHarness(.directory))
    }

    @Test(arguments: ConformanceSuite.cases)
    func sqlite(_ testCase: ConformanceCase) async throws {
        try await testCase.check(BackendHarness(.sqlite))
    }

    @Test(arguments: ConformanceSuite.cases)
    func leveldb(_ testCase: ConformanceCase) async throws {
        try await testCase.check(BackendHarness(.leveldb))
    }
}
