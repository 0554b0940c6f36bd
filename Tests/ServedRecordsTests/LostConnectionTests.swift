import BrowserSessions
import IncognitoEncryption
import ServedRecords
import StorageConformance
import StorageEngines
import Synchronization
import TestSupport
import Testing

/// What a store does whose connection is lost, or whose server is.
@Suite("a lost connection", .serialized)
struct LostConnectionTests {
    /// A connection is cut after each number of bytes, each way: whatever was answered is there, and
    /// what was not is there as a whole or not at all.
    @Test(arguments: [true, false])
    func cutAfterEachByte(isSent: Bool) async throws {
        let server = try ServerProcess()
        var uncut = 0
        var saved = 0
        // waits: until three connections in a row were not cut
        for bytes in stride(from: 0, to: .max, by: TestRun.isNightly ? 1 : 17) {
            let configuration = StorageConfiguration(location: server.location("\(bytes)"))
            let setUp = try await open(configuration)
            _ = try await setUp.save(Self.window(tabs: 3, of: 6))
            try await setUp.close()
            let plan = CutPlan(isSent ? SocketCuts(sent: bytes) : SocketCuts(received: bytes))
            var last = 3
            var isWhole = false
            // Whoever gives a store up closes it; that it is let go of may take a moment.
            var opened: (any SessionStorage)?
            do throws(StorageError) {
                let store = try await open(configuration, plan.next)
                opened = store
                let receipt = try await store.save(Self.window(tabs: 5, of: 6))
                #expect(receipt.sequence == 2 && !receipt.wasAlreadyApplied)
                #expect(try await store.restore(Self.id)?.tabs.count == 5)
                last = 5
                saved += 1
                try await store.close()
                isWhole = !plan.wasCut
            } catch {
                #expect(error.code == .unavailable && last == 3, "\(bytes): \(error)")
                try? await opened?.close()
            }
            let again = try await open(configuration)
            let found = try #require(try await again.restore(Self.id))
            #expect(found.tabs.count == last && found.provenance == .intact, "\(bytes)")
            #expect(try await again.check().isHealthy)
            try await again.close()
            uncut += isWhole ? 1 : 0
            if uncut == 3 { break }
        }
        // A cut within the save itself is no error: the next connection tells what became of it.
        #expect(saved > 10)
    }

    /// The same while a store is made: it is there, or it can be made again.
    @Test(arguments: [true, false])
    func cutWhileAStoreIsMade(isSent: Bool) async throws {
        let server = try ServerProcess()
        var made = 0
        for bytes in stride(from: 0, to: 1500, by: TestRun.isNightly ? 1 : 23) {
            let configuration = StorageConfiguration(location: server.location("\(bytes)"))
            let plan = CutPlan(isSent ? SocketCuts(sent: bytes) : SocketCuts(received: bytes))
            var opened: (any SessionStorage)?
            do throws(StorageError) {
                let store = try await open(configuration, plan.next)
                opened = store
                _ = try await store.save(Self.window(tabs: 2, of: 2))
                try await store.close()
                made += 1
            } catch {
                #expect(error.code == .unavailable, "\(bytes): \(error)")
                try? await opened?.close()
            }
            let again = try await open(configuration)
            _ = try await again.save(Self.window(tabs: 3, of: 3))
            #expect(try await again.restore(Self.id)?.tabs.count == 3)
            #expect(try await again.check().isHealthy)
            try await again.close()
        }
        #expect(made > 5)
    }

    /// A write is received whole, its connection lost, and then carried out too late.
    @Test func aWriteThatCannotLandAnyMore() async throws {
        let server = try ServerProcess()
        let configuration = StorageConfiguration(location: server.location())
        let store = try await open(configuration, patience: .milliseconds(100))
        _ = try await store.save(Self.window(tabs: 3))
        try server.control.hold()
        let error = await #expect(throws: StorageError.self) {
            _ = try await store.save(Self.window(tabs: 5))
        }
        #expect(error?.code == .unavailable && error?.effect == .indeterminate)
        // Reading asks what became of it, over a connection that shuts it out.
        #expect(try await store.restore(Self.id)?.tabs.count == 3)
        try server.control.free()
        #expect(try await store.restore(Self.id)?.tabs.count == 3)
        #expect(try await store.save(Self.window(tabs: 4)).sequence == 2)
        try await store.close()
        let again = try await open(configuration)
        #expect(try await again.restore(Self.id)?.tabs.count == 4)
        try await again.close()
    }

    @Test func aServerThatIsKilledAndStartedAgain() async throws {
        let server = try ServerProcess()
        let store = try await open(StorageConfiguration(location: server.location()))
        for tabs in 1...20 {
            _ = try await store.save(Self.window(tabs: tabs))
            if tabs.isMultiple(of: 5) { try server.restart() }
            #expect(try await store.restore(Self.id)?.tabs.count == tabs)
        }
        server.stop()
        for _ in 1...3 {
            let error = await #expect(throws: StorageError.self) {
                _ = try await store.save(Self.window(tabs: 30))
            }
            #expect(error?.code == .unavailable)
        }
        try server.restart()
        #expect(try await store.save(Self.window(tabs: 30)).sequence == 21)
        #expect(try await store.restore(Self.id)?.tabs.count == 30)
        try await store.close()
    }

    @Test func aServerThatFreezes() async throws {
        let server = try ServerProcess()
        let configuration = StorageConfiguration(location: server.location())
        let store = try await open(configuration, patience: .milliseconds(100))
        _ = try await store.save(Self.window(tabs: 3))
        server.freeze()
        let error = await #expect(throws: StorageError.self) {
            _ = try await store.save(Self.window(tabs: 5))
        }
        #expect(error?.code == .unavailable && error?.effect == .indeterminate)
        let reading = await #expect(throws: StorageError.self) { try await store.restore(Self.id) }
        #expect(reading?.code == .unavailable)
        server.thaw()
        let found = try #require(try await store.restore(Self.id)).tabs.count
        #expect(found == 3 || found == 5)
        let next = UInt64(found == 3 ? 2 : 3)
        #expect(try await store.save(Self.window(tabs: 4)).sequence == next)
        try await store.close()
    }

    /// A server that has forgotten its clients, as after the end of a lease.
    @Test func anOwnerThatConnectsAgainTooLate() async throws {
        let server = try ServerProcess()
        let configuration = StorageConfiguration(location: server.location())
        let first = try await open(configuration)
        _ = try await first.save(Self.window(tabs: 3))
        try server.restart()
        let second = try await open(configuration)
        _ = try await second.save(Self.window(tabs: 5))
        let late = await #expect(throws: StorageError.self) {
            _ = try await first.save(Self.window(tabs: 9))
        }
        #expect(late?.code == .fenced)
        #expect(try await second.restore(Self.id)?.tabs.count == 5)
        let closing = await #expect(throws: StorageError.self) { try await first.close() }
        #expect(closing?.code == .fenced)
        #expect(try await second.save(Self.window(tabs: 6)).sequence == 3)
        try await second.close()
    }

    /// The key is with the host, so a deletion needs no server; what that has is rubbish then.
    @Test func sealedSessionsAreDeletedWithoutTheServer() async throws {
        let server = try ServerProcess()
        let configuration = StorageConfiguration(location: server.location())
        let backend = StorageBackend(
            name: "served", summary: "", sealedWith: IncognitoKeys(MemoryKeyStore()),
            connectedEngine: { _ in ServedEngine() })
        let store = try await backend.open(configuration)
        #expect(store.traits.incognitoErasure == .sealed)
        let other = SessionID(window: WindowID(high: 1, low: 1), kind: .incognito)
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "private"), for: other)
        _ = try await store.save(Self.window(tabs: 3))
        _ = try await store.save(changes)
        try server.restart()
        #expect(try await store.restore(other)?.attributes.title == "private")
        server.stop()
        let error = await #expect(throws: StorageError.self) { try await store.deleteIncognito() }
        #expect(error?.code == .unavailable)
        try server.restart()
        #expect(try await store.restore(other) == nil)
        try await store.close()
        let again = try await backend.open(configuration)
        #expect(try await again.sessions() == [Self.id])
        #expect(try await again.check().discardedIncognitoSides == 1)
        try await again.close()
    }

    @Test func aKeyInAFileHasNoPlace() async throws {
        let server = try ServerProcess()
        let backend = StorageBackend(
            name: "served", summary: "", sealedWith: IncognitoKeys(FileKeyStore()),
            connectedEngine: { _ in ServedEngine() })
        let error = await #expect(throws: StorageError.self) {
            try await backend.open(StorageConfiguration(location: server.location()))
        }
        #expect(error?.code == .invalidConfiguration)
    }

    // MARK: Support

    private func open(
        _ configuration: StorageConfiguration, patience: Duration = .seconds(20),
        _ cut: @escaping @Sendable () -> SocketCuts = { SocketCuts() }
    ) async throws(StorageError) -> any SessionStorage {
        var environment = StoreEnvironment.system
        environment.patience = patience
        let backend = StorageBackend.served(by: ServedEngine(cut: cut), in: environment)
        return try await backend.open(configuration)
    }

    private static let id = SessionID(window: WindowID(high: 1, low: 1))

    private static func window(tabs: Int, of most: Int = 40) -> SessionChanges {
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "Window"), for: id)
        let places = OrderKey.evenlySpaced(count: most)
        for (number, place) in places.enumerated() {
            let tab = TabID(high: 2, low: UInt64(number))
            guard number < tabs else {
                changes.remove(tab, from: id)
                continue
            }
            changes.put(
                TabMetadata(id: tab, place: place, url: "https://example.org/\(number)"), in: id)
        }
        return changes
    }
}

/// Cuts the first connection, and no other.
private final class CutPlan: Sendable {
    private let cuts: Mutex<SocketCuts?>
    private let connections = Mutex(0)

    init(_ first: SocketCuts) { cuts = Mutex(first) }

    /// Whether a second connection was needed.
    var wasCut: Bool { connections.withLock { $0 > 1 } }

    @Sendable func next() -> SocketCuts {
        connections.withLock { $0 += 1 }
        return cuts.withLock { cuts in
            defer { cuts = nil }
            return cuts ?? SocketCuts()
        }
    }
}
