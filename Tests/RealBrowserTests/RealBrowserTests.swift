import BrowserSessions
import Foundation
import SessionInterop
import TestSupport
import Testing

/// Today's Chromium and Firefox as judges: what they wrote is imported and compared with what they
/// say, and what is exported to them is opened by them. `make browsers` runs this.
@Suite(
    .serialized,
    .enabled(if: InstalledBrowser.isWanted, "only `make browsers` starts real browsers"))
struct RealBrowserTests {
    private static let chromium = InstalledBrowser.chromium
    private static let firefox = InstalledBrowser.firefox
    private static let noChromium: Comment = "Debian's chromium is not installed"
    private static let noFirefox: Comment = "Debian's firefox-esr is not installed"

    private let folder = TemporaryFolder()
    private let pages: PageServer

    init() throws { pages = try PageServer() }

    private func newFolder(_ name: String) throws -> String {
        let path = folder.file(name)
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        return path
    }

    private static let titles = ["Übersicht", "日本語の題", "العربية", "🎧 Radio 👩‍👩‍👧‍👦", "plain"]

    // MARK: What they wrote is imported

    @Test(.enabled(if: chromium != nil, noChromium), arguments: [false, true])
    func whatChromiumHasIsImported(afterKill: Bool) throws {
        let profile = try newFolder("chromium")
        let browser = try Chromium(try #require(Self.chromium), profile: profile)
        var expected: [(urls: [String], titles: [String], index: Int)] = []
        for (number, title) in Self.titles.enumerated() {
            let addresses = (0...number).map { pages.page("\(title) \($0)") }
            let tab = try browser.open(addresses, inNewWindow: number == 3)
            if number == 4 { try browser.go(to: 1, tab) }
            expected.append(try browser.history(tab))
        }
        let sessions = profile + "/Default/Sessions"
        if afterKill {
            try waitUntil("the last page is in a file") {
                try files(in: sessions).contains { try contains($0, pages.page("plain 4")) }
            }
            browser.kill()
        } else {
            try browser.quit()
        }
        let result = try SessionImporter().read(path: sessions)
        #expect(!result.report.isDamaged)
        let open = result.sessions.filter { $0.id.kind == .regular }
        #expect(open.count == 2)
        let tabs = open.flatMap(\.tabs)
        for history in expected {
            let tab = try #require(
                tabs.first { $0.metadata.url == history.urls[history.index] })
            let bytes = try #require(tab.states[.navigation])
            let imported = try NavigationHistory(encoded: bytes)
            // The blank page that each tab began with is one of its entries.
            #expect(imported.entries.map(\.url) == history.urls)
            // Chromium does not write each title that it shows.
            for (entry, title) in zip(imported.entries, history.titles) where !entry.title.isEmpty {
                #expect(entry.title == title)
            }
            #expect(imported.currentIndex == history.index)
        }
    }

    @Test(.enabled(if: firefox != nil, noFirefox), arguments: [false, true])
    func whatFirefoxHasIsImported(afterKill: Bool) throws {
        let profile = try newFolder("firefox")
        let browser = try Firefox(try #require(Self.firefox), profile: profile)
        try makeTabs(in: browser)
        let said = try layout(ofState: try browser.state())
        #expect(said.windows.count == 2)
        if afterKill {
            try browser.run(
                """
                const { SessionSaver } = ChromeUtils.importESModule(
                    "resource:///modules/sessionstore/SessionSaver.sys.mjs");
                await SessionSaver.run();
                """)
            browser.kill()
        } else {
            try browser.quit()
        }
        let file = afterKill ? "sessionstore-backups/recovery.jsonlz4" : "sessionstore.jsonlz4"
        let result = try SessionImporter().read(path: profile + "/" + file)
        #expect(!result.report.isDamaged)
        #expect(Layout(result.sessions) == said)
    }

    // MARK: What is exported is opened

    @Test(.enabled(if: chromium != nil && firefox != nil, "both browsers are needed"))
    func firefoxToChromiumAndBack() throws {
        let browser = try Firefox(
            try #require(Self.firefox), profile: try newFolder("firefox"))
        try makeTabs(in: browser)
        let all = try self.sessions(ofState: try browser.state())
        let sessions = all.filter { $0.id.kind == .regular }
        try browser.quit()
        let before = Layout(sessions)
        try inChromium(sessions) { chromium in
            let histories = try chromium.histories(of: sessions.flatMap(\.tabs).count)
            for tab in sessions.flatMap(\.tabs) {
                let bytes = try #require(tab.states[.navigation])
                let wanted = try NavigationHistory(encoded: bytes)
                let has = try #require(histories[tab.metadata.url], "\(tab.metadata.url)")
                #expect(has.urls == wanted.entries.map(\.url))
                #expect(has.index == wanted.currentIndex)
            }
        } after: { rewritten in
            // Its own file says what it has made of order, pins, groups and active tabs.
            #expect(Layout(rewritten) == before)
            let last = try inFirefox(rewritten)
            #expect(Layout(last) == before)
        }
    }

    @Test(.enabled(if: firefox != nil, noFirefox))
    func firefoxOpensWhatIsClosed() throws {
        let window = WindowID.random()
        var closed = session(window, [pages.page("closed 1"), pages.page("closed 2")])
        closed.id.kind = .recentlyClosed
        var closedWindow = session(.random(), [pages.page("a"), pages.page("b")])
        closedWindow.id.kind = .recentlyClosed
        let open = session(window, [pages.page("open")])
        let state = try inFirefox([open, closed, closedWindow], quitting: false)
        let kinds = Dictionary(grouping: state) { $0.id.kind }
        #expect(kinds[.regular]?.flatMap(\.tabs).count == 1)
        let urls = kinds[.recentlyClosed]?.map { $0.tabs.map(\.metadata.title) } ?? []
        #expect(Set(urls.map { Set($0) }) == [["closed 1", "closed 2"], ["a", "b"]])
    }

    @Test(.enabled(if: chromium != nil && firefox != nil, "both browsers are needed"))
    func threeHundredTabs() throws {
        var sessions = [
            session(.random(), (0..<200).map { pages.page("first \($0)") }),
            session(.random(), (0..<100).map { pages.page("\(Self.titles[$0 % 5]) \($0)") }),
        ]
        let groups = (0..<20).map {
            TabGroup(
                title: "\(Self.titles[$0 % 5]) \($0)",
                color: TabGroupColor(rawValue: Int32($0 % 9)), isCollapsed: $0 % 3 == 0)
        }
        sessions[0].attributes.groups = groups
        for index in 0..<200 {
            sessions[0].tabs[index].metadata.isPinned = index < 5
            if index >= 40, index < 180 {
                sessions[0].tabs[index].metadata.group = groups[(index - 40) / 7].id
            }
        }
        // A collapsed group never holds the active tab.
        sessions[0].attributes.activeTab = sessions[0].tabs[20].metadata.id
        let before = Layout(sessions)
        #expect(Layout(try inFirefox(sessions)) == before)
        try inChromium(sessions) { chromium in
            let tabs = try chromium.tabs(300)
            #expect(tabs.count == 300)
        } after: { rewritten in
            #expect(Layout(rewritten) == before)
        }
    }
}

// MARK: - How it is done

extension RealBrowserTests {
    private func session(_ window: WindowID, _ addresses: [String]) -> SessionSnapshot {
        let tabs = zip(OrderKey.evenlySpaced(count: addresses.count), addresses).map {
            let title = ($1.split(separator: "/").last ?? "").removingPercentEncoding ?? ""
            let tab = TabMetadata(
                id: .random(), place: $0, url: $1, title: title, lastActiveAt: .now())
            return TabSnapshot(
                metadata: tab,
                states: [.navigation: NavigationHistory(url: $1, title: title).encoded()])
        }
        let attributes = SessionAttributes(activeTab: tabs.first?.metadata.id)
        return SessionSnapshot(
            id: SessionID(window: window), attributes: attributes, tabs: tabs)
    }

    private func makeTabs(in browser: Firefox) throws {
        func tab(
            _ title: String, _ count: Int = 1, at index: Int? = nil, pinned: Bool = false,
            group: String? = nil
        ) -> WantedTab {
            WantedTab(
                addresses: (0..<count).map { pages.page("\(title) \($0)") }, index: index,
                isPinned: pinned, group: group)
        }
        try browser.make(
            [
                [
                    tab("Gepinnt", pinned: true), tab("日本語", 4, at: 1),
                    tab("العربية", 2, group: "Lesen"), tab("🎧", group: "Lesen"),
                    tab("new", group: "新聞"), tab("s", group: "新聞"), tab("last", 3),
                ],
                [tab("second"), tab("window", 2, at: 0)],
            ], groups: ["Lesen": ("red", false), "新聞": ("cyan", true)])
    }

    private func sessions(ofState state: [UInt8]) throws -> [SessionSnapshot] {
        let file = folder.file("\(UUID().uuidString).json")
        try Data(state).write(to: URL(fileURLWithPath: file))
        return try SessionImporter().read(path: file, as: .firefoxDesktop).sessions
    }

    private func layout(ofState state: [UInt8]) throws -> Layout {
        Layout(try sessions(ofState: state))
    }

    /// What a new Firefox makes of an export: the sessions that it says it has.
    private func inFirefox(_ sessions: [SessionSnapshot], quitting: Bool = true) throws
        -> [SessionSnapshot]
    {
        let profile = try newFolder(UUID().uuidString)
        let export = try SessionExporter(.firefox).export(sessions)
        let file = URL(fileURLWithPath: profile + "/sessionstore.jsonlz4")
        try Data(try #require(export.files.first).bytes).write(to: file)
        let browser = try Firefox(try #require(Self.firefox), profile: profile)
        let state = try browser.state()
        if quitting { try browser.quit() } else { browser.kill() }
        return try self.sessions(ofState: state)
    }

    /// Lets a Chromium open an export, asks it, ends it, and shows what it has written itself.
    private func inChromium(
        _ sessions: [SessionSnapshot], ask: (Chromium) throws -> Void,
        after: ([SessionSnapshot]) throws -> Void
    ) throws {
        let profile = try newFolder(UUID().uuidString)
        let installed = try #require(Self.chromium)
        try Chromium(installed, profile: profile).quit()
        let folder = profile + "/Default/Sessions"
        for path in [folder, profile + "/Default/Sessions_Encrypted"] {
            if FileManager.default.fileExists(atPath: path) {
                try FileManager.default.removeItem(atPath: path)
            }
        }
        _ = try newFolder(String(folder.dropFirst(self.folder.path.count + 1)))
        let export = try SessionExporter(.chromium).export(sessions)
        for file in export.files {
            try Data(file.bytes).write(to: URL(fileURLWithPath: folder + "/" + file.path))
        }
        let browser = try Chromium(installed, profile: profile, restoring: true)
        try ask(browser)
        try browser.quit()
        let ours = Set(export.files.map(\.path))
        let own = try files(in: folder).filter {
            !ours.contains(($0 as NSString).lastPathComponent) && $0.contains("/Session_")
        }
        let newest = try #require(own.max(), "Chromium has written no file")
        try after(try SessionImporter().read(path: newest).sessions)
    }

    private func files(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).map { folder + "/" + $0 }
    }

    private func contains(_ file: String, _ text: String) throws -> Bool {
        try Data(contentsOf: URL(fileURLWithPath: file)).range(of: Data(text.utf8)) != nil
    }

    /// A browser writes when its own timer says so, and tells nobody.
    private func waitUntil(_ what: String, _ isTrue: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(30)
        while !((try? isTrue()) ?? false) {
            guard ContinuousClock.now < end else { throw BrowserFailure("not so: \(what)") }
            // waits: for the browser's timer, of which it tells nobody
            Thread.sleep(forTimeInterval: 0.05)
        }
    }
}
