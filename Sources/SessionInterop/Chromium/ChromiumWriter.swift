import BrowserSessions

/// A writer of Chromium's folder `Sessions`, which ``ChromiumFormat`` reads: a `Session` file of the
/// open windows, and a `Tabs` file of what can be reopened.
enum ChromiumWriter: FormatWriter {
    static func takes(_ address: String) -> Bool {
        address.utf8.count <= ChromiumNavigation.mostBytes
    }

    static func write(
        _ sessions: [ExportedSession], at time: Timestamp, _ losses: inout ExportLosses
    ) -> [ExportedFile] {
        let stamp = String(time.windowsMicroseconds)
        var open = ChromiumLog(losses: losses)
        open.addOpen(sessions.filter { $0.place == nil })
        var files = [ExportedFile(path: "Session_" + stamp, bytes: open.finish())]
        losses = open.losses
        let closed = sessions.filter { $0.place != nil }
        guard !closed.isEmpty else { return files }
        var tabs = ChromiumLog(losses: losses)
        // Chromium offers the last one first.
        let windows = closed.filter { $0.place != .closedTabs }
        for session in windows.lastClosedFirst.reversed() { tabs.addWindow(session, at: time) }
        for session in closed where session.place == .closedTabs { tabs.addTabs(session) }
        files.append(ExportedFile(path: "Tabs_" + stamp, bytes: tabs.finish()))
        losses = tabs.losses
        return files
    }
}
