import BrowserSessions
import SessionSamples
import TestSupport
import Testing

/// Long random use of all backends at once, with closes and kills, against what must be there.
///
/// `BROWSER_SESSIONS_SEED` chooses other sequences, `BROWSER_SESSIONS_EDITS` longer ones.
@Suite("random use")
struct ModelTests {
    private static let seed = UInt64(environment("BROWSER_SESSIONS_SEED", default: 1))
    private static let edits = environment("BROWSER_SESSIONS_EDITS", default: 120)

    @Test("every backend does as the model", arguments: [seed, seed + 1])
    func lockstep(seed: UInt64) async throws {
        log("random use, seed \(seed)")
        var sampler = SessionSampler(seed: seed)
        var stores: [Kept] = []
        for subject in Subject.all { stores.append(try await Kept(subject)) }
        var windows: [StorageSide: [SessionSnapshot]] = [:]
        for (side, kind) in [(StorageSide.regular, SessionKind.regular), (.incognito, .incognito)] {
            windows[side] = [sampler.window(tabs: 12, kind: kind, state: .navigationOnly)]
            let opening = SessionEdit(.openWindow, from: [], to: windows[side] ?? [])
            for store in stores { _ = try await store.storage.save(opening.changes) }
        }
        for step in 1...Self.edits {
            let side: StorageSide = sampler.generator.chance(3, in: 4) ? .regular : .incognito
            let edit = sampler.randomEdit(of: windows[side] ?? [])
            windows[side] = edit.expected
            let durability: Durability =
                sampler.generator.chance(1, in: 3) ? .powerLoss : .processCrash
            for store in stores {
                _ = try await store.storage.save(edit.changes, durability: durability)
            }
            guard step.isMultiple(of: 10) else { continue }
            let isKilled = sampler.generator.chance(1, in: 2)
            for index in stores.indices {
                if isKilled {
                    try await stores[index].kill()
                } else {
                    try await stores[index].reopen()
                }
                let problems = try await stores[index].differences(
                    from: windows.values.flatMap(\.self))
                #expect(problems == [], "seed \(seed), step \(step)")
            }
        }
        for store in stores { try await store.storage.close() }
    }

    /// A store that is closed, killed and opened again.
    private struct Kept {
        let subject: Subject
        private(set) var folder = TemporaryFolder(inMemory: true)
        private(set) var storage: any SessionStorage

        init(_ subject: Subject) async throws {
            self.subject = subject
            storage = try await subject.open(folder)
        }

        mutating func reopen() async throws {
            try await storage.close()
            storage = try await subject.open(folder)
        }

        /// Goes on with what a kill would have left.
        mutating func kill() async throws {
            let left = TemporaryFolder(inMemory: true)
            try FileSystem.copy(folder.file("profile"), to: left.file("profile"))
            try await storage.close()
            folder = left
            storage = try await subject.open(folder)
        }

        func differences(from expected: [SessionSnapshot]) async throws -> [String] {
            var problems: [String] = []
            let name = subject.backend.name
            if try await storage.sessions() != expected.map(\.id).sorted() {
                problems.append("\(name): other sessions")
            }
            for session in expected {
                guard let restored = try await storage.restore(session.id) else {
                    problems.append("\(name): \(session.id) is not there")
                    continue
                }
                if restored.provenance != .intact || restored.repairs != [] {
                    problems.append("\(name): \(session.id) is not intact")
                }
                if !session.equals(restored) { problems.append("\(name): \(session.id) differs") }
                let keys = try await storage.stateKeys(in: session.id)
                if Set(keys) != Set(session.blobs.keys) {
                    problems.append("\(name): \(session.id) has other states")
                }
                if try await storage.state(of: keys) != session.blobs {
                    problems.append("\(name): \(session.id) has other bytes in its states")
                }
            }
            if try await storage.recover(.check).losses != [] { problems.append("\(name): losses") }
            return problems
        }
    }
}
