import BrowserModel
import BrowserSessions
import DirectoryBackend
import Expectations
import Foundation
import LevelDBBackend
import SQLiteBackend
import SessionTesting
import TestSupport

@testable import SessionRestoration

/// Hosts that do what their seed says, are hurt and killed several times, and get back what they had.
///
/// `HOST_SEED=17` repeats one seed, `HOST_SEEDS=500` tries another number of them, and
/// `HOST_SEED_FROM=1000` begins elsewhere.
@MainActor @Suite(.timeLimit(.minutes(60)), .serialized)
struct RandomHostTests {
    nonisolated static let backends: [StorageBackend] = [.directory, .sqlite, .leveldb]

    private static func given(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    /// - Parameter found: seeds that found something once, which are tried each time.
    private func seeds(_ bounded: Int, nightly: Int, _ found: [UInt64]) -> [UInt64] {
        if let seed = Self.given("HOST_SEED") { return [seed] }
        let first = Self.given("HOST_SEED_FROM") ?? 1
        let count = UInt64(TestRun.amount(bounded, nightly: nightly))
        return found + (first..<first + (Self.given("HOST_SEEDS") ?? count))
    }

    private nonisolated static let rules: [StructureRules] = [
        .flatGroups, .zen, .trees, .everything,
    ]

    @Test(arguments: rules.indices) func everyoneGetsBackWhatTheyHad(rules: Int) async throws {
        let found: [UInt64] = rules == 0 ? [4159, 14477] : [23, 1264, 4848]
        for seed in seeds(rules == 0 ? 60 : 6, nightly: 5_000, found) {
            let host = RandomHost(
                seed: seed, rules: Self.rules[rules], goesBack: !found.contains(seed),
                over: MemoryStorage(maximumStateBytes: 1 << 16)
            ) {
                guard let memory = $0 as? MemoryStorage else { return $0 }
                return memory.reopened()
            }
            guard await isFine(host, "memory, rules \(rules),", seed) else { return }
        }
    }

    @Test(arguments: backends)
    func everyoneGetsBackWhatTheyHadOnDisk(backend: StorageBackend) async throws {
        let found: [UInt64] = [268, 256]
        for seed in seeds(4, nightly: 300, found) {
            let folder = TemporaryFolder()
            let configuration = StorageConfiguration(location: folder.file("store"))
            let store = try await backend.open(configuration)
            let host = RandomHost(
                seed: seed, goesBack: !found.contains(seed), over: store
            ) {
                try await $0.close()
                return try await backend.open(configuration)
            }
            guard await isFine(host, "\(backend)", seed) else { return }
            try await host.storage.base.close()
        }
    }

    private func isFine(_ host: RandomHost, _ store: String, _ seed: UInt64) async -> Bool {
        do {
            try await host.live()
            return true
        } catch {
            recordIssue(
                """
                seed \(seed) over \(store), to be repeated with HOST_SEED=\(seed): \(error)
                after \(host.log.suffix(40).joined(separator: "\n"))
                """)
            return false
        }
    }
}
