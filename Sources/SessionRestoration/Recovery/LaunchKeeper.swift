import BrowserModel
import BrowserSessions

/// Keeps the launch marker of this process and what was set aside.
final class LaunchKeeper {
    /// What the store shall have; `nil` before the launch was noted.
    var marker: LaunchMarker?
    /// What the store has, as far as it has answered.
    var written: LaunchMarker?
    /// Judged once for each process: a second try to restore is no second launch.
    var assessment: LaunchAssessment?
    /// A write was asked for and has not begun; whatever comes until then goes with it.
    var isWriteAskedFor = false
    var timer: HostTimer?
    /// Whether the host tells when its windows are in the foreground: it has done so once.
    var tellsForeground = false
    /// With their attributes, by session.
    var setAside: [SessionID: SetAsideRecord] = [:]
    /// Tabs that are being realized at launch.
    var realizing: [TabID] = []
    private var loading: [LoadingTab] = []

    private struct LoadingTab {
        var id: TabID
        weak var tab: Tab?
    }

    struct SetAsideRecord {
        var attributes: SessionAttributes
        var tabs: Int
    }

    /// The tabs that load a page now, the first one to begin first. Those that were closed while
    /// they loaded are none of them.
    var loadingTabs: [TabID] {
        loading.removeAll { $0.tab.map { !$0.isLoading || $0.isClosed } ?? true }
        let ids = loading.map(\.id)
        return Array(
            (ids + realizing.filter { !ids.contains($0) }).suffix(LaunchMarker.maximumTabs))
    }

    func loadingChanged(_ tab: Tab) {
        loading.removeAll { $0.id == tab.id }
        if tab.isLoading { loading.append(LoadingTab(id: tab.id, tab: tab)) }
    }
}
