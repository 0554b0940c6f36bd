import Expectations
import Synchronization
import TestSupport

@testable import BrowserSessions
@testable import StorageEngines

/// An engine that takes little at once gets the work of the store itself in parts.
struct SmallBatchTests {
    private let engine = ScriptedEngine(
        limits: EngineLimits(valueBytes: 1 << 20, batchBytes: 1 << 20, batchOperations: 24))
    private let folder = TemporaryFolder()
    private let id = SessionID(window: WindowID(high: 1, low: 1))

    /// Puts or removes tabs, few at a time.
    private func save(_ tabs: Range<Int>, of store: OrderedSessionStorage, removing: Bool = false)
        throws
    {
        let places = OrderKey.evenlySpaced(count: 100)
        for number in tabs {
            let tab = TabID(high: 2, low: UInt64(number))
            var changes = SessionChanges()
            if removing {
                changes.remove(tab, from: id)
            } else {
                changes.put(
                    TabMetadata(id: tab, place: places[number], url: "https://a.example/"), in: id)
                changes.put([1, 2], for: TabStateKey(tab: tab, name: .navigation, in: id))
            }
            _ = try store.saveBlocking(changes, durability: .processCrash)
        }
    }

    @Test func whatIsCurrentIsCopiedInParts() throws {
        var store = try engine.open(folder)
        try save(0..<100, of: store)
        // One of the larger ones never fits beside another, which alone fills less than half a part.
        for tab in 0..<12 {
            let key = TabStateKey(tab: TabID(high: 2, low: UInt64(tab)), name: .native, in: id)
            var changes = SessionChanges()
            let bytes = tab.isMultiple(of: 2) ? 900_000 : 400_000
            changes.put([UInt8](repeating: UInt8(tab), count: bytes), for: key)
            _ = try store.saveBlocking(changes, durability: .processCrash)
        }
        try save(50..<60, of: store, removing: true)
        let tabs = try store.restoreBlocking([id]).first?.tabs
        try store.eraseBlocking(.removedData)
        expect(try store.restoreBlocking([id]).first?.tabs == tabs)
        expect(try store.checkBlocking().states == 102)
        try store.closeBlocking()
        store = try engine.open(folder)
        expect(try store.restoreBlocking([id]).first?.tabs == tabs)
        expect(try store.checkBlocking().states == 102)
        expect(engine.largestBatch <= 24)
    }

    @Test func restorePointsAndTheirEndAreWrittenInParts() throws {
        var store = try engine.open(folder)
        try save(0..<100, of: store)
        for removed in [0..<0, 0..<60, 60..<99] {
            try store.closeBlocking()
            store = try engine.open(folder)
            let before = 100 - removed.lowerBound
            expect(try store.earlier(id)?.tabs.count == before)
            expect(try store.restorePointsBlocking().first?.reason == .opening)
            expect(try store.checkBlocking().notes == [])
            try save(removed, of: store, removing: true)
        }
        try store.closeBlocking()
        store = try engine.open(folder)
        expect(try store.earlier(id)?.tabs.count == 1)
        expect(try store.restorePointsBlocking().map(\.reason).contains(.beforeLoss))
        for point in try store.restorePointsBlocking() {
            try store.releaseRestorePointBlocking(point.id)
        }
        expect(try store.checkBlocking().states == 1, "state that no point needs is removed")
        expect(engine.largestBatch <= 24)
    }
}
