import Expectations
import LocalFiles
import Synchronization

@testable import BrowserSessions
@testable import StorageEngines

/// An engine that takes little at once gets the work of the store itself in parts.
struct SmallBatchTests {
    /// The engine in memory with a limit, and a note of the largest batch.
    private final class Engine: FileEngine {
        let base = MemoryFileEngine()
        let largest = Mutex(0)
        let name = "memory"
        let formatVersion = 1
        let abilities = EngineAbilities(
            durability: .powerLoss,
            limits: EngineLimits(valueBytes: 1 << 20, batchBytes: 1 << 20, batchOperations: 24),
            findsDamage: true)

        func recognizes(_ names: [String]) -> Bool { true }

        func open(_ request: OpenRequest) throws -> any OrderedByteStore {
            Store(base: try base.open(request), engine: self)
        }
    }

    private final class Store: OrderedByteStore {
        private let base: any OrderedByteStore
        private let engine: Engine
        private var isScanning = false

        init(base: any OrderedByteStore, engine: Engine) {
            self.base = base
            self.engine = engine
        }

        func value(of key: [UInt8], in space: KeySpace) throws -> [UInt8]? {
            try base.value(of: key, in: space)
        }

        func scan(
            _ space: KeySpace, prefix: [UInt8],
            _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
        ) throws {
            isScanning = true
            defer { isScanning = false }
            try base.scan(space, prefix: prefix, visit)
        }

        func write(_ batch: ByteBatch, durably: Bool) throws {
            expect(!isScanning, "a write came while records were handed over")
            engine.largest.withLock { $0 = max($0, batch.operations.count) }
            try engine.abilities.limits.require(batch)
            try base.write(batch, durably: durably)
        }

        func sync() throws { try base.sync() }
        func verify() -> [String] { [] }
        func close() throws { try base.close() }
    }

    private let id = SessionID(window: WindowID(high: 1, low: 1))

    private func open(_ folder: borrowing TemporaryDirectory, _ engine: Engine) throws
        -> OrderedSessionStorage
    {
        try OrderedSessionStorage(
            opening: StorageConfiguration(location: folder.store), engine: engine)
    }

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
        let (folder, engine) = (try TemporaryDirectory(), Engine())
        var store = try open(folder, engine)
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
        try store.eraseRemovedBlocking()
        expect(try store.restoreBlocking([id]).first?.tabs == tabs)
        expect(try store.checkBlocking().states == 102)
        try store.closeBlocking()
        store = try open(folder, engine)
        expect(try store.restoreBlocking([id]).first?.tabs == tabs)
        expect(try store.checkBlocking().states == 102)
        expect(engine.largest.withLock(\.self) <= 24)
    }

    @Test func restorePointsAndTheirEndAreWrittenInParts() throws {
        let (folder, engine) = (try TemporaryDirectory(), Engine())
        var store = try open(folder, engine)
        try save(0..<100, of: store)
        for removed in [0..<0, 0..<60, 60..<99] {
            try store.closeBlocking()
            store = try open(folder, engine)
            let before = 100 - removed.lowerBound
            expect(
                try store.earlier(id)?.tabs.count == before)
            expect(try store.restorePointsBlocking().first?.reason == .opening)
            expect(try store.checkBlocking().notes == [])
            try save(removed, of: store, removing: true)
        }
        try store.closeBlocking()
        store = try open(folder, engine)
        expect(try store.earlier(id)?.tabs.count == 1)
        expect(try store.restorePointsBlocking().map(\.reason).contains(.beforeLoss))
        for point in try store.restorePointsBlocking() {
            try store.releaseRestorePointBlocking(point.id)
        }
        expect(try store.checkBlocking().states == 1, "state that no point needs is removed")
        expect(engine.largest.withLock(\.self) <= 24)
    }
}
