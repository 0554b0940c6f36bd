import Expectations
import SessionSamples

@testable import BrowserSessions
@testable import StorageEngines

@Suite("what restore points take")
struct RestorePointBytesTests {
    @Test("What a point is said to give back is what it gives back", arguments: 31...33)
    func released(seed: UInt64) async throws {
        let fixture = try StoreFixture()
        var sampler = SessionSampler(seed: seed)
        var windows = sampler.windows(2, tabs: 6)
        for window in windows { try fixture.save(window) }
        var points: [RestorePoint] = []
        for step in 1...40 {
            var edit = sampler.randomEdit(of: windows)
            edit.changes.isIntended = true
            _ = try fixture.store.saveBlocking(edit.changes)
            windows = edit.expected
            if step % 8 == 0 { points.append(try fixture.keepPoint()) }
        }
        // The store by its records, and any other one by what it reads.
        let stores: [any SessionStorage] = [fixture.store, PlainStorage(base: fixture.store)]
        for point in [points[2], points[0], points[4], points[1], points[3]] {
            var before: [RestorePointBytes] = []
            for store in stores { before.append(try await store.restorePointBytes()) }
            try fixture.store.releaseRestorePointBlocking(point.id)
            for (store, before) in zip(stores, before) {
                let after = try await store.restorePointBytes()
                expect(after.all, is: before.all - (before.released[point.id] ?? 0))
                expect(before.all > 0)
            }
        }
        for store in stores { expect(try await store.restorePointBytes() == .none) }
    }

    @Test("What several points keep is in what all take, and in none alone")
    func shared() async throws {
        let fixture = try StoreFixture()
        let window = StoreFixture.window(3)
        try fixture.save(window)
        let first = try fixture.keepPoint()
        try fixture.save(.put(.session(window.id, SessionAttributes(title: "Other"))))
        let second = try fixture.keepPoint()
        try fixture.save(.remove(window.id))
        for store in [fixture.store, PlainStorage(base: fixture.store)] as [any SessionStorage] {
            let bytes = try await store.restorePointBytes()
            let alone = (bytes.released[first.id] ?? 0) + (bytes.released[second.id] ?? 0)
            let tabs = window.tabs.reduce(0) { $0 + $1.metadata.encoded().count }
            expect(bytes.all - alone >= tabs, "\(bytes), \(tabs)")
        }
    }
}
