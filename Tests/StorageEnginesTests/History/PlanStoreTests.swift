import Expectations
import SessionSamples

@testable import BrowserSessions
@testable import RestorePlans
@testable import StorageEngines

@Suite("plans and their stores")
struct PlanStoreTests {
    private func refusal(_ work: () async throws -> Void) async -> StorageError.Code? {
        await expect(throws: StorageError.self) { try await work() }?.code
    }

    @Test("States come back with their tabs; one that is damaged is counted, and the others come")
    func states() async throws {
        let fixture = try StoreFixture()
        let window = StoreFixture.window(3)
        try fixture.save(window)
        let point = try fixture.keepPoint()
        try fixture.save(.remove(window.id))
        let plan = try await fixture.store.restorePlan(at: point.id)
        let lost = window.tabs[1].metadata.id
        try fixture.edit { records in
            for key in records[.state, default: .init()].keys {
                guard case .blob(lost, _, _)? = key.withUnsafeBytes({ StateKey($0) }) else {
                    continue
                }
                records[.state]?[key]?[20] ^= 1
            }
        }
        let result = try await fixture.store.apply(plan)
        expect(result.done.tabs.added == 3 && result.done.sessions.added == 1)
        expect(result.states == 2 && result.tabsWithoutStates == 1)
        let content = try require(try fixture.content().first)
        expect(content.tabs.map(\.metadata), is: window.tabs.map(\.metadata))
        expect(content.tabs[0].states == window.tabs[0].states && content.tabs[1].states == [:])
    }

    @Test("A plan of another store is refused; one of a point that is gone is done without states")
    func otherStores() async throws {
        let (fixture, stranger) = (try StoreFixture(), try StoreFixture())
        let window = StoreFixture.window(3)
        try fixture.save(window)
        let point = try fixture.keepPoint()
        try fixture.save(.remove(window.tabs[0].metadata.id, from: window.id))
        let plan = try await fixture.store.restorePlan(at: point.id)
        try stranger.save(StoreFixture.window(3, seed: 2))
        expect(await refusal { try await stranger.store.apply(plan) } == .conflict)
        // A point with the same number is not the same point.
        try stranger.keepPoint()
        expect(await refusal { try await stranger.store.apply(plan) } == .conflict)
        expect(try stranger.sessions().flatMap(\.tabs).count == 3)
        expect(
            await refusal { _ = try await stranger.store.restorePlan(at: .init(rawValue: 99)) }
                == .notFound)
        let old = RestorePlan(
            point: RestorePoint(id: .init(rawValue: 77), takenAt: point.takenAt), mode: .merge,
            unreadable: [], lines: plan.lines, places: [], knownSessions: plan.knownSessions)
        let result = try await fixture.store.apply(old)
        expect(result.done.tabs.added == 1 && result.tabsWithoutStates == 1 && result.states == 0)
        expect(try fixture.sessions().flatMap(\.tabs).count == 3)
    }

    @Test("The point before a plan may displace the one that the plan is of, not its states")
    func displaced() async throws {
        // Time stands still: which point goes depends on when each was taken.
        let fixture = try StoreFixture(in: PointTime().environment)
        let (store, window) = (fixture.store, StoreFixture.window(3))
        for seed: UInt64 in 1...20 {
            try fixture.save(StoreFixture.window(3, seed: seed))
            _ = try await store.pointBeforeRestoring(.merge)
        }
        let point = try require(try await store.restorePoints().suffix(2).first)
        try fixture.save(.remove(window.id))
        // It gets a number of its own, and all is read again.
        _ = try await store.takeRestorePoint(name: "mine", pinned: false)
        let result = try await store.apply(try await store.restorePlan(at: point.id))
        expect(try await !store.restorePoints().contains { $0.id == point.id })
        expect(result.states == 3 && result.tabsWithoutStates == 0, "\(result)")
        expect(try fixture.content().contains { $0.tabs == window.tabs })
    }

    @Test("A backup comes back with its states")
    func backups() async throws {
        let (fixture, backup) = (try StoreFixture(), try StoreFixture())
        let windows = [StoreFixture.window(3), StoreFixture.window(2, seed: 2)]
        for window in windows { try backup.save(window) }
        try fixture.save(windows[0])
        try fixture.save(.remove(windows[0].tabs[2].metadata.id, from: windows[0].id))
        let plan = try await fixture.store.restorePlan(from: backup.store)
        let result = try await fixture.store.apply(plan, statesFrom: backup.store)
        expect(result.done.tabs.added == 3 && result.states == 3)
        expect(try fixture.content() == backup.content())
    }

    @Test("A store that changes meanwhile is read again; one that always does is left alone")
    func meanwhile() async throws {
        let fixture = try StoreFixture()
        let window = StoreFixture.window(3)
        try fixture.save(window)
        let point = try fixture.keepPoint()
        try fixture.save(.remove(window.tabs[0].metadata.id, from: window.id))
        let plan = try await fixture.store.restorePlan(at: point.id)
        let once = BusyStorage(base: fixture.store, saves: 1)
        expect(try await once.apply(plan).done.tabs.added == 1)
        expect(try fixture.sessions().flatMap(\.tabs).count == 4)
        try fixture.save(.remove(window.tabs[0].metadata.id, from: window.id))
        let always = BusyStorage(base: fixture.store, saves: 99)
        expect(await refusal { try await always.apply(plan) } == .conflict)
    }

    @Test("A point that lost something is merged as far as it can be read, and replaces nothing")
    func damagedPoint() async throws {
        let fixture = try StoreFixture()
        let windows = [StoreFixture.window(3), StoreFixture.window(2, seed: 2)]
        for window in windows { try fixture.save(window) }
        let point = try fixture.keepPoint()
        for window in windows { try fixture.save(.remove(window.id)) }
        let lost = windows[0].tabs[0].metadata.id
        try fixture.edit { records in
            for key in records[.state, default: .init()].keys {
                let version = key.withUnsafeBytes { StateKey($0) }
                guard case .version(.record(.tab(lost), _), _, _)? = version else { continue }
                records[.state]?[key]?[0] ^= 1
            }
        }
        try fixture.reopen()
        expect(
            await refusal {
                _ = try await fixture.store.restorePlan(at: point.id, mode: .replace)
            } == .corrupted)
        let plan = try await fixture.store.restorePlan(at: point.id)
        expect(plan.unreadable.contains(windows[0].id))
        let result = try await fixture.store.apply(plan)
        expect(result.done.tabs.added, is: 4)
    }

    /// A plan that brings one window back, and the store that it is for.
    private func plan() async throws -> (plan: RestorePlan, fixture: StoreFixture) {
        let fixture = try StoreFixture()
        let window = StoreFixture.window(3)
        try fixture.save(window)
        let point = try fixture.keepPoint()
        try fixture.save(.remove(window.id))
        return (try await fixture.store.restorePlan(at: point.id), fixture)
    }

    private func code(_ bytes: [UInt8]) -> StorageError.Code? {
        do throws(StorageError) {
            _ = try RestorePlan(encoded: bytes)
            return nil
        } catch { return error.code }
    }

    @Test("Bytes that match their checksum crash nothing, whatever they say")
    func hostileBytes() async throws {
        let (plan, fixture) = try await plan()
        let bytes = plan.encoded()
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<3000 {
            var message = Array(bytes.dropLast(8))
            for _ in 0...generator.integer(in: 0...3) {
                message[generator.integer(in: 15...message.count - 1)] = UInt8(
                    generator.integer(in: 0...255))
            }
            if let read = try? RestorePlan(encoded: sealed(message)) {
                var application = PlanApplication(read, to: try fixture.sessions())
                _ = application.run()
            }
        }
    }

    @Test("Bytes that are no plan, or a damaged one, are a typed error")
    func refusedBytes() async throws {
        let (plan, _) = try await plan()
        let bytes = plan.encoded()
        expect(
            code([]) == .incompatibleFormat && code(Array("hello\n".utf8)) == .incompatibleFormat)
        expect(code(Array("restore plan 2\n".utf8) + bytes.dropFirst(15)), is: .incompatibleFormat)
        for length in 15..<bytes.count { expect(code(Array(bytes.prefix(length))), is: .corrupted) }
        for index in stride(from: 15, to: bytes.count, by: 3) {
            var flipped = bytes
            flipped[index] ^= 0x10
            expect(code(flipped), is: .corrupted)
        }
        var removing = plan
        removing.lines = [
            .init(id: 1, action: .remove, now: plan.lines[0].then, then: nil, requires: [])
        ]
        expect(code(removing.encoded()), is: .corrupted)
        var secret = plan
        let incognito = SessionID(window: .random(), kind: .incognito)
        secret.lines = [
            .init(
                id: 1, action: .add, now: nil,
                then: .tab(TabMetadata(id: .random(), place: .middle), in: incognito), requires: [])
        ]
        expect(code(secret.encoded()), is: .corrupted)
    }

    private func sealed(_ message: [UInt8]) -> [UInt8] {
        let hash = RestorePlan.hash(message[...])
        return message + (0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * UInt64($0))) }
    }
}

/// A store to which another task saves whenever it was read.
private actor BusyStorage: StorageDecorator {
    nonisolated let base: any SessionStorage
    private var saves: Int

    init(base: any SessionStorage, saves: Int) {
        (self.base, self.saves) = (base, saves)
    }

    func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
        -> [RestoredSession]
    {
        let sessions = try await base.restore(ids, at: version)
        if saves > 0, let session = ids.first {
            saves -= 1
            var changes = SessionChanges()
            changes.put(TabMetadata(id: .random(), place: .middle), in: session)
            try await base.save(changes)
        }
        return sessions
    }
}
