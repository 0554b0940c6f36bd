import BrowserSessions
import DirectoryBackend
import Foundation
import LevelDBBackend
import SQLiteBackend
import StorageConformance
import TestSupport
import Testing

// A suite for each backend, so that they run in parallel, and the cases of each one after the other. What
// a backend claims is asked once. Each case goes as deep as with a change: at full depth all are tried by
// `make check`, and the part `suite` of the nightly run.

@Suite("The directory backend conforms", .serialized)
struct DirectoryConformanceTests {
    private static let traits = Task { try await BuiltChecker.harness(.directory).readTraits() }

    @Test(arguments: ConformanceSuite.cases)
    func directory(_ testCase: ConformanceCase) async throws {
        try await check(testCase, .directory, Self.traits.value)
    }
}

@Suite("The SQLite backend conforms", .serialized)
struct SQLiteConformanceTests {
    private static let traits = Task { try await BuiltChecker.harness(.sqlite).readTraits() }

    @Test(arguments: ConformanceSuite.cases)
    func sqlite(_ testCase: ConformanceCase) async throws {
        try await check(testCase, .sqlite, Self.traits.value)
    }
}

@Suite("The LevelDB backend conforms", .serialized)
struct LevelDBConformanceTests {
    private static let traits = Task { try await BuiltChecker.harness(.leveldb).readTraits() }

    @Test(arguments: ConformanceSuite.cases)
    func leveldb(_ testCase: ConformanceCase) async throws {
        try await check(testCase, .leveldb, Self.traits.value)
    }
}

/// Runs a case that must pass, or must fail if it is among the expected failures.
private func check(
    _ testCase: ConformanceCase, _ backend: StorageBackend, _ traits: StorageTraits
) async throws {
    let known = try expectedFailures.get().entry(for: testCase, of: backend.name)
    try await withKnownIssue(
        Comment(rawValue: known?.reason ?? ""), isIntermittent: known?.isRare == true
    ) {
        var harness = try BuiltChecker.harness(backend)
        if !needsProcess(testCase) { harness.child = nil }
        try await testCase.check(any: harness, traits: traits, depth: .quick)
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
