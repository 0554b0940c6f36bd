import BrowserModel
import BrowserSessions

/// The tabs that are loading a page, which are the suspects if the process crashes.
final class LoadingTabs {
    /// The tabs that become realized at launch.
    private var realizing: [TabID] = []
    private var loading: [LoadingTab] = []

    private struct LoadingTab {
        var id: TabID
        weak var tab: Tab?
    }

    /// The loading tabs, the first to begin first, without tabs that were closed.
    var ids: [TabID] {
        loading.removeAll { $0.tab.map { !$0.isLoading || $0.isClosed } ?? true }
        let ids = loading.map(\.id)
        let known = Set(ids)
        return Array(
            (ids + realizing.filter { !known.contains($0) }).suffix(LaunchMarker.maximumTabs))
    }

    /// Notes that a tab began or stopped loading a page.
    func changed(_ tab: Tab) {
        loading.removeAll { $0.id == tab.id }
        if tab.isLoading { loading.append(LoadingTab(id: tab.id, tab: tab)) }
    }

    func beginRealizing(_ ids: [TabID]) { realizing += ids }

    func endRealizing(_ ids: [TabID]) {
        let done = Set(ids)
        realizing.removeAll { done.contains($0) }
    }
}
