public import BrowserSessions

/// Content that is a history and nothing more: for apps whose tabs need no web engine, and for
/// tests.
public final class PageHistory: TabContent {
    /// The pages that were visited and which of them is shown.
    public private(set) var history: NavigationHistory
    /// Bytes of the host, saved and restored with the history.
    public var native: [UInt8]?
    /// Blobs of the host by name, saved and restored with the history.
    public var extra: [StateName: [UInt8]]
    private weak var tab: Tab?

    /// Goes on from a state. If its current page is not among its pages, the nearest is shown.
    public init(_ state: TabState = TabState()) {
        history = state.history
        native = state.native
        extra = state.extra
        let last = history.entries.count - 1
        history.currentIndex = history.currentIndex.flatMap {
            last < 0 ? nil : min(max($0, 0), last)
        }
    }

    /// The page that is shown; `nil` before the first one.
    public var currentEntry: NavigationEntry? {
        history.currentIndex.map { history.entries[$0] }
    }

    public var canGoBack: Bool { (history.currentIndex ?? 0) > 0 }
    public var canGoForward: Bool {
        history.currentIndex.map { $0 + 1 < history.entries.count } ?? false
    }

    /// Shows a new page; the pages ahead of the current one are forgotten. The tab is told, unless
    /// it was closed.
    public func navigate(to entry: NavigationEntry) {
        let kept = history.currentIndex.map { $0 + 1 } ?? 0
        history.entries.removeSubrange(kept...)
        history.entries.append(entry)
        history.currentIndex = history.entries.count - 1
        tellTab()
    }

    /// Shows the page before the current one; does nothing if there is none.
    public func goBack() { if canGoBack { show(-1) } }

    /// Shows the page after the current one; does nothing if there is none.
    public func goForward() { if canGoForward { show(1) } }

    private func show(_ distance: Int) {
        history.currentIndex = history.currentIndex.map { $0 + distance }
        tellTab()
    }

    private func tellTab() {
        guard let tab, !tab.isClosed, let entry = currentEntry else { return }
        tab.didNavigate(
            url: entry.url, title: entry.title, itemCount: history.entries.count,
            index: history.currentIndex ?? 0)
    }

    public func captureState() -> TabState {
        TabState(history: history, native: native, extra: extra)
    }

    public func forgetOtherPages() -> Bool {
        history = history.currentPageAlone
        native = nil
        tellTab()
        tab?.stateDidChange()
        return true
    }

    func belong(to tab: Tab) { self.tab = tab }
}

extension NavigationHistory {
    /// The page that is shown, without what comes before and after it; empty if there is none.
    public var currentPageAlone: NavigationHistory {
        guard let index = currentIndex, entries.indices.contains(index) else {
            return NavigationHistory()
        }
        return NavigationHistory(entries: [entries[index]], currentIndex: 0)
    }
}

/// Makes a ``PageHistory`` for every tab.
public final class PageHistoryEngine: TabEngine {
    public init() {}

    public func makeContent(for tab: Tab, restoring state: TabState) -> any TabContent {
        let content = PageHistory(state)
        content.belong(to: tab)
        return content
    }
}
