import BrowserModel
import BrowserSessions

/// The pages that the regular tabs of a profile showed, each once, the one visited last first.
///
/// They are kept in memory alone: a browser that starts knows those of the tabs that come back, by
/// the times when these were last shown. It hears regular windows and no others, so private tabs
/// leave nothing here.
final class VisitedPages: ProfileService {
    struct Visit: Equatable {
        var url: String
        var title: String
        var time: Timestamp
    }

    private(set) var visits: [Visit] = []
    private let limit: Int
    private let windows: WindowList
    private let now: @Sendable () -> Timestamp

    /// - Parameter limit: how many pages are remembered; those visited longest ago go first.
    init(of profile: Profile, limit: Int = 1000) {
        self.limit = limit
        windows = profile.windows
        now = profile.now
        windows.addObserver(self)
        for window in windows { window.tabs.addObserver(self) }
    }

    /// Made with its profile, so that it sees the first tab, too. There is none off the record.
    static var declaration: ServiceDeclaration {
        ServiceDeclaration(VisitedPages.self, offTheRecord: .none, creation: .withProfile) {
            VisitedPages(of: $0)
        }
    }

    func shutDown() {
        windows.removeObserver(self)
        for window in windows { window.tabs.removeObserver(self) }
    }

    /// The user clears browsing data.
    func forgetAll() { visits = [] }

    private func note(_ tab: Tab, at time: Timestamp) {
        guard !tab.url.isEmpty else { return }
        var visit = Visit(url: tab.url, title: tab.title, time: time)
        if let index = visits.firstIndex(where: { $0.url == tab.url }) {
            let known = visits.remove(at: index)
            if known.time > time { visit = known }
        }
        visits.insert(visit, at: visits.firstIndex { $0.time <= visit.time } ?? visits.endIndex)
        if visits.count > limit { visits.removeLast() }
    }
}

extension VisitedPages: WindowListObserver {
    func windowList(_ list: WindowList, did change: WindowListChange) {
        if case .opened(let window) = change { window.tabs.addObserver(self) }
    }
}

extension VisitedPages: TabListObserver {
    func tabList(_ list: TabList, did change: TabListChange) {
        switch change {
        // Opened, or back from the store or another window.
        case .inserted(let tab, _), .replaced(_, let tab): note(tab, at: tab.lastActiveAt)
        case .restored(let tabs): for tab in tabs { note(tab, at: tab.lastActiveAt) }
        case .tab(let tab, .navigated): note(tab, at: now())
        default: break
        }
    }
}
