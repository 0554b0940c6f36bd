import Expectations

@testable import BrowserSessions
@testable import StorageEngines

/// Reading a store beside its owner: what every backend says, and what a reader shows and refuses.
struct StoreReaderTests {
    private static func backend(
        openReader: (@Sendable (StorageConfiguration) throws(StorageError) -> StoreReader)? = nil
    ) -> StorageBackend {
        StorageBackend(name: "plain", summary: "", openReader: openReader) {
            _ throws(StorageError) in throw StorageError(.failed, "nothing is opened here")
        }
    }

    @Test func aBackendThatDoesNotSayHowSaysWhatToDoInstead() async throws {
        let error = await expect(throws: StorageError.self) {
            try await Self.backend().openReader(.init(location: "/profiles/7"))
        }
        expect(error?.code == .unsupported && error?.effect == .notApplied)
        expect(error?.operation == "open reader" && error?.location == "/profiles/7")
        expect(error?.message.contains("access=readOnly"), is: true)
    }

    @Test func optionsAreCheckedFirst() {
        let configuration = StorageConfiguration(location: "/p", options: ["colour": "red"])
        let error = expect(throws: StorageError.self) {
            try Self.backend().openReaderBlocking(configuration)
        }
        expect(error?.code == .invalidConfiguration && error?.location == "/p")
    }

    @Test func aReaderShowsTheRegularPartitionAndRefusesEveryChange() async throws {
        let fixture = try StoreFixture()
        let window = StoreFixture.window(3)
        let secret = StoreFixture.window(2, seed: 2, kind: .incognito)
        try fixture.save(window)
        try fixture.save(secret)
        let store = fixture.store
        let backend = Self.backend { _ throws(StorageError) in
            StoreReader(store, sequence: 1, asOf: Timestamp(microseconds: 7))
        }
        let reader = try await backend.openReader(.init(location: "/p"))
        expect(reader.sequence == 1 && reader.asOf == Timestamp(microseconds: 7))
        expect(try await reader.sessions() == [window.id])
        expect(try await reader.summaries().map(\.id) == [window.id])
        let found = try await reader.restore([secret.id, window.id])
        expect(found.map(\.tabs), is: [window.tabs.map(\.metadata)])
        let keys = try await reader.stateKeys(in: window.id)
        expect(try await reader.states(of: keys).count == keys.count && !keys.isEmpty)
        let secretKeys = try await store.stateKeys(in: secret.id)
        expect(try await reader.stateKeys(in: secret.id) == [] && !secretKeys.isEmpty)
        expect(try await reader.states(of: secretKeys) == [:])
        expect(!reader.traits.takesRestorePoints && reader.traits.removalErasure == nil)
        try await expectRefusals(.permissionDenied, of: reader)
        expect(try await store.sessions().count == 2)

        try await reader.close()
        try await expectRefusals(.closed, of: reader)
        let error = await expect(throws: StorageError.self) {
            try await reader.stateKeys(in: secret.id)
        }
        expect(error?.code, is: .closed)
    }

    private func expectRefusals(_ code: StorageError.Code, of reader: StoreReader) async throws {
        let changes: [@Sendable () async throws -> Void] = [
            { try await reader.save(SessionChanges(), durability: .memory) },
            { _ = try await reader.takeRestorePoint(name: "", pinned: false) },
            { try await reader.releaseRestorePoint(RestorePointID(rawValue: 1)) },
            { try await reader.deleteIncognito() },
            { try await reader.repair() },
            { try await reader.erase(.quarantine) },
            { try await reader.erase(.removedData) },
        ]
        for change in changes {
            let error = await expect(throws: StorageError.self) { try await change() }
            expect(error?.code == code && error?.effect == .notApplied)
        }
    }
}
