import BrowserSessions
import DirectoryBackend
import Expectations
import LevelDBBackend
import LocalFiles
import SQLiteBackend
import StorageEngines
import TestSupport

/// A damaged record of a folder, in the files of each backend.
@Suite("Damaged nodes")
struct NodeDamageTests {
    /// A backend with its engine, through which its records are changed.
    struct Local: Sendable, CustomTestStringConvertible {
        let backend: StorageBackend
        let engine: any SalvagingFileEngine
        var testDescription: String { backend.name }
    }

    private static let locals = [
        Local(backend: .directory, engine: DirectoryEngine()),
        Local(backend: .sqlite, engine: SQLiteEngine()),
        Local(backend: .leveldb, engine: LevelDBEngine()),
    ]

    private let scratch = TemporaryFolder(inMemory: true)
    private let session: SessionID
    private var folder: StructureNode
    private let tab: TabMetadata

    init() throws {
        var random = Seeded(17)
        session = SessionID(window: .random(using: &random), kind: .regular)
        folder = StructureNode(
            id: .random(using: &random), .group, place: .between(nil, and: nil), name: "Reading")
        folder.style = "folder"
        var tab = TabMetadata(
            id: .random(using: &random), place: .between(nil, and: nil), url: "a:b")
        tab.parent = folder.id
        self.tab = tab
    }

    private func open(_ local: Local) throws -> OrderedSessionStorage {
        let configuration = StorageConfiguration(location: "\(scratch.path)/store")
        return try #require(
            try local.backend.openBlocking(configuration) as? OrderedSessionStorage)
    }

    private func restored(from local: Local) throws -> RestoredSession {
        let store = try open(local)
        let found = try store.restoreBlocking([session]).first
        try store.closeBlocking()
        return try #require(found)
    }

    /// Changes a bit in the folder's record of a closed store.
    private func damage(_ local: Local) throws {
        let partition = "\(scratch.path)/store/regular"
        let store = try local.engine.open(partition, wasClosed: true)
        let nodes = try store.contents(.metadata, prefix: [UInt8(ascii: "n")])
        let key = try #require(nodes.keys.first { $0.suffix(16).elementsEqual(folder.id.bytes) })
        var value = try #require(nodes[key])
        value[20] ^= 1
        try store.put(value, key)
        try store.close()
        // They would show that the files were changed.
        let checksums = "\(partition).checksums"
        if try FileSystem.exists(checksums) { try FileSystem.remove(checksums) }
    }

    @Test("A damaged folder comes back as it was at the newest restore point", arguments: locals)
    func earlier(local: Local) throws {
        var store = try open(local)
        var changes = SessionChanges()
        changes.put(folder, in: session)
        changes.put(tab, in: session)
        _ = try store.saveBlocking(changes)
        try store.closeBlocking()
        store = try open(local)
        var renamed = folder
        renamed.name = "Read"
        changes = SessionChanges()
        changes.put(renamed, in: session)
        _ = try store.saveBlocking(changes)
        try store.closeBlocking()

        try damage(local)
        // What was put back stays, and so does the loss until it is accepted.
        for _ in 1...2 {
            let session = try restored(from: local)
            expect(session.nodes == [folder] && session.tabs == [tab] && session.repairs == [])
            expect(session.losses.map(\.kind), is: [.nodeReplacedByEarlier])
            expect(session.losses.map(\.node), is: [folder.id])
            expect(session.provenance, is: .salvaged)
        }
        store = try open(local)
        expect(try store.repairBlocking().isHealthy)
        try store.closeBlocking()
        let session = try restored(from: local)
        expect(session.nodes == [folder] && session.losses == [])
    }

    @Test("Without an earlier version a plain group holds what was in it", arguments: locals)
    func none(local: Local) throws {
        let store = try open(local)
        var changes = SessionChanges()
        let space = StructureNode(.space, place: .between(nil, and: folder.place), name: "Home")
        changes.put(space, in: session)
        changes.put(folder, in: session)
        changes.put(tab, in: session)
        _ = try store.saveBlocking(changes)
        try store.closeBlocking()
        try damage(local)
        let session = try restored(from: local)
        expect(session.nodes.map(\.id), is: [space.id, folder.id])
        expect(session.nodes.map(\.name) == ["Home", ""] && session.tabs == [tab])
        expect(session.losses.map(\.kind), is: [.node])
        expect(session.losses.map(\.node), is: [folder.id])
    }
}
