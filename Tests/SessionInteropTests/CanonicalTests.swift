import BrowserSessions
import Expectations
import Foundation
import SessionInterop
import SessionTesting
import Synchronization
import TestSupport

@Suite("Canonical form")
struct CanonicalTests {
    let folder = TemporaryFolder()

    private func sessions() throws -> [SessionSnapshot] {
        try Golden.write(to: folder, "SessionStorage/scene")
        try folder.write(SNSSSample.session(), to: "Session_1")
        try folder.write(SNSSSample.tabs(), to: "Tabs_1")
        return try SessionImporter().read(path: folder.file("")).sessions
    }

    private func store(_ sessions: [SessionSnapshot]) async throws -> MemoryStorage {
        let storage = MemoryStorage()
        for session in sessions { _ = try await storage.save(SessionChanges(saving: session)) }
        return storage
    }

    @Test("A store and the sessions in it have one digest, also for hundreds of tabs")
    func stored() async throws {
        var sessions = try sessions()
        try folder.write(FirefoxDesktopSample.text(tabs: 300), to: "recovery.js")
        sessions += try SessionImporter().read(path: folder.file("recovery.js")).sessions
        let own = try require(StateName(rawValue: "host.thumbnail"))
        sessions[0].tabs[0].states[own] = [4, 5, 6]
        let storage = try await store(sessions)
        let progress = Mutex<[Int]>([])
        let digest = try await ContentDigest.compute(
            of: storage, progress: { count in progress.withLock { $0.append(count) } })
        expect(digest, is: ContentDigest.compute(of: sessions))
        expect(digest.count, is: 64)
        let tabs = sessions.map(\.tabs.count).reduce(0, +)
        expect(progress.withLock { $0.last }, is: tabs)
        let bare = try await ContentDigest.compute(of: storage, includingStates: false)
        expect(bare, is: ContentDigest.compute(of: sessions, includingStates: false))
        expect(bare != digest)
    }

    @Test("The digest does not see places, nor the order in which sessions come")
    func independent() throws {
        let sessions = try sessions()
        let digest = ContentDigest.compute(of: sessions)
        var moved = Array(sessions.reversed())
        moved[0].tabs.insert(moved[0].tabs[0], at: 0)
        moved[0].renumberPlaces()
        moved[0].tabs.removeFirst()
        expect(ContentDigest.compute(of: moved), is: digest)
    }

    /// What is no field of a record; see ``FieldTests``.
    static let changes: [@Sendable (inout SessionSnapshot) -> Void] = [
        { $0.id.kind = .setAside }, { $0.nodes = [] }, { $0.tabs.swapAt(1, 2) },
        { $0.tabs.removeLast() }, { $0.tabs[0].states[.native] = [1, 2] },
        { $0.tabs[0].states[.native] = nil }, { $0.tabs[0].states[.navigation]?[5] ^= 1 },
    ]

    @Test("The digest and the JSON see every tab, node and state", arguments: 0..<changes.count)
    func everything(_ index: Int) throws {
        try Golden.write(to: folder)
        let session = try SessionImporter().read(path: folder.file("scene")).sessions[0]
        var changed = session
        Self.changes[index](&changed)
        expect(ContentDigest.compute(of: [changed]) != ContentDigest.compute(of: [session]))
        expect(try canonicalJSON([changed]) != canonicalJSON([session]))
    }

    /// The expected values were computed by a script of a few lines, from the grammar alone.
    @Test("The digest follows its grammar")
    func known() throws {
        expect(
            ContentDigest.compute(of: []),
            is: "092ddcc90c1620c75236c903932a6e31e1a42e38cbc85af42d1cffa56fe35572")
        let (first, second) = (TabID(high: 3, low: 4), TabID(high: 5, low: 6))
        let group = StructureNode.group(
            id: NodeID(high: 7, low: 8), name: "g", color: .orange, isCollapsed: true)
        let one = TabMetadata(
            id: first, place: .between(nil, and: nil), url: "https://example.org/", title: "🦊",
            createdAt: Timestamp(microseconds: 1), lastActiveAt: Timestamp(microseconds: 2),
            navigationItemCount: 3, isPinned: true)
        let two = TabMetadata(
            id: second, place: .between(nil, and: nil), faviconURL: "f", group: group.id,
            opener: TabOpener(tab: first, navigationIndex: 5))
        let session = SessionSnapshot(
            id: SessionID(window: WindowID(high: 1, low: 2)),
            attributes: SessionAttributes(
                title: "Títle", activeTab: first,
                createdAt: Timestamp(microseconds: 10), lastActiveAt: Timestamp(microseconds: -20),
                properties: ["é": "1", "b": "2"]),
            tabs: [
                TabSnapshot(metadata: one, states: [.navigation: [], .native: [1, 2]]),
                TabSnapshot(metadata: two),
            ], nodes: [group])
        expect(
            ContentDigest.compute(of: [session]),
            is: "a187750338dfdbd8ff5f5c229984b5e07330b57491a2ce1f131f5464bf0036a3")
    }

    @Test("A damaged store has no digest and no text, but what is left of it has one")
    func damaged() async throws {
        let storage = DamagedStorage(provenance: .salvaged)
        let session = try sessions()[0]
        _ = try await storage.save(SessionChanges(saving: session))
        let digest = await expect(throws: StorageError.self) {
            try await ContentDigest.compute(of: storage)
        }
        var text: [UInt8] = []
        let error = await expect(throws: StorageError.self) {
            try await CanonicalJSON.write(storage, to: { text += $0 })
        }
        expect([digest?.code, error?.code], is: [.corrupted, .corrupted])
        text = []
        try await CanonicalJSON.write(storage, losses: { _ in }, to: { text += $0 })
        expect(text, is: (try canonicalJSON([session])))
    }

    @Test("The JSON is one object with ascending keys, equal from memory and from a store")
    func text() async throws {
        let sessions = try sessions()
        let bytes = try canonicalJSON(sessions)
        let storage = try await store(sessions)
        var stored: [UInt8] = []
        try await CanonicalJSON.write(storage, to: { stored += $0 })
        expect(stored, is: bytes)
        let root = try JSONSerialization.jsonObject(with: Data(bytes))
        let again = try JSONSerialization.data(
            withJSONObject: root, options: [.sortedKeys, .withoutEscapingSlashes])
        expect(Data(bytes.dropLast()), is: again)
        let object = try require(root as? [String: Any])
        expect((object["sessions"] as? [Any])?.count, is: sessions.count)
    }

    @Test("The JSON repeats a history in readable form, and bytes in base64")
    func readable() throws {
        try Golden.write(to: folder)
        let result = try SessionImporter().read(path: folder.file("scene"))
        let text = String(decoding: try canonicalJSON(result.sessions), as: UTF8.self)
        expect(text.contains(#""native":"AQID""#))
        expect(text.contains(#""url":"https://a.example/","userAgent":2}"#))
        expect(text.hasSuffix("],\"version\":1}\n"))
    }
}
