import BrowserSessions
import Expectations
import SessionSamples
import StorageEngines

@testable import SessionTesting

/// What the conformance suite does not see: the part that only doubles have.
@Suite("A store in memory", .timeLimit(.minutes(10)))
struct MemoryStorageTests {
    let storage = MemoryStorage()
    let window: SessionSnapshot
    let incognito: SessionSnapshot

    init() {
        var sampler = SessionSampler(seed: 1)
        window = sampler.window(tabs: 3)
        incognito = sampler.window(tabs: 2, kind: .incognito)
    }

    private func saveBoth() async throws {
        _ = try await storage.save(SessionChanges(saving: window))
        _ = try await storage.save(SessionChanges(saving: incognito))
    }

    @Test func newStoreHoldsNothingAndPromisesNothing() async throws {
        expect(storage.snapshots, is: [])
        expect(!storage.isClosed)
        expect(storage.traits.backend, is: "memory")
        expect(storage.traits.durability, is: [.memory])
        expect(storage.traits.defaultDurability, is: .memory)
        expect(storage.traits.incognitoErasure, is: .erased)
        expect(storage.traits.removalErasure, is: .erased)
    }

    @Test func snapshotsShowWhatWasSavedOnBothPartitions() async throws {
        try await saveBoth()
        expect(storage.snapshots, is: [window, incognito].sorted { $0.id < $1.id })
        try await storage.deleteIncognito()
        expect(storage.snapshots, is: [window])
    }

    @Test func snapshotsShowListsThatBreakARuleAsTheyWereSaved() async throws {
        var attributes = window.attributes
        attributes.activeTab = TabID(high: 1, low: 1)
        var changes = SessionChanges()
        changes.put(attributes, for: window.id)
        _ = try await storage.save(changes)
        expect(storage.snapshots.first?.attributes, is: attributes)
        let restored = try await storage.restore(window.id)
        expect(restored?.attributes.activeTab == nil)
        expect(restored?.repairs.map(\.kind), is: [.activeTabReplaced])
    }

    @Test func reopeningClosesTheStoreBefore() async throws {
        try await saveBoth()
        let next = storage.reopened()
        expect(storage.isClosed)
        let error = await expect(throws: StorageError.self) {
            try await storage.save(SessionChanges())
        }
        expect(error?.code, is: .closed)
        expect(error?.operation, is: "save")
        expect(try await next.save(SessionChanges()).sequence == 1)
    }

    @Test func engineHasOneOwnerAndAnyNumberOfViews() throws {
        let engine = MemoryEngine()
        func open(_ access: StorageAccess = .readWrite) throws -> OrderedSessionStorage {
            let options = ["access": OptionValue.text(access.rawValue)]
            return try OrderedSessionStorage(
                opening: StorageConfiguration(location: "memory", options: options), engine: engine)
        }
        let owner = try open()
        expect(expect(throws: StorageError.self) { try open() }?.code, is: .locked)
        for _ in 1...2 { try open(.readOnly).closeBlocking() }
        expect(engine.isOwned)
        _ = try owner.saveBlocking(SessionChanges(saving: window), durability: .memory)
        try owner.closeBlocking()
        expect(!engine.isOwned)
        expect(try open().snapshotsBlocking() == [window])
    }

    @Test func limitOfStatesIsThatOfTheInitializerAndIsHandedOn() async throws {
        let small = MemoryStorage(maximumStateBytes: 2)
        var changes = SessionChanges()
        changes.put(
            [1, 2, 3],
            for: TabStateKey(tab: TabID(high: 1, low: 1), name: .native, partition: .regular))
        for store in [small, small.reopened(), MemoryStorage().reopened(maximumStateBytes: 2)] {
            expect(store.traits.maximumStateBytes, is: 2)
            guard !store.isClosed else { continue }
            let error = await expect(throws: StorageError.self) { try await store.save(changes) }
            expect(error?.code, is: .tooLarge)
        }
    }

    @Test func reopenedStoreKeepsARestorePoint() async throws {
        try await saveBoth()
        expect(try await storage.restoreEarlier(window.id) == nil)
        let next = storage.reopened()
        var changes = SessionChanges()
        changes.remove(window.id)
        _ = try await next.save(changes)
        expect(next.snapshots, is: [incognito])
        let earlier = try await next.restoreEarlier(window.id)
        expect(earlier?.tabs, is: window.tabs.map(\.metadata))
        expect(try await next.restoreEarlier(incognito.id) == nil)
    }

    @Test func everyReopeningBeginsWithTheContentsOfItsStore() async throws {
        try await saveBoth()
        let next = storage.reopened()
        try await next.deleteIncognito()
        expect(storage.reopened().snapshots, is: storage.snapshots)
        expect(next.snapshots, is: [window])
    }
}
