public import BrowserSessions

/// A page that is only a history, for apps with tabs that need no web engine, and for tests. It is
/// the view of a ``PageHistoryEngine``.
public final class PageHistory {
    /// The visited pages and the index of the current one.
    public private(set) var history: NavigationHistory
    /// Opaque bytes of the host, saved and restored with the history.
    package var native: [UInt8]?
    fileprivate weak var page: WebPage?

    /// Creates a page from a state. An index out of bounds becomes that of the nearest page.
    package init(_ state: TabState = TabState()) {
        history = state.history
        native = state.native
        let last = history.entries.count - 1
        history.currentIndex = history.currentIndex.flatMap {
            last < 0 ? nil : min(max($0, 0), last)
        }
    }

    /// The current page; `nil` before the first one.
    package var currentEntry: NavigationEntry? {
        history.currentIndex.map { history.entries[$0] }
    }

    /// Shows a new page and discards the pages ahead of the current one. The tab is notified unless
    /// it was closed.
    public func navigate(to entry: NavigationEntry) {
        let kept = history.currentIndex.map { $0 + 1 } ?? 0
        history.entries.removeSubrange(kept...)
        history.entries.append(entry)
        history.currentIndex = history.entries.count - 1
        tellTab()
    }

    /// Shows the page before the current one. Does nothing if there is none.
    package func goBack() { go(by: -1) }

    /// Shows the page after the current one. Does nothing if there is none.
    package func goForward() { go(by: 1) }

    fileprivate func go(by steps: Int) {
        guard let index = history.currentIndex, history.entries.indices.contains(index + steps)
        else { return }
        history.currentIndex = index + steps
        tellTab()
    }

    private func tellTab() { page?.historyChanged() }

    /// Returns the history and the host's bytes as they are saved.
    package func captureState() -> TabState { TabState(history: history, native: native) }

    fileprivate func forgetOtherPages() {
        history = history.currentPageAlone
        native = nil
    }

    fileprivate func goOn(from state: TabState) {
        let other = PageHistory(state)
        (history, native) = (other.history, other.native)
    }
}

extension NavigationHistory {
    /// The history with only its current page; empty if there is none.
    public var currentPageAlone: NavigationHistory {
        guard let index = currentIndex, entries.indices.contains(index) else {
            return NavigationHistory()
        }
        return NavigationHistory(entries: [entries[index]], currentIndex: 0)
    }
}

/// The engine with ``PageHistory`` as its view. It loads nothing and accepts any history.
public final class PageHistoryEngine: WebEngine {
    /// Creates an engine, which has no state of its own.
    public init() {}

    public func makeView(_ request: ViewRequest<PageHistory>) -> PageHistory {
        let view: PageHistory =
            if case .adopted(let given) = request.reason { given } else { .init() }
        view.page = request.page
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
