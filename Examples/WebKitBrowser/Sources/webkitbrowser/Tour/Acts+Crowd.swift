import BrowserModel
import BrowserSessions
import CWebKitGTK
import Foundation
import GTKSupport
import SessionRestoration

extension Stage {
    /// Checks that nothing is written when nothing changes.
    func doNothing() async {
        for window in regular + incognito {
            if let tab = window.tabs.activeTab { await arrival(of: tab) }
        }
        // waits: for saves that should not come, longer than the delay of one
        try? await Task.sleep(for: .seconds(5))
        check(
            "nothing is written but the launch's own", saves.sets <= 1 && saves.stateBytes == 0,
            "\(saves.sets) sets with \(saves.changes) changes and \(saves.stateBytes) bytes of state"
        )
        check("all is saved", browser.restorer.isSaved)
    }

    func doTooMuch() async throws {
        guard let window = regular.first else { return check("a window is there", false) }
        try await popups(in: window)
        try await title(in: window)
        try await history(in: window)
        await closeWindows()
    }

    /// Closes all windows, as the button in a window's frame does.
    private func closeWindows() async {
        var hasEnded = false
        browser.onQuit = { hasEnded = true }
        let (tabs, windows) = (browser.restorer.closed.windows.count, browser.windows)
        for window in windows.reversed() { gtk_window_close(cast(window.widget)) }
        _ = await until { hasEnded }
        check("the last window that is closed ends the browser", hasEnded && regular.count == 1)
        check("closing a private window ends its tabs", incognito.isEmpty)
        let closed = browser.restorer.closed.windows.count - tabs
        check("the other windows can be opened again", closed == windows.count - 2, "\(closed)")
    }

    private func popups(in window: Window) async throws {
        let before = window.tabs.count
        let tab = try await open("script/popups", in: window)
        // waits: for pages that should not come
        try? await Task.sleep(for: .seconds(1))
        let opened = window.tabs.count - before - 1
        let popup = window.tabs.first { $0.opener?.tab == tab.id }
        check("of 50 pages that a page opens one is there", opened == 1, "\(opened)")
        guard let popup else { return check("it has its opener", false) }
        check("it branches from its opener", window.tabs.ancestors(of: popup) == [NodeID(tab.id)])
        await arrival(of: popup, at: "page/0")
        check(
            "it can talk to its opener",
            await ask(popup, "opener.document.title") == "Script popups")
    }

    private func title(in window: Window) async throws {
        let tab = try window.tabs.open(address("script/title"))
        let isThere = await until { tab.title.hasPrefix("A B x") }
        let controls = tab.title.unicodeScalars.contains { $0.value < 32 }
        check(
            "a title of a megabyte is one line of a few kilobytes",
            isThere && tab.title.utf8.count <= 4096 && !controls, "\(tab.title.utf8.count) bytes")
    }

    private func history(in window: Window) async throws {
        let tab = try window.tabs.open(address("script/push"))
        let clock = ContinuousClock()
        let start = clock.now
        _ = await until(20) { tab.title.hasPrefix("Pushed") || tab.title == "Script push" }
        let count = await ask(tab, "history.length")
        try await browser.restorer.save()
        let time = clock.now - start
        check(
            "a page that pushes 10,000 entries is saved soon", time < .seconds(10),
            "\(time), \(tab.title), \(count) in the page, \(tab.page?.history.entries.count ?? 0) in the tab"
        )
        check("all is saved", browser.restorer.unsavedTabs.isEmpty)
    }
}
