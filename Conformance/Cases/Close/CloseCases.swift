import BrowserSessions
import Foundation
import SessionSamples
import Synchronization

extension ConformanceSuite {
    // MARK: - File handles

    @Sendable static func fileHandles(_ context: CaseContext) async throws {
        var sampler = context.sampler
        let location = try await context.makeLocation()
        let rounds = 50
        var before = 0
        for round in 0...rounds {
            let store = try await context.open(location)
            for kind in [SessionKind.regular, .incognito] {
                let sample = sampler.window(tabs: 1, kind: kind)
                _ = try await store.save(SessionChanges(saving: sample), durability: .memory)
            }
            try await store.close()
            // The first round opens what a process opens once: random numbers, time zones.
            if round == 0 { before = countOpenFiles() }
        }
        let more = countOpenFiles() - before
        try require(
            more < rounds / 4, "\(rounds) openings and closings left \(more) files open")
    }

    /// Returns the fewest of several counts: the runtime briefly opens files to measure the load.
    private static func countOpenFiles() -> Int {
        let limit = Int32(min(sysconf(Int32(_SC_OPEN_MAX)), 1 << 16))
        let looks = (0..<5).map { _ in (0..<limit).count { fcntl($0, F_GETFD) >= 0 } }
        return looks.min() ?? 0
    }

    // MARK: - Calls that meet a close

    /// What the savers know at the end, and whether the store was closed.
    private final class Outcomes: Sendable {
        private let closed = Mutex(false)
        private let acknowledgedSaves = Mutex<[SessionSnapshot]>([])
        private let refusedSaves = Mutex<[(SessionSnapshot, StorageError)]>([])

        func acknowledge(_ sample: SessionSnapshot) {
            acknowledgedSaves.withLock { $0.append(sample) }
        }
        func refuse(_ sample: SessionSnapshot, _ error: StorageError) {
            refusedSaves.withLock { $0.append((sample, error)) }
        }
        var isClosed: Bool {
            get { closed.withLock(\.self) }
            set { closed.withLock { $0 = newValue } }
        }
        var acknowledged: [SessionSnapshot] { acknowledgedSaves.withLock(\.self) }
        var refused: [(SessionSnapshot, StorageError)] { refusedSaves.withLock(\.self) }
    }

    @Sendable static func callsDuringClose(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let store = try await context.open(location)
        let effects = Outcomes()
        let (saves, report) = AsyncStream<Void>.makeStream()
        let seed = context.seed
        try await withThrowingTaskGroup(of: Void.self) { group in
            for saver in 0..<4 {
                group.addTask {
                    let sampler = SessionSampler(seed: seed &+ UInt64(saver) &+ 1)
                    defer { report.finish() }
                    try await saveUntilClosed(store, sampler, effects) { report.yield() }
                }
            }
            group.addTask { try await readUntilClosed(store, effects) }
            var count = 0
            for await _ in saves {
                count += 1
                if count == 12 { break }
            }
            try await close(store, effects)
            try await group.waitForAll()
        }
        let again = try await context.open(location)
        for sample in effects.acknowledged {
            let found = try unwrap(
                try await again.restore(sample.id), "a save that returned before close is gone")
            try requireEqual(
                found.tabs.map(\.id), sample.tabs.map(\.metadata.id),
                "the tabs of a save that returned before close")
        }
        for (sample, error) in effects.refused {
            try requireEqual(error.effect, .notApplied, "the effect of a save that met close")
            try require(
                try await again.restore(sample.id) == nil,
                "a save that threw closed was applied all the same")
        }
        try await again.close()
    }

    private static func close(_ store: any SessionStorage, _ effects: Outcomes) async throws {
        defer { effects.isClosed = true }
        try await store.close()
    }

    private static func saveUntilClosed(
        _ store: any SessionStorage, _ sampler: SessionSampler, _ effects: Outcomes,
        _ saved: () -> Void
    ) async throws {
        var sampler = sampler
        for _ in 0..<20_000 {
            let sample = sampler.window(tabs: 3)
            do {
                _ = try await store.save(SessionChanges(saving: sample), durability: .memory)
                effects.acknowledge(sample)
                saved()
            } catch {
                try requireEqual(error.code, .closed, "the error of a save that met close")
                effects.refuse(sample, error)
                return
            }
        }
        throw Violation("20,000 saves went on while the store was being closed")
    }

    private static func readUntilClosed(_ store: any SessionStorage, _ effects: Outcomes)
        async throws
    {
        while true {
            let wasClosed = effects.isClosed
            // waits: a store that never suspends would keep others from a thread
            await Task.yield()
            do {
                let sessions = try await store.sessions()
                try require(!wasClosed, "a read that began after close was answered")
                guard let last = sessions.last else { continue }
                let found = try await store.restore(last)
                try requireEqual(
                    found?.tabs.count, 3, "the tabs of a session read while the store is closed")
            } catch let error as StorageError {
                try requireEqual(error.code, .closed, "the error of a read that met close")
                // One more after close has returned, which must throw at once.
                if wasClosed { return }
            }
        }
    }
}
