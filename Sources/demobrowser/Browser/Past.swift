import BrowserModel
import BrowserSessions
import CommandLineSupport
import SessionRestoration

/// What was closed, set aside, or is of an earlier moment, and how it comes back.
@MainActor
struct Past {
    let browser: Browser
    private var restorer: SessionRestorer { browser.restorer }

    init(_ browser: Browser) { self.browser = browser }

    /// Reopens the tabs or the window that were closed last.
    func undo() async throws -> [String] {
        switch restorer.closed.items.first?.content {
        case .tabs?:
            return try restorer.closed.reopenLast(in: browser.window).map {
                "back: \($0.title) <\($0.url)>"
            }
        case .window(let closed)?:
            browser.show(try await restorer.savedWindows.open(closed.id))
            return ["a window is back"]
        case nil: throw CommandMistake("nothing was closed")
        }
    }

    func closedLines() -> [String] {
        restorer.closed.items.map { item in
            switch item.content {
            case .tabs(let tabs) where tabs.count == 1:
                "  \(item.title) <\(item.shownTab?.url ?? "")>"
            case .tabs(let tabs): "  \(item.title) and others: \(counted(tabs.count, "tab"))"
            case .window:
                "  \(item.title): a window with \(item.tabs.map { counted($0, "tab") } ?? "its tabs")"
            }
        }
    }

    /// Closes tabs that were not used for the given number of minutes. `undo` brings them back.
    func closeUnused(_ minutes: Int) throws -> [String] {
        let time = browser.profile.now().advanced(by: .seconds(-60 * minutes))
        let closed = try restorer.closed.closeTabs(notUsedSince: time)
        return [counted(closed.count, "tab") + " closed"]
    }

    /// Removes everything about visited pages, from the store and from the browser's memory.
    func clear() async throws -> [String] {
        let cleared = try await restorer.history.clear()
        try browser.profile.service(VisitedPages.self).forgetAll()
        try browser.open(PageServer.welcome)
        return [
            counted(cleared.openTabs + cleared.incognitoTabs, "open tab") + " and "
                + counted(cleared.closedTabs, "closed one") + " are gone"
                + (cleared.isErased ? ", also from the store's files" : "")
        ]
    }

    func setAsideLines() -> [String] {
        restorer.setAside.sessions.enumerated().map {
            "  \($0 + 1): \(counted($1.tabs, "tab")) (\($1.reason.rawValue))"
        }
    }

    func restoreSetAside(_ number: Int) async throws {
        let sessions = restorer.setAside.sessions
        guard sessions.indices.contains(number - 1) else {
            throw CommandMistake(
                counted(sessions.count, "window is", "windows are") + " set aside: see 'setaside'")
        }
        browser.show(try await restorer.setAside.bringBack(sessions[number - 1].id))
    }
}
