import BrowserModel
import BrowserSessions
import CommandLineSupport
import SessionRestoration

extension Browser {
    /// Performs a command that brings something back, or puts it away so that it can be brought back.
    func reopen(_ command: Command) async throws -> [String] {
        switch command {
        case .undo: return try await undo()
        case .closed: return closedLines()
        case .closeAll: return [counted(try restorer.closeAll(in: window), "tab") + " closed"]
        case .undoCloseAll:
            return [counted(try restorer.closeAll.undo(in: window.id).count, "tab") + " back"]
        case .confirmCloseAll: try restorer.closeAll.confirm(in: window.id)
        case .closeUnused(let minutes): return try closeUnused(minutes)
        case .clear: return try await clear()
        case .inactive:
            return [counted(try restorer.inactive.moveUnused(), "tab") + " became inactive"]
        case .reactivate: return [counted(try restorer.inactive.reactivateAll(), "tab") + " back"]
        case .setAside: return setAsideLines()
        case .restoreSetAside(let number): show(try await restoreSetAside(number))
        default: break
        }
        return []
    }

    /// Reopens the tabs or the window that were closed last.
    private func undo() async throws -> [String] {
        switch restorer.closed.items.first?.content {
        case .tabs?:
            return try restorer.closed.reopenLast(in: window).map {
                "back: \($0.title) <\($0.url)>"
            }
        case .window(let closed)?:
            show(try await restorer.savedWindows.open(closed.id))
            return ["a window is back"]
        case nil: throw CommandMistake.notNow("nothing was closed")
        }
    }

    private func closedLines() -> [String] {
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
    private func closeUnused(_ minutes: Int) throws -> [String] {
        let time = profile.now().advanced(by: .seconds(-60 * minutes))
        let closed = try restorer.closed.closeTabs(notUsedSince: time)
        return [counted(closed.count, "tab") + " closed"]
    }

    /// Removes everything about visited pages, from the store and from the browser's memory.
    private func clear() async throws -> [String] {
        let cleared = try await restorer.history.clear()
        try profile.service(VisitedPages.self).forgetAll()
        try open(PageServer.welcome)
        return [
            counted(cleared.openTabs + cleared.incognitoTabs, "open tab") + " and "
                + counted(cleared.closedTabs, "closed one") + " are gone"
                + (cleared.isErased ? ", also from the store's files" : "")
        ]
    }

    private func setAsideLines() -> [String] {
        restorer.setAside.sessions.enumerated().map {
            "  \($0 + 1): \(counted($1.tabs, "tab")) (\($1.reason.rawValue))"
        }
    }

    private func restoreSetAside(_ number: Int) async throws -> Window {
        let sessions = restorer.setAside.sessions
        guard sessions.indices.contains(number - 1) else {
            throw CommandMistake.notNow(
                counted(sessions.count, "window is", "windows are") + " set aside: see 'setaside'")
        }
        return try await restorer.setAside.bringBack(sessions[number - 1].id)
    }
}
