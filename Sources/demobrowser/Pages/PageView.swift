import BrowserModel
import BrowserSessions

/// The view of a page: its lines, its scroll position, and the history that the user can move in.
///
/// A real browser has its web engine's view here.
final class PageView {
    fileprivate(set) var history = NavigationHistory()
    /// The index of the line at the top.
    private(set) var scroll = 0
    fileprivate weak var page: WebPage?

    private var index: Int { history.currentIndex ?? -1 }

    fileprivate func goOn(from state: TabState) {
        history = state.history
        scroll = state.native.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    /// The history, with the scroll position as native state.
    fileprivate var state: TabState {
        TabState(history: history, native: Array(String(scroll).utf8))
    }

    /// Shows a new page and forgets the pages after the current one.
    func load(_ address: String, title: String) {
        history.entries.removeSubrange((index + 1)...)
        history.entries.append(NavigationEntry(url: address, title: title))
        show(history.entries.count - 1)
    }

    fileprivate func go(by distance: Int) {
        if history.entries.indices.contains(index + distance) { show(index + distance) }
    }

    func scroll(to line: Int) {
        guard line != scroll else { return }
        scroll = line
        page?.stateMayHaveChanged()
    }

    fileprivate func forgetOtherPages() { history = history.currentPageAlone }

    private func show(_ index: Int) {
        history.currentIndex = index
        scroll = 0
        page?.committed()
    }
}

/// The engine of this browser. It makes pages in this process, at once.
final class PageEngine: WebEngine {
    private let server = PageServer()

    func makeView(_ request: ViewRequest<PageView>) -> PageView {
        let view: PageView = if case .adopted(let given) = request.reason { given } else { .init() }
        view.page = request.page
        return view
    }

    func restore(_ state: TabState, in view: PageView) -> RestoreAnswer {
        view.goOn(from: state)
        return .shown
    }

    func load(_ address: String, in view: PageView) {
        do throws(CommandMistake) {
            view.load(address, title: try server.page(at: address).title)
            view.page?.finished()
        } catch {
            view.page?.failed(LoadFailure(address: address, message: "\(error)"))
        }
    }

    func reload(_ view: PageView) { view.page?.finished() }
    func go(by steps: Int, in view: PageView) { view.go(by: steps) }
    func history(of view: PageView) -> NavigationHistory { view.history }
    func capture(_ view: PageView) -> TabState { view.state }

    func forgetOtherPages(in view: PageView) -> Bool {
        view.forgetOtherPages()
        return true
    }
}
