import ChildProcesses
import Foundation
import TestSupport

/// A Chromium without a display, driven over its DevTools pipe.
///
/// What DevTools has no words for (groups, pins, the order of tabs) is asked of the browser by the
/// page of a small extension, which no window shows.
public final class Chromium: DrivenBrowser {
    public let devTools: DevTools
    private let process: BrowserProcess
    /// The session of the extension's page.
    private let tools: String

    /// Where the program is; `nil` if it is not installed.
    public static let program = ["/usr/bin/chromium", "/usr/bin/chromium-browser"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Starts it, and returns when it can be asked. It reaches nothing but loopback.
    ///
    /// - Parameters:
    ///   - profile: a folder, which it makes if there is none.
    ///   - restoring: whether it opens what it had open when it ended.
    public init(profile: String, restoring: Bool = false) throws {
        guard let program = Self.program else { throw DrivingError("chromium is not installed") }
        let (requests, answers) = try (DescriptorPipe(), DescriptorPipe())
        var words = [
            "--headless=new", "--disable-gpu", "--no-first-run", "--no-default-browser-check",
            "--user-data-dir=\(profile)", "--remote-debugging-pipe",
            "--enable-unsafe-extension-debugging", "--password-store=basic",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            "--renderer-process-limit=2",
        ]
        if geteuid() == 0 { words.append("--no-sandbox") }
        words.append(restoring ? "--restore-last-session" : "about:blank")
        let home = profile + "-home"
        let process = try BrowserProcess(
            program, words, descriptors: [3: requests.read, 4: answers.write], home: home)
        self.process = process
        devTools = DevTools(requests: requests.write, answers: answers.read) { process.condition }
        tools = try Self.loadTools(home + "/extension", devTools)
    }

    /// The product and version, as it names itself.
    public var version: String {
        get throws {
            try devTools.call("Browser.getVersion", as: Version.self).product
                .replacing("HeadlessChrome", with: "Chromium")
                .replacing("Chrome", with: "Chromium").replacing("/", with: " ")
        }
    }

    /// Ends it in order, and returns when it has ended.
    public func close() throws {
        try devTools.call("Browser.close")
        process.waitUntilExit()
    }

    /// Kills it, as a crash would.
    public func kill() { process.kill() }

    /// Opens windows with tabs, and closes the one that is there.
    public func open(_ browser: LiveBrowser) throws {
        let text = String(decoding: try JSONEncoder().encode(browser), as: UTF8.self)
        let opened: Opened = try evaluate("(\(Self.opening))(\(text))")
        for (window, ids) in zip(browser.windows, zip(opened.tabs, opened.targets)) {
            for (tab, (id, target)) in zip(window.tabs, zip(ids.0, ids.1))
            where tab.index < tab.entries.count - 1 {
                try go(to: tab.entries[tab.index], at: tab.index, tab: id, target: target)
            }
        }
    }

    /// Not `chrome.tabs.goBack`, which passes over pages without user input.
    private func go(to entry: LiveEntry, at index: Int, tab: Int, target: String) throws {
        let session = try devTools.attach(to: target)
        let history = try devTools.call(
            "Page.getNavigationHistory", session: session, as: History.self)
        guard history.entries.indices.contains(index) else {
            throw DrivingError("\(entry.url) has no place in \(history.entries)")
        }
        try devTools.call(
            "Page.navigateToHistoryEntry", ["entryId": .number(history.entries[index].id)],
            session: session)
        try devTools.call("Target.detachFromTarget", ["sessionId": .text(session)])
        let text = String(decoding: try JSONEncoder().encode(entry), as: UTF8.self)
        let _: Bool = try evaluate("(\(Self.showing))(\(tab), \(text))")
    }

    /// What it has open, as soon as there are so many tabs and those that are shown have loaded, or
    /// after 20 s what there is then.
    public func state(tabs count: Int) throws -> LiveBrowser {
        var found: Found = try evaluate("(\(Self.looking))(\(count))")
        for window in found.state.windows.indices {
            for tab in found.state.windows[window].tabs.indices {
                let session = try devTools.attach(to: found.targets[window][tab])
                let history = try devTools.call(
                    "Page.getNavigationHistory", session: session, as: History.self)
                found.state.windows[window].tabs[tab].entries = history.entries.map {
                    LiveEntry(url: $0.url, title: $0.title)
                }
                found.state.windows[window].tabs[tab].index = history.currentIndex
                try devTools.call("Target.detachFromTarget", ["sessionId": .text(session)])
            }
        }
        return found.state
    }

    public func recentlyClosed() throws -> [[String]] {
        try evaluate(
            """
            chrome.sessions.getRecentlyClosed().then(closed => closed.map(
                ({ tab, window }) => (window?.tabs ?? [tab]).map(tab => tab.url)))
            """)
    }

    /// Runs an expression in the page of the extension, which may use `chrome.tabs` and the like.
    public func evaluate<Answer: Decodable>(
        _ expression: String, as type: Answer.Type = Answer.self
    ) throws -> Answer {
        try devTools.evaluate(expression, session: tools)
    }

    private static func loadTools(_ folder: String, _ devTools: DevTools) throws -> String {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try Data(manifest.utf8).write(to: URL(filePath: folder + "/manifest.json"))
        try Data("<!doctype html>".utf8).write(to: URL(filePath: folder + "/page.html"))
        let id = try devTools.call(
            "Extensions.loadUnpacked", ["path": .text(folder)], as: Loaded.self
        ).id
        let target = try devTools.call(
            "Target.createTarget",
            ["url": .text("chrome-extension://\(id)/page.html"), "hidden": true], as: Created.self
        ).targetId
        let session = try devTools.attach(to: target)
        // The page that the target begins with has no such names.
        // waits: each turn is a call that the browser answers
        while try devTools.evaluate("typeof chrome.tabGroups", session: session) != "object" {}
        return session
    }

    private struct Version: Decodable { var product: String }
    private struct Loaded: Decodable { var id: String }
    private struct Created: Decodable { var targetId: String }

    private struct Opened: Decodable {
        /// Of each window.
        var tabs: [[Int]]
        var targets: [[String]]
    }

    private struct History: Decodable {
        var currentIndex: Int
        var entries: [Entry]

        struct Entry: Decodable {
            var id: Int
            var url: String
            var title: String
        }
    }

    private struct Found: Decodable {
        var state: LiveBrowser
        /// Of each tab of each window.
        var targets: [[String]]
    }
}
