import BrowserModel
import BrowserSessions

/// Records the changes of a tab list, in words; events of single tabs only if asked to.
final class ListRecorder: TabListObserver {
    var log: [String] = []
    var hearsTabs = false
    /// Runs before each event is written down.
    var onChange: (TabList, TabListChange) -> Void = { _, _ in }

    init(_ list: TabList) { list.addObserver(self) }

    func tabList(_ list: TabList, did change: TabListChange) {
        onChange(list, change)
        if let text = words(for: change) { log.append(text) }
    }

    /// The changes since the last call.
    func take() -> [String] {
        defer { log = [] }
        return log
    }

    private func words(for change: TabListChange) -> String? {
        switch change {
        case .inserted(let tab, let index): "inserted \(tab.title) at \(index)"
        case .restored(let tabs): "restored \(tabs.map(\.title).joined(separator: ", "))"
        case .removed(let removal): "removed \(removal.tab.title) from \(removal.index)"
        case .replaced(let removal, let tab):
            "replaced \(removal.tab.title) at \(removal.index) with \(tab.title)"
        case .moved(let tab, let from, let to): "moved \(tab.title) from \(from) to \(to)"
        case .subtreeMoved(_, let tabs, let from, let to):
            "moved \(tabs.map(\.title).joined(separator: ", ")) from \(from) to \(to)"
        case .attributesChanged(let tab, let index): "attributes of \(tab.title) at \(index)"
        case .nodeChanged(let group): "group \(group.low)"
        case .nodeEnded(let group): "group \(group.id.low)"
        case .activated(let tab, let previous):
            "active \(tab?.title ?? "none"), was \(previous?.title ?? "none")"
        case .renumbered: "renumbered"
        case .tab(let tab, let event): hearsTabs ? "\(tab.title) \(event)" : nil
        case .batchBegan: "batch begins"
        case .batchEnded: "batch ends"
        }
    }
}

/// Records the calls of a delegate.
final class DelegateRecorder: TabListDelegate {
    var log: [String] = []

    func tabList(_ list: TabList, willInsert tab: Tab) {
        log.append("will insert \(tab.title)" + state(of: tab, list))
    }

    func tabList(_ list: TabList, attachHelpersTo tab: Tab) {
        log.append("attach to \(tab.title)" + state(of: tab, list))
    }

    func tabList(_ list: TabList, didRemove tab: Tab) {
        log.append("did remove \(tab.title)" + state(of: tab, list))
    }

    private func state(of tab: Tab, _ list: TabList) -> String {
        list.tab(tab.id) == nil ? ", not in the list" : ", in the list"
    }
}

/// Writes down what happens to tabs.
final class TabRecorder: TabObserver {
    var events: [TabEvent] = []
    var onEvent: (Tab, TabEvent) -> Void = { _, _ in }

    func tab(_ tab: Tab, did event: TabEvent) {
        events.append(event)
        onEvent(tab, event)
    }
}

/// A source with answers that the test gives.
final class ScriptedSource: TabStateSource {
    struct Unavailable: Error {}

    var inMemory: TabState?
    var whenRead: TabState?
    var beforeReading: (Tab) async -> Void = { _ in }
    private(set) var reads = 0
    private(set) var wanted: [TabID] = []

    init(inMemory: TabState? = nil, whenRead: TabState? = nil) {
        self.inMemory = inMemory
        self.whenRead = whenRead
    }

    func stateInMemory(of tab: Tab) -> TabState? { inMemory }

    func loadState(of tab: Tab) async throws -> TabState {
        reads += 1
        let answer = whenRead
        await beforeReading(tab)
        guard let answer else { throw Unavailable() }
        return answer
    }

    func realizeSoon(_ tab: Tab) { wanted.append(tab.id) }
}

extension TabState {
    /// A history of one page.
    static func page(_ url: String) -> TabState {
        TabState(history: NavigationHistory(url: url, title: url))
    }
}

extension Tab {
    /// An unrealized tab with a title, at a place of its own if one is given.
    static func unrealized(
        _ title: String, _ source: any TabStateSource = HeldTabState(TabState()),
        place: OrderKey = .between(nil, and: nil), pinned: Bool = false, group: NodeID? = nil,
        opener: TabID? = nil
    ) -> Tab {
        let metadata = TabMetadata(
            id: .random(), place: place, url: "https://\(title).example/", title: title,
            isPinned: pinned, group: group, opener: opener.map { TabOpener(tab: $0) })
        return Tab(unrealized: metadata, origin: TabOrigin(state: source))
    }
}

extension Tab {
    /// The tab, which was put into a list that is gone by now.
    func inAList() throws -> Tab {
        try TabList().insert(self)
        return self
    }
}
