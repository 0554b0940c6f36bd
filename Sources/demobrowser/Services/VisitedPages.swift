import BrowserModel
import BrowserSessions

/// The pages that a profile's regular tabs showed, each once, the most recent first.
///
/// They are only kept in memory. A browser that starts knows the pages of restored tabs, ordered by
/// the times when they were last shown. The service only observes regular windows, so private tabs
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

    /// - Parameter limit: the maximum number of pages. The least recently visited pages are removed first.
    init(of profile: Profile, limit: Int = 1000) {
        self.limit = limit
        windows = profile.windows
        now = profile.now
        windows.addObserver(self)
        for window in windows { window.tabs.addObserver(self) }
    }

    /// The declaration. The service is created with its profile, to see the first tab. Never in incognito.
    static var declaration: ServiceDeclaration {
        ServiceDeclaration(VisitedPages.self, incognito: .none, creation: .withProfile) {
            VisitedPages(of: $0)
        }
    }

    func shutDown() {
        windows.removeObserver(self)
        for window in windows { window.tabs.removeObserver(self) }
    }

    /// Removes all pages, when the user clears browsing data.
    func forgetAll() { visits = [] }

    /// Removes the pages of sites.
    func forget(_ sites: ForgottenSites) { visits.removeAll { sites.matches($0.url) } }

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
        // The tab was opened, or came back from the store or another window.
        case .inserted(let tab, _), .replaced(_, let tab): note(tab, at: tab.lastActiveAt)
        case .restored(let tabs): for tab in tabs { note(tab, at: tab.lastActiveAt) }
        case .tab(let tab, .navigated): note(tab, at: now())
        default: break
        }
    }
}
