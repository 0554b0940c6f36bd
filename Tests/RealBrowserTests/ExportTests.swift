import BrowserDriving
import BrowserSessions
import Expectations
import SessionInterop
import StorageEngines
import TestSupport

extension RealBrowsers {
    /// Lets a browser open an export, asks it, closes it, and imports what it made of it.
    private func expectExport(
        of sessions: [SessionSnapshot], to judge: Judge, _ expected: LiveBrowser,
        _ question: String
    ) throws {
        let export = try SessionExporter(judge.format).export(sessions)
        let profile = folder.file("new")
        try judge.makeProfile(profile, with: export.files)
        let browser = try judge.start(profile, restoring: true)
        let verdict = Verdict(judge: try browser.version)
        let said = try browser.state(tabs: expected.tabs.count)
        try verdict.compare(said, with: expected, question)
        try browser.close()
        let again = try SessionImporter().read(path: profile).sessions
        try verdict.compare(LiveBrowser(again), with: expected, "\(question), and back")
    }

    @Test(
        "What one browser had is open in another after an export",
        arguments: Judge.allCases, Judge.allCases)
    func export(from source: Judge, to target: Judge) throws {
        let old = try source.start(folder.file("old"))
        try old.open(plan.twoWindows)
        try old.close()
        let sessions = try SessionImporter().read(path: folder.file("old")).sessions
        try expectExport(
            of: sessions, to: target, plan.twoWindows, "export, from \(source.rawValue)")
    }

    @Test("300 tabs in two windows are open after an export", arguments: Judge.allCases)
    func manyTabs(_ target: Judge) throws {
        var many = plan.threeHundredTabs
        // Without a display Chromium has the window in front that it opened last.
        many.focused = target == .chromium ? 1 : 0
        var sessions = many.sessions()
        // At a record that it does not take, Chromium stops reading.
        sessions[0].tabs[0].metadata.properties = [
            "chromium.user-agent": "Judge/1.0", "chromium.guid": "no identifier",
        ]
        sessions[0].attributes.properties = [
            "chromium.bounds": "10,10,900,700", "chromium.show-state": "99",
            "chromium.on-all-workspaces": "true",
        ]
        try expectExport(of: sessions, to: target, many, "export, 300 tabs")
    }

    @Test("What was closed is offered again after an export", arguments: Judge.allCases)
    func closedTabs(_ target: Judge) throws {
        let windows = [
            ["open"], ["closed window, 1", "closed window, 2"], ["alone", "also alone"],
        ].map { names in LiveWindow(tabs: names.map { plan.tab($0) }) }
        var sessions = LiveBrowser(windows: windows).sessions()
        sessions[1].attributes.closedAt = .now()
        sessions[2].id.kind = .recentlyClosed
        // Tabs that were closed in a window that is open.
        sessions[2].id.window = sessions[0].id.window
        let export = try SessionExporter(target.format).export(sessions)
        try target.makeProfile(folder.file("new"), with: export.files)
        let browser = try target.start(folder.file("new"), restoring: true)
        let verdict = Verdict(judge: try browser.version)
        let open = LiveBrowser(windows: Array(windows.prefix(1)))
        try verdict.compare(browser.state(tabs: 1), with: open, "export, closed tabs")
        let expected: Set = [
            ["closed window, 1", "closed window, 2"].map(plan.server.page),
            [plan.server.page("alone")], [plan.server.page("also alone")],
        ]
        let offered = Set(try browser.recentlyClosed())
        try verdict.check(
            offered == expected, "export, closed tabs", "closed windows and tabs", "\(offered)")
        try browser.close()
    }

    @Test("Firefox imports the bookmarks of an export, with windows and groups as folders")
    func bookmarks() throws {
        let export = try SessionExporter(.bookmarks).export(plan.twoWindows.sessions())
        let file = folder.file("bookmarks.html")
        try FileSystem.replace(file, with: try require(export.files.first).bytes)
        let browser = try Judge.firefox.start(folder.file("profile"))
        let verdict = Verdict(judge: try browser.version)
        let imported: [[String]] = try require(browser as? Firefox).evaluate(
            """
            const { BookmarkHTMLUtils } = ChromeUtils.importESModule(
                "resource://gre/modules/BookmarkHTMLUtils.sys.mjs");
            await BookmarkHTMLUtils.importFromFile("\(file)");
            const { PlacesUtils } = ChromeUtils.importESModule(
                "resource://gre/modules/PlacesUtils.sys.mjs");
            const found = [];
            const visit = (folders, { title, uri, children }) => {
                if (uri) found.push([...folders, title, uri]);
                for (const child of children ?? []) visit([...folders, title], child);
            };
            const menu = await PlacesUtils.promiseBookmarksTree(PlacesUtils.bookmarks.menuGuid);
            for (const folder of menu.children) visit([], folder);
            return found;
            """)
        let expected = plan.twoWindows.windows.enumerated().flatMap { place, window in
            window.tabs.map { tab in
                let shown = tab.entries[tab.index]
                return ["Window \(place + 1)"] + (tab.group.map { [$0.title] } ?? [])
                    + [shown.title, shown.url]
            }
        }
        // Firefox has some of its own.
        let ours = imported.filter { $0[0].hasPrefix("Window ") }
        try verdict.check(
            ours == expected, "export, bookmarks", "folders, titles and addresses", "\(ours)")
        try browser.close()
    }
}
