import BrowserModel
import BrowserSessions

/// What a realized tab shows: a page, where it is scrolled to, and where the user can go back to.
///
/// A real browser has its web engine's view here.
final class PageView: TabContent {
    private(set) var history: NavigationHistory
    /// The line that is at the top.
    private(set) var scroll: Int
    private weak var tab: Tab?
    private let now: @Sendable () -> Timestamp

    init(of tab: Tab, restoring state: TabState, now: @escaping @Sendable () -> Timestamp) {
        self.tab = tab
        self.now = now
        history = state.history
        scroll = state.native.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    /// The state to save: the history, and as native state the scroll position.
    func captureState() -> TabState {
        TabState(history: history, native: Array(String(scroll).utf8))
    }

    private var index: Int { history.currentIndex ?? -1 }

    /// Shows a new page; the pages ahead of the present one are forgotten.
    func load(_ address: String, title: String) {
        history.entries.removeSubrange((index + 1)...)
        history.entries.append(NavigationEntry(url: address, title: title, time: now()))
        show(history.entries.count - 1)
    }

    /// Goes back (negative) or forward; `false` if there is no such page.
    func go(by distance: Int) -> Bool {
        guard history.entries.indices.contains(index + distance) else { return false }
        show(index + distance)
        return true
    }

    func scroll(to line: Int) {
        guard line != scroll else { return }
        scroll = line
        tab?.stateDidChange()
    }

    func forgetOtherPages() -> Bool {
        history = history.currentPageAlone
        tab?.stateDidChange()
        return true
    }

    private func show(_ index: Int) {
        history.currentIndex = index
        scroll = 0
        let entry = history.entries[index]
        tab?.didNavigate(
            url: entry.url, title: entry.title, itemCount: history.entries.count, index: index)
    }
}

/// Makes a ``PageView`` for every tab that becomes realized.
final class PageEngine: TabEngine {
    private let now: @Sendable () -> Timestamp

    /// - Parameter now: the wall clock, for the times of pages in a history.
    init(now: @escaping @Sendable () -> Timestamp) { self.now = now }

    func makeContent(for tab: Tab, restoring state: TabState) -> any TabContent {
        PageView(of: tab, restoring: state, now: now)
    }
}
