import BrowserModel
import BrowserSessions
import SessionRestoration

extension Browser {
    /// Commands that bring something back, or put it away so that it can be brought back.
    func reopen(_ command: Command) async throws -> [String] {
        switch command {
        case .undo: return try await undo()
        case .closed: return closedLines()
        case .closeAll: return ["\(try restorer.closeAll(in: window)) tabs closed"]
        case .undoCloseAll: return ["\(try restorer.closeAll.undo(in: window.id).count) tabs back"]
        case .confirmCloseAll: try restorer.closeAll.confirm(in: window.id)
        case .inactive: return ["\(try restorer.inactive.moveUnused()) tabs became inactive"]
        case .setAside: return setAsideLines()
        case .restoreSetAside(let number): show(try await restoreSetAside(number))
        default: break
        }
        return []
    }

    /// Reopens the tabs that were closed last, or the window if that was closed later.
    private func undo() async throws -> [String] {
        let tab = restorer.closed.tabs.first
        if let closed = restorer.closed.windows.first, let time = closed.closedAt,
            tab.map({ $0.closedAt < time }) ?? true
        {
            show(try await restorer.savedWindows.open(closed.id))
            return ["a window is back"]
        }
        guard tab != nil else { throw CommandError.notNow("nothing was closed") }
        return try restorer.closed.reopenLast(in: window).map { "back: \($0.title) <\($0.url)>" }
    }

    private func closedLines() -> [String] {
        restorer.closed.tabs.map { "  \($0.title) <\($0.url)>" }
            + restorer.closed.windows.map { "  window \($0.id)" }
    }

    private func setAsideLines() -> [String] {
        restorer.setAside.sessions.enumerated().map {
            "  \($0 + 1): \($1.tabs) tabs (\($1.reason.rawValue))"
        }
    }

    private func restoreSetAside(_ number: Int) async throws -> Window {
        let sessions = restorer.setAside.sessions
        guard sessions.indices.contains(number - 1) else {
            throw CommandError.notNow("\(sessions.count) windows are set aside: see 'setaside'")
        }
        return try await restorer.setAside.bringBack(sessions[number - 1].id)
    }
}
