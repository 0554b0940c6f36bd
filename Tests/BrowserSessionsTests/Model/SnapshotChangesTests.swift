import Expectations
import SessionSamples

@testable import BrowserSessions
@testable import StorageEngines

/// `SessionChanges(saving:replacing:)`: what differs, and no more.
struct SnapshotChangesTests {
    var window: SessionSnapshot
    var restored: RestoredSession

    init() {
        var sampler = SessionSampler(seed: 121)
        window = sampler.window(tabs: 20)
        restored = Self.restored(window)
    }

    static func restored(_ window: SessionSnapshot) -> RestoredSession {
        RestoredSession(
            id: window.id, attributes: window.attributes, tabs: window.tabs.map(\.metadata),
            nodes: window.nodes)
    }

    func changes() -> [SessionChanges.Change] {
        SessionChanges(saving: window, replacing: restored).changes
    }

    @Test mutating func withoutPreviousEverythingIsPut() {
        window.tabs[3].states = [.navigation: [1], .native: [2]]
        let changes = SessionChanges(saving: window).changes
        expect(changes.count, is: 1 + window.nodes.count + 20 + 2)
        expect(changes.first, is: .put(.session(window.id, window.attributes)))
        for tab in window.tabs { expect(changes.contains(.put(tab.metadata, in: window.id))) }
    }

    @Test func nothingDiffers() {
        expect(changes().isEmpty)
        expect(SessionChanges(saving: window, replacing: restored), is: SessionChanges())
    }

    @Test mutating func attributesAlone() {
        window.attributes.title += "!"
        expect(changes(), is: [.put(.session(window.id, window.attributes))])
    }

    @Test mutating func statesNamedAreAlwaysPut() {
        window.tabs[2].states = [.navigation: [1], .native: []]
        let id = window.tabs[2].metadata.id
        expect(
            changes(),
            is: [
                .putState([], for: TabStateKey(tab: id, name: .native, partition: .regular)),
                .putState([1], for: TabStateKey(tab: id, name: .navigation, partition: .regular)),
            ])
    }

    @Test mutating func statesOfIncognitoTabsAreOnTheirPartition() throws {
        window.id.kind = .incognito
        window.tabs[0].states = [.navigation: [1]]
        let difference = SessionChanges(saving: window, replacing: restored)
        for set in [difference, SessionChanges(saving: window)] {
            // Throws if the changes concern both partitions.
            expect(try ValidatedChanges(set, maximumStateBytes: 1).partition == .incognito)
        }
    }

    @Test("Any two windows: applying the difference gives the second")
    mutating func randomWindows() {
        var sampler = SessionSampler(seed: 122)
        for _ in 0..<200 {
            let before = window
            window = sampler.randomEdit(of: window).expected
            let set = SessionChanges(saving: window, replacing: Self.restored(before))
            let changes = set.changes
            var tabs = Dictionary(
                uniqueKeysWithValues: before.tabs.map { ($0.metadata.id, $0.metadata) })
            for case .put(.tab(let tab, _)) in changes {
                expect(tabs.updateValue(tab, forKey: tab.id) != tab)
            }
            for case .remove(.tab(let id), _) in changes {
                expect(tabs.removeValue(forKey: id) != nil)
            }
            let expected = window.tabs.map(\.metadata)
            expect(tabs, is: Dictionary(uniqueKeysWithValues: expected.map { ($0.id, $0) }))
            expect(throws: Never.self) { try ValidatedChanges(set, maximumStateBytes: 1 << 20) }
        }
    }

    @Test func renumberingGivesEvenPlacesInOrder() {
        var window = window
        window.tabs.reverse()
        let ids = window.tabs.map(\.metadata.id)
        window.renumberPlaces()
        expect(window.tabs.map(\.metadata.id), is: ids)
        let places = OrderKey.evenlySpaced(count: window.tabs.count + window.nodes.count)
        expect(window.tabs.map(\.metadata.place), is: Array(places.prefix(window.tabs.count)))
        for node in window.nodes {
            let first = window.tabs.first { $0.metadata.parent == node.id }
            expect(node.place, is: first?.metadata.place)
        }
    }
}
