import BrowserSessions
import Expectations

/// The rule for growing the contract: a storage that was written before a call was added has an answer to it.
struct GrowthTests {
    /// Has what the first edition asked for, and nothing that came later.
    private struct OldStorage: SessionStorage {
        let traits = StorageTraits(
            backend: "old", durability: [.memory], incognitoErasure: .erased,
            keepsRestorePoints: false)
        let session: RestoredSession
        let blob: (key: TabStateKey, bytes: [UInt8])

        func sessions(at version: SessionVersion) async throws(StorageError) -> [SessionID] {
            [session.id]
        }
        func restore(_ ids: [SessionID], at version: SessionVersion)
            async throws(StorageError) -> [RestoredSession]
        { ids.contains(session.id) ? [session] : [] }
        func states(of keys: [TabStateKey], at version: SessionVersion) async throws(StorageError)
            -> [TabStateKey: [UInt8]]
        {
            keys.contains(blob.key) ? [blob.key: blob.bytes] : [:]
        }
        func stateKeys(in session: SessionID, at version: SessionVersion) async throws(StorageError)
            -> [TabStateKey]
        {
            [blob.key]
        }
        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        { throw StorageError(.permissionDenied, "nothing can be saved") }
        func deleteIncognito() async throws(StorageError) {}
        func check(_ mode: CheckMode) async throws(StorageError) -> RecoveryReport {
            RecoveryReport()
        }
        func close() async throws(StorageError) {}
    }

    @Test func anOldStorageAnswersANewHost() async throws {
        let id = SessionID(window: WindowID(high: 1, low: 1))
        let tab = TabMetadata(
            id: TabID(high: 2, low: 1), place: .between(nil, and: nil), url: "https://example.org/",
            lastActiveAt: Timestamp(microseconds: 70))
        let storage: any SessionStorage = OldStorage(
            session: RestoredSession(
                id: id, attributes: SessionAttributes(title: "Window"), tabs: [tab]),
            blob: (
                TabStateKey(tab: tab.id, name: .native, in: id), [UInt8](repeating: 1, count: 500)
            ))
        let summaries = try await storage.summaries()
        expect(summaries.map(\.id) == [id] && summaries.first?.title == "Window")
        expect(summaries.first?.tabCount, is: 1)
        expect(summaries.first?.lastActiveAt, is: Timestamp(microseconds: 70))
        let attributes = SessionAttributes(title: "Window").encodedPayload().count
        expect(summaries.first?.byteCount, is: attributes + tab.encoded().count + 500)
        try await storage.erase(.quarantine)
        expect(try await storage.earlierTabs() == [])
        expect(storage.traits.removalErasure == nil)
        let error = await expect(throws: StorageError.self) {
            try await storage.erase(.removedData)
        }
        expect(error?.code, is: .unsupported)
        expect(try await storage.restore(id)?.tabs == [tab])
    }
}
