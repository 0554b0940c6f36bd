import BrowserSessions
import DirectoryBackend
import Foundation
import LevelDBBackend
import SQLiteBackend
import StorageConformance
import TestSupport
import Testing

// A suite for each backend, so that they run side by side, and the cases of each one after the other.

@Suite("The directory backend conforms", .serialized)
struct DirectoryConformanceTests {
    @Test(arguments: ConformanceSuite.cases)
    func directory(_ testCase: ConformanceCase) async throws {
        try await check(testCase, .directory)
    }
}

@Suite("The SQLite backend conforms", .serialized)
struct SQLiteConformanceTests {
    @Test(arguments: ConformanceSuite.cases)
    func sqlite(_ testCase: ConformanceCase) async throws {
        try await check(testCase, .sqlite)
    }
}

@Suite("The LevelDB backend conforms", .serialized)
struct LevelDBConformanceTests {
    @Test(arguments: ConformanceSuite.cases)
    func leveldb(_ testCase: ConformanceCase) async throws {
        try await check(testCase, .leveldb)
    }
}

/// Runs a case that must pass, or must fail if it is among the expected failures.
private func check(_ testCase: ConformanceCase, _ backend: StorageBackend) async throws {
    let known = try expectedFailures.get().entry(for: testCase, of: backend.name)
    try await withKnownIssue(
        Comment(rawValue: known?.reason ?? ""), isIntermittent: known?.isRare == true
    ) {
        var harness = try BuiltChecker.harness(backend)
        if !needsProcess(testCase) { harness.child = nil }
        try await testCase.check(any: harness, depth: .ofThisRun)
    } when: {
        known != nil
    }
}

/// Whether a case has a process of its own: in the nightly run each, with a change those that need one,
/// and those of groups that end or damage something.
private func needsProcess(_ testCase: ConformanceCase) -> Bool {
    let harmless: [RequirementGroup] = [.save, .restore, .state, .error, .limits, .configuration]
    return testCase.hasOwnProcess || !harmless.contains(testCase.requirement.group)
}

/// What is known to be wrong with the backends, and accepted until it is put right.
private let expectedFailures = Result {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Backends/expected-failures.txt")
    return try Baseline(parsing: String(contentsOf: file, encoding: .utf8))
}
