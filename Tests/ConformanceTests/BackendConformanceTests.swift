import DirectoryBackend
import LevelDBBackend
import SQLiteBackend
import StorageConformance
import Testing

// A suite for each backend, so that they run side by side, and the cases of each one after the other.

@Suite("The directory backend conforms", .serialized)
struct DirectoryConformanceTests {
    @Test(arguments: ConformanceSuite.cases)
    func directory(_ testCase: ConformanceCase) async throws {
        try await testCase.check(any: BuiltChecker.harness(.directory), depth: .ofThisRun)
    }
}

@Suite("The SQLite backend conforms", .serialized)
struct SQLiteConformanceTests {
    @Test(arguments: ConformanceSuite.cases)
    func sqlite(_ testCase: ConformanceCase) async throws {
        try await testCase.check(any: BuiltChecker.harness(.sqlite), depth: .ofThisRun)
    }
}

@Suite("The LevelDB backend conforms", .serialized)
struct LevelDBConformanceTests {
    @Test(arguments: ConformanceSuite.cases)
    func leveldb(_ testCase: ConformanceCase) async throws {
        try await testCase.check(any: BuiltChecker.harness(.leveldb), depth: .ofThisRun)
    }
}
