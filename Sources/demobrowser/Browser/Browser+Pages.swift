import BrowserModel
import BrowserSessions

extension Browser {
    /// A move of the active tab.
    enum Step {
        case to(String)
        /// Follows a link of the page by its number.
        case link(Int)
        case back
        case forward
        case scroll(Int)
    }

    /// Returns the page of the shown window's active tab. Realizes the tab if necessary.
    func activePage() async throws -> WebPage {
        guard let tab = window.tabOnScreen else {
            throw CommandMistake("no tab is active: open one, or select one")
        }
        try await tab.forceRealization()
        guard let page = tab.page else {
            throw CommandMistake("the tab was closed meanwhile")
        }
        return page
    }

    /// Moves in a page's history. The tab reports the change, so it is saved.
    func go(_ step: Step, in page: WebPage) throws {
        switch step {
        case .to(let address):
            _ = try server.page(at: address)
            page.load(address)
        case .link(let number):
            let links = try server.page(at: page.tab?.url ?? "").links
            guard links.indices.contains(number - 1) else {
                throw CommandMistake(
                    "there is no link \(number): the page has \(counted(links.count, "link"))")
            }
            page.load(links[number - 1])
        case .back:
            guard page.canGoBack else { throw CommandMistake("this is the first page") }
            page.goBack()
        case .forward:
            guard page.canGoForward else { throw CommandMistake("this is the last page") }
            page.goForward()
        case .scroll(let line): (page.view as? PageView)?.scroll(to: line)
        }
    }

    func showTab(_ number: TabNumber) async throws -> [String] {
        let tab = try select(number)
        try onChange()
        let wasRealized = tab.isRealized
        try await tab.forceRealization()
        guard !number.isIncognito else { return [] }
        return pageText() + (wasRealized ? [] : ["   (its state was read now: it is realized)"])
    }

    /// Returns the content of the shown window's active tab as lines of text.
    func pageText() -> [String] {
        guard let tab = window.tabOnScreen else { return ["(no tab is active)"] }
        do throws(CommandMistake) {
            let page = try server.page(at: tab.url)
            let scroll = (tab.page?.view as? PageView)?.scroll ?? 0
            return ["   \(page.title)"] + page.text.dropFirst(scroll).prefix(3).map { "   | \($0)" }
                + page.links.enumerated().map { "   \($0 + 1) -> \($1)" }
        } catch {
            return ["   \(error)"]
        }
    }
}
