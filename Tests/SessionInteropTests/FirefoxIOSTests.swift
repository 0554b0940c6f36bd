import BrowserSessions
import Expectations
import Foundation
import SessionInterop
import TestSupport

@Suite("Firefox for iOS")
struct FirefoxIOSTests {
    let folder = TemporaryFolder()
    private static let name = "window-" + FirefoxIOSSample.window

    private func read(_ bytes: [UInt8]) throws -> SessionImport {
        try folder.write(bytes, to: "profile/window-data/" + Self.name)
        return try SessionImporter().read(path: folder.file("profile"))
    }

    @Test("A window comes out with its ids, times and blobs")
    func window() throws {
        try folder.write(
            [9, 8, 7], to: "profile/tab-session-data/tab-" + FirefoxIOSSample.tabID(1))
        let tabs = (0..<3).map {
            FirefoxIOSSample.tab(
                $0, $0 == 2 ? #","faviconURL":"https:\/\/example.org\/i.ico""# : "")
        }
        let result = try read(FirefoxIOSSample.file(tabs, active: FirefoxIOSSample.tabID(1)))
        let session = try require(result.sessions.first)
        expect(result.report.sources.first?.problems, is: [])
        expect(session.id.description, is: FirefoxIOSSample.window + "/regular")
        expect(session.tabs.map(\.metadata.id.description), is: (0..<3).map(FirefoxIOSSample.tabID))
        expect(session.tabs[0].metadata.url, is: "https://example.org/0")
        expect(session.tabs[0].metadata.lastActiveAt.microseconds, is: 1_698_307_200_500_000)
        expect(session.tabs[0].metadata.createdAt.microseconds, is: 1_698_307_199_250_000)
        expect(session.tabs.map { $0.states[.native] }, is: [nil, [9, 8, 7], nil])
        expect(session.tabs[2].metadata.faviconURL, is: "https://example.org/i.ico")
        expect(session.attributes.activeTab, is: session.tabs[1].metadata.id)
    }

    @Test("Private tabs go to the incognito session of the window")
    func privateTabs() throws {
        let hidden = FirefoxIOSSample.tab(1).replacing(
            #""isPrivate":false"#, with: #""isPrivate":true"#)
        let result = try read(
            FirefoxIOSSample.file(
                [FirefoxIOSSample.tab(0), hidden], active: FirefoxIOSSample.tabID(1)))
        expect(result.sessions.map(\.id.kind), is: [.regular, .incognito])
        expect(result.sessions.map(\.tabs.count), is: [1, 1])
        expect(result.sessions.map { $0.attributes.activeTab != nil }, is: [false, true])
        expect(result.report.totals.windows, is: 1)
    }

    @Test(
        "A bad value costs only itself",
        arguments: [
            (#""isPrivate":false"#, #""isPrivate":null"#), (#""title":"Tab 1""#, #""title":17"#),
            (#""lastUsedTime":720000000.5"#, #""lastUsedTime":"soon""#),
            (#""siteUrl":"https:\/\/example.org\/1""#, #""other":0"#),
            (#""id":"A0000000-0000-4000-8000-000000000001""#, #""id":"nonsense""#),
        ])
    func badValue(good: String, bad: String) throws {
        let tab = FirefoxIOSSample.tab(1)
        try require(tab.contains(good))
        let result = try read(
            FirefoxIOSSample.file([
                FirefoxIOSSample.tab(0), tab.replacing(good, with: bad), FirefoxIOSSample.tab(2),
            ]))
        expect(result.sessions.flatMap(\.tabs).count, is: 3)
        let problems = try require(result.report.sources.first).problems
        expect(problems.count == 1 && result.report.isDamaged)
        expect(problems.first?.location.hasPrefix("tabData[1]."), is: true)
    }

    @Test("A damaged file gives way to its backup, and to its own rest without one")
    func backup() throws {
        let sound = FirefoxIOSSample.file(tabs: 3)
        let cut = Array(sound.dropLast(40))
        let alone = try read(cut)
        expect(alone.sessions.first?.tabs.count, is: 3)
        expect(alone.report.isDamaged)
        try folder.write(
            FirefoxIOSSample.file(tabs: 2), to: "profile/window-data-backup/" + Self.name)
        let result = try read(cut)
        expect(result.sessions.first?.tabs.count, is: 2)
        expect(result.report.isDamaged)
        expect(result.report.sources.map(\.problems.first?.severity), is: [.note])
        let primary = folder.file("profile/window-data/" + Self.name)
        expect(result.report.untaken.map(\.path), is: [primary])
        expect(result.report.untaken.map(\.reason), is: [.damaged])
        let file = try SessionImporter().read(path: primary)
        expect(file.sessions == result.sessions && file.report == result.report)
        try folder.write(
            Array(FirefoxIOSSample.file(tabs: 2).dropLast(40)),
            to: "profile/window-data-backup/" + Self.name)
        let both = try read(cut)
        expect(both.sessions.first?.tabs.count, is: 3)
        expect(both.report.isDamaged && both.report.untaken.map(\.reason) == [.damaged])
    }

    @Test("A bad value is no reason to take the backup, and a backup that is not needed is named")
    func backupNotNeeded() throws {
        try folder.write(
            FirefoxIOSSample.file(tabs: 2), to: "profile/window-data-backup/" + Self.name)
        let bad = FirefoxIOSSample.tab(1).replacing(#""title":"Tab 1""#, with: #""title":17"#)
        let result = try read(FirefoxIOSSample.file([FirefoxIOSSample.tab(0), bad]))
        expect(result.report.sources.count, is: 1)
        expect(result.report.sources[0].path.hasSuffix("window-data/" + Self.name))
        expect(result.report.untaken.map(\.reason), is: [.older])
        let all = try SessionImporter().read(path: folder.file("profile"), scope: .everything)
        expect(all.report.sources.count == 2 && all.report.untaken.isEmpty)
    }

    @Test("A window with only its backup left is imported with a note")
    func onlyBackup() throws {
        try folder.write(
            FirefoxIOSSample.file(tabs: 2), to: "profile/window-data-backup/" + Self.name)
        let result = try SessionImporter().read(path: folder.file("profile"))
        expect(result.sessions.first?.tabs.count, is: 2)
        expect(result.report.sources.first?.problems.map(\.severity), is: [.note])
        expect(!result.report.isDamaged)
    }

    @Test(
        "A folder of windows that may not be searched leaves the backup, and is named",
        .enabled(if: geteuid() != 0, "an administrator may read every file"),
        arguments: [mode_t(0), 0o444])
    func permission(mode: mode_t) throws {
        let primary = try folder.write(
            FirefoxIOSSample.file(tabs: 3), to: "profile/window-data/" + Self.name)
        let windows = folder.file("profile/window-data")
        chmod(windows, mode)
        defer { chmod(windows, 0o755) }
        let error = try refusal { try SessionImporter().read(path: folder.file("profile")) }
        expect(error.code, is: .permissionDenied)
        try folder.write(
            FirefoxIOSSample.file(tabs: 2), to: "profile/window-data-backup/" + Self.name)
        let report = try SessionImporter().read(path: folder.file("profile")).report
        expect(report.totals.tabs == 2 && report.isDamaged)
        expect(report.untaken.allSatisfy { $0.reason == .unreadable })
        expect(report.untaken.map(\.path).contains(primary))
    }

    @Test("An active tab that is not in the list is no damage")
    func active() throws {
        let result = try read(
            FirefoxIOSSample.file([FirefoxIOSSample.tab(0)], active: FirefoxIOSSample.tabID(9)))
        expect(result.sessions.first?.attributes.activeTab == nil)
        expect(!result.report.isDamaged)
    }

    @Test("The same id twice: equal tabs once, others with a new id")
    func twins() throws {
        let tab = FirefoxIOSSample.tab(0)
        let other = tab.replacing("Tab 0", with: "Other")
        let result = try read(FirefoxIOSSample.file([tab, tab, other]))
        expect(result.sessions.first?.tabs.map(\.metadata.title), is: ["Tab 0", "Other"])
        expect(Set(result.sessions.flatMap(\.tabs).map(\.metadata.id)).count, is: 2)
    }
}
