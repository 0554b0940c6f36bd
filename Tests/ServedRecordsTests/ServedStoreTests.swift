import BrowserSessions
import Expectations
import IncognitoEncryption
import ServedRecords
import StorageEngines

/// What is not said by the requirements of shared mediums.
@Suite("a store in another process", .serialized)
struct ServedStoreTests {
    /// A server that has forgotten its clients, as after the end of a lease.
    @Test func anOwnerThatConnectsAgainTooLate() async throws {
        let server = try ServerProcess()
        let configuration = StorageConfiguration(location: server.location())
        let backend = StorageBackend.served(by: ServedEngine())
        let first = try await backend.open(configuration)
        _ = try await first.save(Self.window("first"))
        try server.restart()
        let second = try await backend.open(configuration)
        _ = try await second.save(Self.window("second"))
        let late = await expect(throws: StorageError.self) {
            _ = try await first.save(Self.window("late"))
        }
        expect(late?.code, is: .fenced)
        expect(try await second.restore(Self.id)?.attributes.title == "second")
        let closing = await expect(throws: StorageError.self) { try await first.close() }
        expect(closing?.code, is: .fenced)
        expect(try await second.save(Self.window("third")).sequence == 3)
        try await second.close()
    }

    @Test func aKeyInAFileHasNoPlace() async throws {
        let server = try ServerProcess()
        let backend = StorageBackend(
            name: "served", summary: "", sealedWith: IncognitoKeys(FileKeyStore()),
            connectedEngine: { _ in ServedEngine() })
        let error = await expect(throws: StorageError.self) {
            try await backend.open(StorageConfiguration(location: server.location()))
        }
        expect(error?.code, is: .invalidConfiguration)
    }

    private static let id = SessionID(window: WindowID(high: 1, low: 1))

    private static func window(_ title: String) -> SessionChanges {
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: title), for: id)
        return changes
    }
}
