import BrowserSessions
import Expectations
import Foundation
import SessionInterop
import SessionSamples
import TestSupport

/// An export is the inverse of an import in all that the format holds, and counts the rest.
@Suite("Exports")
struct ExportTests {
    static let browsers: [ExportFormat] = [.firefox, .chromium, .chromeIOS, .firefoxIOS]
    static let time = Timestamp(microseconds: 1_767_225_600_000_000)

    private func exporter(_ format: ExportFormat) -> SessionExporter {
        var exporter = SessionExporter(format, at: Self.time)
        exporter.includesIncognito = true
        return exporter
    }

    /// The sessions that a format has a place for, ready to be compared, in an order of their own.
    private func comparable(_ sessions: [SessionSnapshot], _ format: ExportFormat)
        -> [ComparableSession]
    {
        sessions.map { ComparableSession($0, in: format) }.sorted {
            let (left, right) = ($0.tabs.first?.metadata, $1.tabs.first?.metadata)
            return ($0.place, left?.url ?? "", left?.title ?? "")
                < ($1.place, right?.url ?? "", right?.title ?? "")
        }
    }

    private func expectSame(
        _ before: [SessionSnapshot], _ format: ExportFormat,
        file: String = #fileID, line: Int = #line
    ) throws {
        let result = try exporter(format).export(before).imported()
        let problems = result.report.sources.flatMap(\.problems).filter { $0.severity != .note }
        expect(problems, is: [], file: file, line: line)
        let left = comparable(before, format)
        let right = comparable(result.sessions, format)
        expect(left.count, is: right.count, file: file, line: line)
        for (session, found) in zip(left, right) {
            var twin = found
            // What the format must say, whether it is known or not.
            if session.attributes.properties["chromium.bounds"] == nil {
                twin.attributes.properties["chromium.bounds"] = nil
            }
            expect(session.attributes, is: twin.attributes, file: file, line: line)
            expect(session.activeTab, is: twin.activeTab, file: file, line: line)
            expect(session.tabs.count, is: twin.tabs.count, file: file, line: line)
            for (tab, other) in zip(session.tabs, twin.tabs) where tab != other {
                recordIssue("\(tab)\nbecame\n\(other)", file: file, line: line)
                break
            }
        }
    }

    // MARK: Round trips

    @Test("What is exported is imported as it was", arguments: browsers, [1, 2, 3] as [UInt64])
    func roundTrip(_ format: ExportFormat, seed: UInt64) throws {
        var sampler = SessionSampler(seed: seed)
        var sessions = sampler.windows(3, tabs: 60, state: .navigationOnly)
        sessions.append(sampler.window(tabs: 1, state: .navigationOnly))
        if format.holds.contains(.inactiveTabs) {
            sessions.append(sampler.window(tabs: 12, kind: .inactive, state: .navigationOnly))
        }
        if format.holds.contains(.incognitoTabs) {
            sessions.append(sampler.window(tabs: 5, kind: .incognito, state: .navigationOnly))
        }
        try expectSame(sessions, format)
    }

    @Test("A browser's own files come back whole", arguments: browsers)
    func ownSamples(_ format: ExportFormat) throws {
        let files = [
            ExportFormat.firefox: "firefox-desktop/sessionstore.jsonlz4", .chromium: "chromium",
            .chromeIOS: "chrome-ios", .firefoxIOS: "firefox-ios",
        ]
        let path = try Fixtures.path("Sample/" + require(files[format]))
        let sessions = try SessionImporter().read(path: path).sessions
        expect(sessions.contains { !$0.tabs.isEmpty })
        try expectSame(sessions, format)
        // What a browser itself has written, it can hold.
        let losses = try exporter(format).export(sessions).losses
        expect(losses, is: [:])
    }

    @Test("The file says which window is in front in the way that Firefox heeds")
    func windowInFront() throws {
        var sampler = SessionSampler(seed: 4)
        var sessions = sampler.windows(3, tabs: 6, state: .navigationOnly)
        sessions[1].attributes.lastActiveAt = .now()
        func order(_ sessions: [SessionSnapshot]) throws -> [String?] {
            try exporter(.firefox).export(sessions).imported().sessions
                .filter { $0.id.kind == .regular }
                .map { $0.attributes.properties["firefox.zIndex"] }
        }
        expect(try order(sessions) == ["2", "1", "2"])
        // Its own order stays.
        for (index, place) in ["3", "1", "2"].enumerated() {
            sessions[index].attributes.lastActiveAt = .unknown
            sessions[index].attributes.properties["firefox.zIndex"] = place
        }
        expect(try order(sessions) == ["3", "1", "2"])
    }

    // MARK: Losses

    @Test("Everything that a format has no place for is counted", arguments: ExportFormat.allCases)
    func losses(_ format: ExportFormat) throws {
        let session = Self.full
        let losses = try exporter(format).export([session]).losses
        let expected: [SessionPart: Int] = [
            .windowTitles: 1, .activeTabs: 1, .pins: 1, .groups: 1, .groupColors: 1,
            .collapsedGroups: 1, .histories: 1, .displayAddresses: 1, .frames: 1, .referrers: 1,
            .requestHeaders: 1, .entryTimes: 2, .creationTimes: 2, .lastUseTimes: 2, .openers: 1,
            .icons: 1,
        ]
        for (part, count) in expected {
            expect(losses[part], is: (format.holds.contains(part) ? nil : count), "\(part)")
        }
        // Neither Firefox's nor Chromium's.
        expect(losses[.pageStates], is: 1)
        expect(losses[.properties], is: 3)
        let keepsNative = format == .chromeIOS || format == .firefoxIOS
        expect(losses[.engineStates], is: (keepsNative ? 1 : 2))
        expect(losses[.unreadableHistories] == nil)
    }

    /// A window with one of everything.
    private static var full: SessionSnapshot {
        let group = StructureNode.group(name: "Group", color: .red, isCollapsed: true)
        var first = TabMetadata(
            id: .random(), place: .between(nil, and: nil), url: "https://a.example/")
        first.isPinned = true
        first.faviconURL = "https://a.example/icon"
        (first.createdAt, first.lastActiveAt) = (time, time)
        first.properties["zoom"] = "125"
        var second = TabMetadata(id: .random(), place: .between(first.place, and: nil))
        second.url = "https://b.example/2"
        second.group = group.id
        second.opener = TabOpener(tab: first.id)
        (second.createdAt, second.lastActiveAt) = (time, time)
        var history = NavigationHistory(url: "https://b.example/1", title: "One", time: time)
        history.entries[0].pageState = [1]
        history.entries[0].properties["host"] = "x"
        history.entries.append(
            NavigationEntry(
                url: "https://b.example/2", displayURL: "https://b.example/shown", title: "Two",
                time: time, referrer: "https://a.example/",
                requestHeaders: [HTTPHeader(name: "X", value: "Y")],
                subframes: [NavigationEntry(url: "https://c.example/")]))
        history.currentIndex = 1
        let attributes = SessionAttributes(
            title: "Work", activeTab: second.id, properties: ["frame": "0 0"])
        return SessionSnapshot(
            id: SessionID(window: .random()), attributes: attributes,
            tabs: [
                TabSnapshot(metadata: first),
                TabSnapshot(
                    metadata: second,
                    states: [.navigation: history.encoded(), .native: [2], .icon: [3]]),
            ], nodes: [group])
    }

    @Test("Incognito tabs are left out and counted unless they are asked for")
    func incognito() throws {
        var sampler = SessionSampler(seed: 9)
        let sessions = [
            sampler.window(tabs: 2), sampler.window(tabs: 3, kind: .incognito),
        ]
        for format in ExportFormat.allCases {
            let export = try SessionExporter(format, at: Self.time).export(sessions)
            expect(export.losses[.incognitoTabs], is: 3)
            expect(export.counts.tabs, is: 2)
            for tab in sessions[1].tabs {
                let url = Data(tab.metadata.url.utf8)
                expect(!export.files.contains { Data($0.bytes).range(of: url) != nil })
            }
        }
    }

    @Test("A history that cannot be read costs the history alone")
    func unreadableHistory() throws {
        var session = Self.full
        session.tabs[1].states[.navigation] = [0xFF, 0xFF]
        let export = try exporter(.firefox).export([session])
        expect(export.losses[.unreadableHistories], is: 1)
        expect(export.lossLines.contains("1 history that cannot be read"))
        let back = try export.imported().sessions
        expect(back.first?.tabs.map(\.metadata.url), is: session.tabs.map(\.metadata.url))
    }

    /// Long texts, and all that has a meaning in one of the formats.
    private static let hostile = [
        (0..<20_000).map { "e\u{301}\u{323}\($0)" }.joined(),
        (0..<20_000).map { "🎧\($0)" }.joined(),
        "\0\u{1B}]0;x\u{7}\r\n\u{2028}", "</script><!--", "](javascript:alert(1))", "\"'><b>&amp;",
        "\u{202E}evil\u{2066}", "\\", "{\"a\":1}",
    ]

    @Test("No text breaks a file", arguments: ExportFormat.allCases)
    func hostileTexts(_ format: ExportFormat) throws {
        var session = Self.full
        session.tabs = Self.hostile.enumerated().map { number, text in
            var tab = TabMetadata(id: .random(), place: .between(nil, and: nil))
            (tab.url, tab.title) = ("https://\(number).example/\(text.prefix(200))", text)
            tab.properties = ["firefox.userTypedValue": text, "chromium.guid": text]
            tab.group = session.nodes[0].id
            return TabSnapshot(metadata: tab)
        }
        session.renumberPlaces()
        session.nodes[0].name = Self.hostile[0]
        session.attributes.title = Self.hostile[1]
        session.attributes.activeTab = nil
        let export = try exporter(format).export([session])
        guard Self.browsers.contains(format) else {
            var text = String(decoding: export.files[0].bytes, as: UTF8.self)
            if format == .markdown { text = text.replacing(#/\\.|<http[^>]*>/#, with: "") }
            for markup in ["<b>", "\"'>", "\u{1B}"] + (format == .markdown ? ["](java"] : []) {
                expect(!text.contains(markup))
            }
            return
        }
        let result = try export.imported()
        expect(!result.report.isDamaged)
        let tabs = try require(result.sessions.first).tabs
        expect(tabs.map(\.metadata.url), is: session.tabs.map(\.metadata.url))
        if format == .chromium {
            expect(export.losses[.entryTitles], is: 2)
        } else {
            // An import cuts what no store takes.
            expect(
                zip(tabs, session.tabs).allSatisfy {
                    $1.metadata.title.utf8.starts(with: $0.metadata.title.utf8)
                })
        }
    }
}
