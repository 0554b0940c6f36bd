import BrowserSessions
import DirectoryBackend
import Expectations
import LevelDBBackend
import SQLiteBackend

@testable import StorageConformance

@Suite("Random use in lockstep", .serialized)
struct LockstepTests {
    /// One seed of each kind of sequence: calls, reopenings, kills, refused sets; then with nodes.
    private static let seeds: [UInt64] =
        Array(9000...9003) + [9001, 9003].map { $0 | ModelSequence.nodesBit }

    @Test("all backends answer as the model, and as each other", arguments: seeds)
    func lockstep(seed: UInt64) async throws {
        let report = try await ConformanceSuite.replay(
            seed,
            onAny: [
                BuiltChecker.harness(.directory), BuiltChecker.harness(.sqlite),
                BuiltChecker.harness(.leveldb),
            ])
        expect(report.failure == nil, "\(report)")
    }

    @Test("a store that goes its own way is named")
    func oneIsDifferent() async throws {
        let faulty = try BuiltChecker.harness(
            faulty: "keeps-the-place-of-moved-tabs", label: "faulty")
        let report = try await ConformanceSuite.replay(
            9001, onAny: [BuiltChecker.harness(.directory), faulty])
        expect(report.failure?.label, is: "faulty", "\(report)")
    }
}
