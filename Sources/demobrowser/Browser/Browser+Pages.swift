import BrowserModel
import BrowserSessions

extension Browser {
    /// The page of the shown window's active tab, realized if it was not.
    func activePage() async throws -> PageView {
        guard let tab = window.tabs.activeTab else {
            throw CommandError.notNow("no tab is active: open one, or select one")
        }
        try await tab.forceRealization()
        guard let page = tab.content as? PageView else {
            throw CommandError.notNow("the tab was closed meanwhile")
        }
        return page
    }

    /// Moves in a page's history; the tab reports it, and so it is saved.
    func go(_ step: Command.Step, in page: PageView) throws {
        switch step {
        case .to(let address):
            let target = try server.page(at: address)
            page.load(address, title: target.title)
        case .back:
            guard page.go(by: -1) else { throw CommandError.notNow("this is the first page") }
        case .forward:
            guard page.go(by: 1) else { throw CommandError.notNow("this is the last page") }
        case .scroll(let line): page.scroll(to: line)
        }
    }

    /// What the shown window's active tab shows, as lines of text.
    func pageText() -> [String] {
        guard let tab = window.tabs.activeTab else { return ["(no tab is active)"] }
        do throws(PageError) {
            let page = try server.page(at: tab.url)
            let scroll = (tab.content as? PageView)?.scroll ?? 0
            return ["   \(page.title)"] + page.text.dropFirst(scroll).prefix(3).map { "   | \($0)" }
                + page.links.map { "   -> \($0)" }
        } catch {
            return ["   \(error)"]
        }
    }
}
