import BrowserSessions
import Expectations
import StorageConformance
import StorageEngines
import TestSupport

/// What the conformance suite does not search: stores without sealing, with files that hold
/// something readable before a deletion.
@Suite("what incognito leaves")
struct IncognitoResidueTests {
    @Test(
        "in the clear it is only in the files of its partition, and goes",
        arguments: TestedEngine.withDirectory)
    func unsealed(tested: TestedEngine) async throws {
        let folder = TemporaryFolder()
        let store = try OrderedSessionStorage(
            opening: StorageConfiguration(location: folder.file("profile")), engine: tested.engine)
        expect(store.traits.incognitoErasure == .erased && store.traits.incognitoSealing == nil)
        for revision in 0..<4 { _ = try await store.save(changes(revision)) }
        let saved = try LocationFiles(folder.path)
        for canary in Self.canaries {
            let found = saved.paths(holding: [canary])
            expect(found != [])
            expect(found.filter { !$0.hasPrefix("profile/incognito/") }, is: [])
        }
        try await store.deleteIncognito()
        let left = try LocationFiles(folder.path)
        expect(left.paths(holding: Self.canaries), is: [])
        try await store.close()
    }

    private static let id = TabID(high: 0xCA7A_0003_CA7A_0003, low: 0xCA7A_0004_CA7A_0004)

    /// Values that occur nowhere else, as they are written in the clear.
    private static let canaries =
        ["window", "group", "url", "title", "icon", "property", "name", "blob"].map { bytes($0) }
        + [withUnsafeBytes(of: id.high.bigEndian) { [UInt8]($0) }]

    private static func text(_ field: String) -> String { "canary-\(field)-canary" }
    private static func bytes(_ field: String) -> [UInt8] { [UInt8](text(field).utf8) }

    /// A session with a canary in each of its fields, and older versions of them.
    private func changes(_ revision: Int) throws -> SessionChanges {
        var changes = SessionChanges()
        let group = StructureNode.group(id: NodeID(high: 5, low: 5), name: Self.text("group"))
        changes.put(
            SessionAttributes(
                title: Self.text("window"),
                properties: ["key": Self.text("property")]),
            for: Sample.incognito)
        changes.put(group, in: Sample.incognito)
        var tab = Sample.tab(revision)
        tab.id = Self.id
        tab.url = Self.text("url")
        tab.title = Self.text("title")
        tab.faviconURL = Self.text("icon")
        tab.group = group.id
        changes.put(tab, in: Sample.incognito)
        let name = try require(StateName(rawValue: Self.text("name")))
        changes.put(
            [UInt8](repeating: UInt8(revision), count: 5000) + Self.bytes("blob"),
            for: TabStateKey(tab: tab.id, name: name, partition: .incognito))
        return changes
    }
}
