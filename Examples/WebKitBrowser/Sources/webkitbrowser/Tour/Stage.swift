import BrowserModel
import BrowserSessions
import CWebKit
import CWebKitGTK
import Foundation
import GTKSupport

/// A browser that a script drives instead of a user, with checks that query the engine.
@GLibActor
final class Stage {
    let browser: Browser
    /// The folder for the tour's notes. It also contains the profile.
    let folder: String
    var profile: String { "\(folder)/profile" }
    private let server: String
    private(set) var isWrong = false

    let saves: SaveCounter

    init(_ browser: Browser, _ saves: SaveCounter, folder: String, server: String) {
        (self.browser, self.saves) = (browser, saves)
        (self.folder, self.server) = (folder, server)
    }

    // MARK: Reporting

    func check(_ what: String, _ isRight: Bool, _ detail: String = "") {
        say("\(isRight ? "ok   " : "WRONG")  \(what)\(detail.isEmpty ? "" : ": \(detail)")")
        isWrong = isWrong || !isRight
    }

    func say(_ line: String) { Tour.say(line) }

    /// Prints the mark at which the tour ends the process with SIGKILL, and waits for that.
    func waitForKill() async {
        say(Tour.killMark)
        // waits: to be killed
        try? await Task.sleep(for: .seconds(60))
    }

    // MARK: Acting

    var regular: [Window] { browser.profile.windows.windows(of: .regular) }
    var incognito: [Window] { browser.profile.windows.incognito.windows(of: .incognito) }

    func address(_ path: String) -> String { "\(server)/\(path)" }

    /// Opens a tab. Returns when its page is loaded.
    @discardableResult
    func open(_ path: String, in window: Window, inBackground: Bool = false) async throws -> Tab {
        let tab = try window.tabs.open(
            address(path), inBackground: inBackground)
        await arrival(of: tab, at: path)
        return tab
    }

    func go(_ tab: Tab, to path: String) async {
        tab.page?.load(address(path))
        await arrival(of: tab, at: path)
    }

    /// Brings a tab to the front. Returns when its page is loaded.
    func show(_ tab: Tab) async {
        try? tab.list?.activate(tab)
        _ = await until { tab.isRealized }
        await arrival(of: tab)
    }

    /// Waits until the page itself reports that it is loaded, at the path or at the tab's address.
    @discardableResult
    func arrival(of tab: Tab, at path: String? = nil) async -> Bool {
        await until {
            let wanted = path.map { self.address($0) } ?? tab.url
            guard tab.pageLoad == .none, tab.url == wanted else { return false }
            let here = await self.ask(tab, "location.href + document.readyState")
            return here == "\(wanted)complete"
        }
    }

    /// Scrolls by a script, and reports it as the controller of the user's input would.
    func scroll(_ tab: Tab, to position: Int) async {
        _ = await ask(tab, "window.scrollTo(0, \(position))")
        tab.page?.stateMayHaveChanged()
    }

    /// Returns the result of a script in a tab's page; empty if there is none.
    func ask(_ tab: Tab, _ script: String) async -> String {
        await browser.engine.view(of: tab)?.evaluate(script) ?? ""
    }

    /// Waits until a condition holds, at most for the given seconds. Returns whether it holds.
    func until(_ seconds: Double = 10, _ isSo: () async -> Bool) async -> Bool {
        for _ in 0..<Int(seconds * 50) {
            if await isSo() { return true }
            // waits: other processes draw and answer in their own time
            try? await Task.sleep(for: .milliseconds(20))
        }
        return await isSo()
    }

    // MARK: Observing

    /// Returns all tabs as the engine and the strips show them. Each tab gets its page for this.
    func look() async -> [String] {
        var lines: [String] = []
        for window in regular + incognito {
            let active = window.tabs.activeTab
            for tab in window.tabs {
                await show(tab)
                lines.append("\(window.kind.rawValue)  \(await line(tab, of: window))")
            }
            if let active { await show(active) }
        }
        return lines
    }

    private func line(_ tab: Tab, of window: Window) async -> String {
        let group = groupName(of: tab, in: window) ?? "-"
        let script =
            "[location.pathname, scrollY, history.length, document.cookie || '-'].join('  ')"
        let page = await ask(tab, script)
        return "\(tab.isPinned ? "pinned" : "-")  \(group)  \(tab.title)  \(page)"
    }

    /// Returns the name of the group that a tab is in; `nil` if it is in none.
    func groupName(of tab: Tab, in window: Window) -> String? {
        tab.group.flatMap { window.tabs.group($0)?.name }
    }

    /// Saves a picture of the page that a tab shows. Returns whether it was saved.
    func takePicture(of tab: Tab, as name: String) async -> Bool {
        guard let view = browser.engine.view(of: tab) else { return false }
        return await view.takePicture("\(folder)/\(name).png")
    }
}
