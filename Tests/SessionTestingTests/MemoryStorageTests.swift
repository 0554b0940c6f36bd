import BrowserSessions
import SessionSamples
import SessionTesting
import Testing

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
        #expect(storage.snapshots == [])
        #expect(!storage.isClosed)
        #expect(storage.traits.backend == "memory")
        #expect(storage.traits.durability == [.memory])
        #expect(storage.traits.defaultDurability == .memory)
        #expect(storage.traits.incognitoErasure == .erased)
        #expect(!storage.traits.keepsPreviousGeneration)
    }

    @Test func snapshotsShowWhatWasSavedOnBothPartitions() async throws {
        try await saveBoth()
        #expect(storage.snapshots == [window, incognito].sorted { $0.id < $1.id })
        try await storage.deleteIncognito()
        #expect(storage.snapshots == [window])
    }

    @Test func snapshotsShowListsThatBreakARuleAsTheyWereSaved() async throws {
        var attributes = window.attributes
        attributes.activeTab = TabID(high: 1, low: 1)
        var changes = SessionChanges()
        changes.put(attributes, for: window.id)
        _ = try await storage.save(changes)
        #expect(storage.snapshots.first?.attributes == attributes)
        let restored = try await storage.restore(window.id)
        #expect(restored?.attributes.activeTab == nil)
        #expect(restored?.repairs.map(\.kind) == [.activeTabReplaced])
    }

    @Test func reopenedStoreHoldsWhatWasSaved() async throws {
        try await saveBoth()
        let next = storage.reopened()
        #expect(next.snapshots == storage.snapshots)
        #expect(try await next.sessions() == [window.id, incognito.id].sorted())
        var changes = SessionChanges()
        changes.remove(window.id)
        #expect(try await next.save(changes).sequence == 2)
    }

    @Test func reopeningClosesTheStoreBefore() async throws {
        try await saveBoth()
        let next = storage.reopened()
        #expect(storage.isClosed)
        let error = await #expect(throws: StorageError.self) {
            try await storage.save(SessionChanges())
        }
        #expect(error?.code == .closed)
        #expect(error?.operation == "save")
        #expect(try await next.save(SessionChanges()).sequence == 1)
    }

    @Test func closedStoreCanBeReopened() async throws {
        try await saveBoth()
        try await storage.close()
        try await storage.close()
        #expect(storage.isClosed)
        #expect(storage.reopened().snapshots.count == 2)
    }

    @Test func stateOfATabInNoSessionIsRefused() async throws {
        let key = TabStateKey(tab: TabID(high: 1, low: 1), name: .native, partition: .regular)
        var changes = SessionChanges()
        changes.put([1, 2, 3], for: key)
        let error = await #expect(throws: StorageError.self) { try await storage.save(changes) }
        #expect(error?.code == .invalidChanges && error?.effect == .notApplied)
        #expect(try await storage.state(of: key) == nil)
    }

    @Test func limitOfStatesIsThatOfTheInitializerAndIsHandedOn() async throws {
        let small = MemoryStorage(maximumStateBytes: 2)
        var changes = SessionChanges()
        changes.put(
            [1, 2, 3],
            for: TabStateKey(tab: TabID(high: 1, low: 1), name: .native, partition: .regular))
        for store in [small, small.reopened(), MemoryStorage().reopened(maximumStateBytes: 2)] {
            #expect(store.traits.maximumStateBytes == 2)
            guard !store.isClosed else { continue }
            let error = await #expect(throws: StorageError.self) { try await store.save(changes) }
            #expect(error?.code == .tooLarge)
        }
    }

    @Test func earlierGenerationIsUnsupported() async throws {
        try await saveBoth()
        for id in [window.id, incognito.id] {
            let error = await #expect(throws: StorageError.self) {
                try await storage.restore(id, generation: .previous)
            }
            #expect(error?.code == .unsupported)
        }
    }

    @Test func commitIDsAreRememberedAcrossAReopening() async throws {
        var changes = SessionChanges(saving: window)
        changes.commitID = CommitID(high: 1, low: 1)
        _ = try await storage.save(changes)
        let receipt = try await storage.reopened().save(changes)
        #expect(receipt.wasAlreadyApplied)
        #expect(receipt.sequence == 1)
    }
}
