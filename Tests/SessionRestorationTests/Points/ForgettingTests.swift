import BrowserModel
import BrowserSessions
import Expectations
import RestorePlans
import SessionTesting

@testable import SessionRestoration

/// Sites that a running browser forgets.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct ForgettingTests {
    private static let site = "secret.example"

    /// A tab on the site, or one elsewhere that came from it and shows an icon of it.
    private func tab(_ title: String, isOnSite: Bool) -> (TabMetadata, TabState) {
        let page = NavigationEntry(url: "https://\(title).example/", title: title)
        let secret = NavigationEntry(url: "https://www.\(Self.site)/\(title)", title: title)
        var metadata = TabMetadata(
            id: .random(), place: .between(nil, and: nil), url: (isOnSite ? secret : page).url,
            title: title)
        metadata.faviconURL = "https://\(Self.site)/icon"
        metadata.properties = ["from": "https://\(Self.site)/", "kept": "yes"]
        metadata.navigationItemCount = 2
        var state = TabState(
            history: NavigationHistory(
                entries: isOnSite ? [page, secret] : [secret, page], currentIndex: 1))
        state.native = Array("of \(Self.site)".utf8)
        return (metadata, state)
    }

    @discardableResult
    private func insert(_ titles: (String, isOnSite: Bool)..., into window: Window, of host: Host)
        throws -> [Tab]
    {
        try titles.map { title, isOnSite in
            var (metadata, state) = tab(title, isOnSite: isOnSite)
            // Inactive tabs that were just used would come back.
            if window.kind == .inactive { metadata.lastActiveAt = Timestamp(microseconds: 1) }
            let tab = host.restorer.states.createUnrealizedTab(metadata, state: state)
            try window.tabs.insert(tab, as: TabInsertion(.top()))
            return tab
        }
    }

    /// A host with the site in every place that keeps tabs, two in each, the second one elsewhere now.
    private func filled() async throws -> Host {
        let first = try await Host.launched()
        let window = try await first.window("shown")
        try insert(
            ("open", true), ("other", false), ("closed", true), ("closed-other", false),
            into: window, of: first)
        window.setProperty("last", to: "https://\(Self.site)/")
        var folder = StructureNode.folder(name: "Folder")
        folder.properties["from"] = "https://\(Self.site)/"
        try window.tabs.create(folder, at: .top())
        try window.tabs.close([window.tab("closed"), window.tab("closed-other")])
        let gone = try await first.window("gone")
        try insert(("gone-site", true), into: gone, of: first)
        try await first.restorer.save()
        try first.windows.close(gone)
        let undone = try await first.window("undone")
        try insert(("undone-site", true), into: undone, of: first)
        try first.restorer.closeAll(in: undone)
        let inactive = try first.windows.open(window.id, kind: .inactive)
        try insert(("inactive", true), ("inactive-other", false), into: inactive, of: first)
        try await first.restorer.save()
        var changes = SessionChanges()
        let aside = SessionID(window: .random(), kind: .setAside)
        changes.put(SessionAttributes(), for: aside)
        for (title, isOnSite) in [("aside", true), ("aside-other", false)] {
            let (metadata, state) = tab(title, isOnSite: isOnSite)
            changes.put(metadata, in: aside)
            let key = TabStateKey(tab: metadata.id, name: .navigation, in: aside)
            changes.put(state.history.encoded(), for: key)
        }
        _ = try await first.storage.base.save(changes, durability: .memory)
        try await first.restorer.history.takeRestorePoint()
        return try await first.relaunched()
    }

    /// What names the site in a store, by where it is: `now`, or the number of a point.
    private func mentions(_ store: any SessionStorage) async throws -> Set<String> {
        let sites = try ForgottenSites([Self.site])
        var found: Set<String> = []
        let points = try await store.restorePoints().map { SessionVersion.point($0.id) }
        for version in [.current] + points {
            for session in try await store.sessions(at: version) {
                guard let restored = try await store.restore(session, at: version) else { continue }
                let keys = try await store.stateKeys(in: session, at: version)
                let states = try await store.states(of: keys, at: version)
                let place = version == .current ? session.kind.rawValue : "point"
                if restored.attributes.properties.values.contains(where: sites.isNamed(in:)) {
                    found.insert("\(place) attributes")
                }
                for node in restored.nodes
                where node.properties.values.contains(where: sites.isNamed(in:)) {
                    found.insert("\(place) node")
                }
                for tab in restored.tabs {
                    let ofTab = states.filter { $0.key.tab == tab.id }
                    let texts = [tab.url, tab.faviconURL] + tab.properties.values
                    if texts.contains(where: sites.isNamed(in:)) {
                        found.insert("\(place) \(tab.title)")
                    }
                    for (key, bytes) in ofTab where sites.isNamed(in: bytes) {
                        found.insert("\(place) \(tab.title) \(key.name.rawValue)")
                    }
                }
            }
        }
        return found
    }

    private let open: Set = ["regular open", "regular open navigation"]

    @Test("Nothing of a site is in any place, nor comes back with what is saved later")
    func everywhere() async throws {
        let host = try await filled()
        let store = host.storage.base
        let before = try await mentions(store)
        expect(before.count > 20 && before.contains { $0.hasPrefix("point") }, "\(before)")
        // This one holds its state itself.
        let window = try require(host.windows.windows(of: .regular).first { $0.tabs.count > 2 })
        let held = try require(try insert(("held", false), into: window, of: host).first)
        let points = try await host.restorer.history.restorePoints()
        let tried = try await host.restorer.history.forget([Self.site], isDryRun: true)
        expect(try await mentions(store).isSuperset(of: before))
        let data = try await host.restorer.history.forget(["https://\(Self.site)/x"])
        expect(tried.receipt == data.receipt && data.keptHistories == [])
        expect(data.receipt.closedTabs == 5 && data.receipt.openTabs == 1)
        expect(data.receipt.earlierTabs, is: 6)
        expect(try await mentions(store) == open)
        expect(try await host.restorer.history.restorePoints() == points)
        try requireForgotten(host)
        expect(held.heldState?.history.entries.map(\.title), is: ["held"])
        expect(held.heldState?.native == nil && held.metadata.navigationItemCount == 1)
        // A store that may have nothing of it gets everything again.
        host.restorer.replaceStorage(with: store)
        try await host.restorer.save()
        expect(try await mentions(store) == open)
        let next = try await host.relaunched()
        try requireForgotten(next)
    }

    /// What is in memory is what is to be left.
    private func requireForgotten(_ host: Host) throws {
        var titles = Set(host.windows.windows.flatMap(\.titles))
        titles.remove("held")
        expect(titles, is: ["shown", "open", "other", "undone", "inactive-other"])
        let closed = host.restorer.closed
        expect(closed.tabs.map(\.title) == ["closed-other"] && closed.tabs.map(\.pages) == [1])
        expect(closed.tabs.map(\.faviconURL), is: [""])
        expect(closed.windows.map(\.tabs), is: [1])
        expect(closed.windows.map { $0.shownTab?.title }, is: ["gone"])
        let aside = host.restorer.setAside.sessions
        expect(aside.map(\.tabs) == [1] && aside.map { $0.shownTab?.title } == ["aside-other"])
        let tabs = host.windows.windows.flatMap(\.tabs.tabs)
        let other = try require(tabs.first { $0.title == "other" })
        expect(other.metadata.navigationItemCount == 1 && other.faviconURL.isEmpty)
        expect(other.metadata.properties, is: ["kept": "yes"])
    }

    @Test("Pages keep their histories, which the engine owns, and are named")
    func pages() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b")
        let (one, two) = try (window.tab("a"), window.tab("b"))
        one.visit("secret")
        one.visit("c")
        two.visit("secret")
        let data = try await host.restorer.history.forget([Self.site])
        expect(data.keptHistories == [one.id] && data.receipt.openTabs == 1)
        expect(one.page?.history.entries.count, is: 3)
        expect(one.page?.forgetOtherPages(), is: true)
        let again = try await host.restorer.history.forget([Self.site])
        expect(again.keptHistories == [] && again.receipt.historyEntries == 0)
        expect(two.title, is: "secret")
        let since = try await host.restorer.history.forget(
            ["b.example"], since: Timestamp(microseconds: .max))
        expect(since.keptHistories == [] && since.receipt.historyEntries == 0)
    }

    @Test("What is read to come back meanwhile does not")
    func plans() async throws {
        let host = try await filled()
        let point = try require(try await host.restorer.history.restorePoints().first)
        let plan = try await host.restorer.history.plan(at: point.id, mode: .replace)
        let before = host.restorer.context.clearings.begun
        try await host.restorer.history.forget([Self.site], isDryRun: true)
        expect(host.restorer.context.clearings.begun, is: before)
        try await host.restorer.history.forget([Self.site])
        expect(host.restorer.context.clearings.begun, is: before + 1)
        expect(host.restorer.context.clearings.underWay, is: 0)
        try await host.restorer.history.apply(plan)
        expect(try await mentions(host.storage.base) == open)
    }

    @Test("If the store cannot forget, nothing is forgotten")
    func failure() async throws {
        let host = try await filled()
        let before = try await mentions(host.storage.base)
        let titles = host.windows.windows.map(\.titles)
        host.storage.fail(.forget, with: StorageError(.corrupted, "unreadable"), on: .every)
        await expect(throws: SessionRestorationError.self) {
            try await host.restorer.history.forget([Self.site])
        }
        await expect(throws: SessionRestorationError.self) {
            try await host.restorer.history.forget(["a b"])
        }
        try await host.restorer.save()
        expect(try await mentions(host.storage.base) == before)
        expect(host.windows.windows.map(\.titles), is: titles)
        expect(host.restorer.closed.tabs.count, is: 2)
        host.storage.forgetFaults()
        try await host.restorer.history.forget([Self.site])
        expect(try await mentions(host.storage.base) == open)
    }
}
