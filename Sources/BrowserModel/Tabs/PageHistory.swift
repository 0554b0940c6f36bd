public import BrowserSessions

/// A page that is a history and nothing more: for apps whose tabs need no web engine, and for tests.
/// It is the view of a ``PageHistoryEngine``.
public final class PageHistory {
    /// The pages that were visited and which of them is shown.
    public private(set) var history: NavigationHistory
    /// Bytes of the host, saved and restored with the history.
    public var native: [UInt8]?
    fileprivate weak var page: WebPage?

    /// Goes on from a state. If its current page is not among its pages, the nearest is shown.
    public init(_ state: TabState = TabState()) {
        history = state.history
        native = state.native
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

    fileprivate func go(by steps: Int) {
        guard let index = history.currentIndex, history.entries.indices.contains(index + steps)
        else { return }
        show(steps)
    }

    private func show(_ distance: Int) {
        history.currentIndex = history.currentIndex.map { $0 + distance }
        tellTab()
    }

    private func tellTab() { page?.historyChanged() }

    public func captureState() -> TabState { TabState(history: history, native: native) }

    fileprivate func forgetOtherPages() {
        history = history.currentPageAlone
        native = nil
    }

    fileprivate func belong(to page: WebPage) { self.page = page }
    fileprivate func goOn(from state: TabState) {
        let other = PageHistory(state)
        (history, native) = (other.history, other.native)
    }
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

/// The engine whose views are ``PageHistory``: nothing is ever loaded, and it takes any history.
public final class PageHistoryEngine: WebEngine {
    public init() {}

    public func makeView(_ request: ViewRequest<PageHistory>) -> PageHistory {
        let view: PageHistory =
            if case .adopted(let given) = request.reason { given } else { .init() }
        view.belong(to: request.page)
        return view
    }

    public func restore(_ state: TabState, in view: PageHistory) -> RestoreAnswer {
        view.goOn(from: state)
        return .shown
    }

    public func load(_ address: String, in view: PageHistory) {
        view.navigate(to: NavigationEntry(url: address))
        view.page?.finished()
    }

    public func reload(_ view: PageHistory) { view.page?.finished() }

    public func go(by steps: Int, in view: PageHistory) { view.go(by: steps) }

    public func history(of view: PageHistory) -> NavigationHistory { view.history }
    public func capture(_ view: PageHistory) -> TabState { view.captureState() }

    public func forgetOtherPages(in view: PageHistory) -> Bool {
        view.forgetOtherPages()
        return true
    }
}
