import BrowserSessions
import DirectoryBackend
import Expectations
import RestorePlans
import SessionSamples
import TestSupport

@Suite("going back on real stores")
struct GoingBackTests {
    /// A profile of Zen as its user had it: spaces with folders and tabs, half a megabyte of them.
    private func spaces() -> SessionSnapshot {
        var sampler = SessionSampler(seed: 12422)
        var library = SessionSnapshot(
            id: SessionID(window: WindowID(high: 12, low: 422), kind: .library),
            attributes: SessionAttributes(title: "Spaces"))
        let places = OrderKey.evenlySpaced(count: 240)
        for space in 0..<6 {
            let id = NodeID(high: 12, low: UInt64(space))
            library.nodes.append(
                StructureNode(id: id, .space, place: places[space], name: "Space \(space)"))
            var folder = StructureNode(
                id: NodeID(high: 13, low: UInt64(space)), .group, place: places[0], parent: id,
                name: "Folder \(space)")
            folder.style = "folder"
            library.nodes.append(folder)
            for number in 0..<40 {
                var tab = sampler.tab(at: places[40 * space + number])
                tab.parent = number < 10 ? folder.id : id
                let states = SampleState.navigationOnly.blobs(of: tab)
                library.tabs.append(TabSnapshot(metadata: tab, states: states))
            }
        }
        return library
    }

    /// What the window that came up blank saved in their place.
    private func blank(_ library: SessionSnapshot) -> (changes: SessionChanges, tab: TabMetadata) {
        let tab = TabMetadata(
            id: TabID(high: 99, low: 1), place: .between(nil, and: nil), url: "about:blank")
        let overwriting = SessionSnapshot(
            id: library.id, attributes: SessionAttributes(activeTab: tab.id),
            tabs: [TabSnapshot(metadata: tab)])
        let before = RestoredSession(
            id: library.id, attributes: library.attributes, tabs: library.tabs.map(\.metadata),
            nodes: library.nodes)
        return (SessionChanges(saving: overwriting, replacing: before), tab)
    }

    /// Undoes a restore in one call.
    private func undo(
        _ result: RestorePlanResult, in store: any SessionStorage, to damage: RestoredSession
    ) async throws {
        let before = try require(result.restorePoint)
        expect(before.name, is: "before restoring")
        let undone = try await store.goBack(to: before.id, mode: .replace)
        expect(undone.done.tabs.removed == 240 && undone.skipped == [])
        let again = try require(try await store.restore(damage.id))
        expect(again.tabs == damage.tabs && again.nodes == [])
        expect(again.attributes, is: damage.attributes)
    }

    @Test(
        "zen-browser/desktop#12422: a blank window overwrites all spaces; one call brings them back, one undoes it"
    )
    func blankWindow() async throws {
        let folder = TemporaryFolder()
        let library = spaces()
        expect(library.byteCount > 495_000)
        var store = try await StorageBackend.directory.open(folder)
        try await store.save(SessionChanges(saving: library))
        let saved = try require(try await store.restore(library.id))
        let keys = try await store.stateKeys(in: library.id)
        let states = try await store.states(of: keys)
        try await store.close()
        store = try await StorageBackend.directory.open(folder)
        let point = try require(try await store.restorePoints().first)
        let (overwriting, tab) = blank(library)
        try await store.save(overwriting)
        let damage = try require(try await store.restore(library.id))
        expect(damage.tabs == [tab] && damage.nodes == [])

        let found = try await store.find(library.tabs[7].metadata.url)
        expect(found.first?.place == .gone && found.first?.lastSeen?.point.id == point.id)
        let result = try await store.goBack(to: point.id)
        expect(result.done.tabs.added == 240 && result.done.nodes.added == 12)
        expect(result.states == states.count && result.skipped == [])
        let back = try require(try await store.restore(library.id))
        expect(back.tabs.filter { $0.id != tab.id } == saved.tabs && back.nodes == saved.nodes)
        expect(back.tabs.contains(tab) && back.repairs == [])
        expect(try await store.states(of: keys) == states)
        expect(try await store.check().losses == [])

        try await undo(result, in: store, to: damage)
        try await store.close()
    }

    @Test("A plan made on a look is applied by the store's owner")
    func planFromALook() async throws {
        let folder = TemporaryFolder()
        var store = try await StorageBackend.directory.open(folder)
        try await store.save(Sample.window(tabs: 10))
        try await store.close()
        store = try await StorageBackend.directory.open(folder)
        var changes = SessionChanges()
        for number in 2..<5 { changes.remove(Sample.tab(number).id, from: Sample.window) }
        try await store.save(changes)
        try await store.close()
        let look = try await StorageBackend.directory.open(
            folder, options: ["access": .text("readOnly")])
        let point = try require(try await look.restorePoints().first)
        let bytes = try await look.restorePlan(at: point.id).encoded()
        let refused = await errorCode {
            try await look.apply(try RestorePlan(encoded: bytes))
        }
        expect(refused, is: .permissionDenied)
        try await look.close()
        store = try await StorageBackend.directory.open(folder)
        let result = try await store.apply(try RestorePlan(encoded: bytes))
        expect(result.done.tabs.added, is: 3)
        expect(try await store.restore(Sample.window)?.tabs.count == 10)
        try await store.close()
    }
}

extension SessionSnapshot {
    /// The bytes of tabs and their states.
    fileprivate var byteCount: Int {
        tabs.reduce(0) { sum, tab in
            sum + tab.metadata.encoded().count + tab.states.values.reduce(0) { $0 + $1.count }
        }
    }
}
