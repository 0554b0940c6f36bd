import BrowserSessions
import Expectations
import StorageEngines
import Synchronization

/// Stores of engines with a place of their own that are opened for reading only.
struct ViewTests {
    private let engine = StrangeConnectedEngine("viewed")
    private let window = SessionID(window: WindowID(high: 1, low: 1))

    private func open(
        _ access: StorageAccess = .readWrite, of engine: StrangeConnectedEngine? = nil
    ) throws -> OrderedSessionStorage {
        try OrderedSessionStorage(
            opening: StorageConfiguration(
                location: "somewhere", options: ["access": .text(access.rawValue)]),
            engine: engine ?? self.engine)
    }

    private func tabs(_ numbers: Range<UInt64>, of other: String = "") -> SessionChanges {
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "a title\(other)"), for: window)
        for number in numbers {
            let id = TabID(high: 2, low: number)
            changes.put(
                TabMetadata(
                    id: id, place: OrderKey.evenlySpaced(count: 9)[Int(number)],
                    url: "https://example.org/\(number)\(other)"), in: window)
            changes.put([1, 2, 3], for: TabStateKey(tab: id, name: .native, in: window))
        }
        return changes
    }

    private var namespaces: [String: MemoryRecords] {
        engine.state.withLock { $0.namespaces }
    }

    @Test("A view is there beside the owner, who keeps the store, and takes no restore point")
    func besideTheOwner() throws {
        let first = try open()
        _ = try first.saveBlocking(tabs(0..<2), durability: .processCrash)
        try first.closeBlocking()
        let owner = try open()
        _ = try owner.saveBlocking(tabs(0..<5), durability: .processCrash)
        let before = namespaces
        let view = try open(.readOnly)
        expect(try view.restoreBlocking([window]).first?.tabs.count == 5)
        let earlier = try view.earlier(window)
        expect(earlier?.tabs.count, is: 2)
        expect(throws: StorageError.self) {
            try view.saveBlocking(tabs(5..<6), durability: .processCrash)
        }
        expect(namespaces, is: before)
        _ = try owner.saveBlocking(tabs(5..<6), durability: .processCrash)
        expect(try view.restoreBlocking([window]).first?.tabs.count == 5)
        try view.closeBlocking()
        expect(try owner.restoreBlocking([window]).first?.tabs.count == 6)
        try owner.closeBlocking()
    }

    @Test("Damage is reported, and taken out of the view alone")
    func damaged() throws {
        let owner = try open()
        _ = try owner.saveBlocking(tabs(0..<5), durability: .processCrash)
        try owner.closeBlocking()
        engine.state.withLock { state in
            let keys = state.namespaces["regular-1"]?[.metadata]?.keys ?? []
            let tab = keys.last { $0.first == UInt8(ascii: "t") }
            if let tab { state.namespaces["regular-1"]?[.metadata]?[tab]?[20] ^= 1 }
        }
        let before = namespaces
        for _ in 1...2 {
            let view = try open(.readOnly)
            expect(try view.checkBlocking().losses.map(\.kind) == [.tab])
            expect(try view.restoreBlocking([window]).first?.tabs.count == 4)
            try view.closeBlocking()
        }
        expect(namespaces, is: before)
    }

    @Test("Where nothing is there is nothing to look at, and some engines have no views")
    func refused() throws {
        expect(expect(throws: StorageError.self) { try open(.readOnly) }?.code, is: .notFound)
        expect(namespaces.isEmpty)
        expect(engine.state.withLock { $0.owner == nil && $0.connections == 0 })
        let strange = StrangeConnectedEngine()
        let error = expect(throws: StorageError.self) { try open(.readOnly, of: strange) }
        expect(error?.code, is: .unsupported)
    }
}
