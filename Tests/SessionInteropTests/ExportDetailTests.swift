import BrowserSessions
import Expectations
import Foundation
import SessionSamples
import TestSupport

@testable import SessionInterop

/// What exports say of themselves, and what browsers would not bear.
struct ExportDetailTests {
    private let time = Timestamp(microseconds: 1_767_225_600_000_000)

    private func tab(_ url: String, _ properties: [String: String] = [:]) -> TabSnapshot {
        let metadata = TabMetadata(
            id: .random(), place: .between(nil, and: nil), url: url, title: "T",
            properties: properties)
        return TabSnapshot(metadata: metadata)
    }

    private func session(_ tabs: [TabSnapshot]) -> SessionSnapshot { session(.regular, tabs) }

    private func session(_ kind: SessionKind, _ tabs: [TabSnapshot]) -> SessionSnapshot {
        var session = SessionSnapshot(id: SessionID(window: .random(), kind: kind), tabs: tabs)
        session.attributes.activeTab = tabs.first?.metadata.id
        session.renumberPlaces()
        return session
    }

    private func export(
        _ format: ExportFormat, _ sessions: [SessionSnapshot], incognito: Bool = false
    ) throws -> SessionExport {
        var exporter = SessionExporter(format, at: time)
        exporter.includesIncognito = incognito
        return try exporter.export(sessions)
    }

    // MARK: Chromium stops reading at a record that it does not take

    private func records(_ export: SessionExport, _ file: Int = 0) throws -> [SNSSFile.Record] {
        try SNSSFile(
            export.files[file].bytes, name: export.files[file].path, limits: ImportLimits()
        ).records
    }

    @Test func aUserAgentHasTheFlagBehindIt() throws {
        let agent = ["chromium.user-agent": "Agent/1"]
        let open = session([tab("https://a.example/", agent)])
        let closed = session(.recentlyClosed, [tab("https://b.example/", agent)])
        let made = try export(.chromium, [open, closed])
        expect(made.losses, is: [:])
        for (file, command) in [(0, 29), (1, 11)] {
            let record = try require(try records(made, file).first { Int($0.command) == command })
            var pickle = try require(PickleReader(record.payload))
            expect(pickle.int() != nil && pickle.string() == "Agent/1")
            expect(pickle.bool(), is: false)
        }
    }

    @Test func whatChromiumWouldNotTakeIsLeftOutAndCounted() throws {
        var window = session([
            tab("https://a.example/", ["chromium.guid": "no identifier"]),
            tab("https://b.example/", ["chromium.guid": TabID.random().description]),
        ])
        window.attributes.properties = [
            "chromium.bounds": "0,0,800,600", "chromium.show-state": "77",
            "chromium.on-all-workspaces": "true",
        ]
        var other = session([tab("https://c.example/")])
        other.attributes.properties = ["chromium.on-all-workspaces": "false"]
        expect(try records(export(.chromium, [other])).contains { $0.command == 32 }, is: false)
        let made = try export(.chromium, [window])
        expect(made.losses, is: [.properties: 2])
        let commands = try records(made).map(\.command)
        expect(commands.count { $0 == 28 }, is: 1)
        expect(commands.contains(32))
        let bounds = try require(try records(made).first { $0.command == 14 })
        expect(bounds.payload.suffix(4), is: [1, 0, 0, 0])
    }

    @Test func anEntryTooLongForALogIsLeftOut() throws {
        let long = "https://a.example/" + String(repeating: "x", count: 70_000)
        var history = NavigationHistory(url: "https://a.example/1", title: "1")
        for url in [long, "https://a.example/3"] {
            history.entries.append(NavigationEntry(url: url))
        }
        history.currentIndex = 2
        var first = tab("https://a.example/3")
        first.states[.navigation] = history.encoded()
        for kind in [SessionKind.regular, .recentlyClosed] {
            let made = try export(.chromium, [session(kind, [first, tab(long)])])
            expect(made.losses, is: [.histories: 1, .tabs: 1])
            let isOpen = kind == .regular
            expect(made.counts.tabs, is: (isOpen ? 1 : 0))
            expect(made.counts.closedTabs, is: (isOpen ? 0 : 1))
            let back = try made.imported()
            expect(back.report.isDamaged, is: false)
            let tab = try require(back.sessions.first?.tabs.first)
            expect(try tab.history().currentIndex == 1)
        }
    }

    /// Firefox drops the first entries of a longer history, and keeps the index.
    @Test(arguments: [0, 12, 24, 25, 30, 35, 59], [50, 51, 60])
    func firefoxGetsTheEntriesAroundTheCurrentOne(current: Int, count: Int) throws {
        guard current < count else { return }
        var history = NavigationHistory(
            entries: (0..<count).map { NavigationEntry(url: "https://a.example/\($0)") })
        history.currentIndex = current
        var long = tab("https://a.example/\(current)")
        long.states[.navigation] = history.encoded()
        for kind in [SessionKind.regular, .recentlyClosed] {
            let made = try export(
                .firefox, [session([tab("https://b.example/")]), session(kind, [long])])
            expect(made.losses, is: (count > 50 ? [.histories: count - 50] : [:]))
            let back = try made.imported()
            let read = try require(back.sessions.last?.tabs.last).history()
            expect(read.entries.count, is: 50)
            let place = try require(read.currentIndex)
            expect(read.entries[place].url, is: "https://a.example/\(current)")
            expect(place >= min(current, 25) && 49 - place >= min(count - 1 - current, 24))
        }
    }

    // MARK: Places

    @Test func whatIsClosedIncognitoIsNotOpen() throws {
        let closed = try require(SessionKind(rawValue: "incognito-recently-closed"))
        let inactive = try require(SessionKind(rawValue: "incognito-inactive"))
        let sessions = [
            session(closed, [tab("https://a.example/")]),
            session(inactive, [tab("https://b.example/")]),
        ]
        let phone = try export(.chromeIOS, sessions, incognito: true)
        expect(phone.losses[.closedTabs], is: 1)
        expect(phone.files.allSatisfy { $0.path.hasPrefix("OTR/") })
        expect(phone.files.contains { $0.path.contains("-Inactive/") })
        let list = try export(.markdown, sessions, incognito: true)
        expect(list.counts.closedTabs, is: 1)
        let text = String(decoding: list.files[0].bytes, as: UTF8.self)
        expect(text.contains("recently closed, incognito"))
        let without = try export(.markdown, sessions)
        expect(without.losses, is: [.incognitoTabs: 2])
    }

    @Test func countsAreThoseOfWhatIsWritten() throws {
        var sampler = SessionSampler(seed: 3)
        let sessions = [
            sampler.window(tabs: 5, state: .navigationOnly), session([]),
            sampler.window(tabs: 3, kind: .inactive, state: .navigationOnly),
        ]
        let desktop = try export(.firefox, sessions)
        expect(desktop.counts.windows == 1 && desktop.counts.tabs == 5)
        expect(desktop.counts.closedTabs, is: 3)
        expect(desktop.losses[.emptyWindows], is: 1)
        let list = try export(.bookmarks, sessions)
        expect(list.counts.windows == 2 && list.counts.entries == 8)
        let text = String(decoding: list.files[0].bytes, as: UTF8.self)
        expect(text.components(separatedBy: "HREF=").count - 1, is: 8)
    }

    @Test func aWindowOnAPhoneOpensAtItsOrdinaryTab() throws {
        let open = session([tab("https://a.example/")])
        var secret = session(.incognito, [tab("https://b.example/")])
        secret.id.window = open.id.window
        let made = try export(.firefoxIOS, [secret, open], incognito: true)
        expect(made.losses[.activeTabs], is: 1)
        let text = String(decoding: made.files[0].bytes, as: UTF8.self)
        let active = try require(open.attributes.activeTab)
        expect(text.contains(#""activeTabId":"\#(active)""#))
    }

    // MARK: Firefox

    @Test func whatFirefoxNotedOfClosedThingsStays() throws {
        let file = #"""
            {"windows":[{"tabs":[{"entries":[{"url":"https://a.example/"}]}]}],
            "savedGroups":[{"id":"g","name":"Kept","color":"red","tabs":[{"state":
            {"entries":[{"url":"https://g.example/"}]}}]}],
            "_closedWindows":[{"title":"Its own","closedAt":1700000000123,
            "tabs":[{"entries":[{"url":"https://b.example/","title":"B"}],"lastAccessed":1700000009999}]}]}
            """#
        let folder = TemporaryFolder()
        let path = try folder.write(Array(file.utf8), to: "sessionstore.js")
        let before = try SessionImporter().read(path: path).sessions
        let made = try export(.firefox, before)
        let text = try MozLZ4.unfold(made.files[0].bytes, limits: ImportLimits()).bytes
        let root = try require(JSONParser.parse(text).value)
        let closed = root["_closedWindows"]?.array ?? []
        expect(closed.count, is: 1)
        expect(closed.first?["closedAt"]?.integer, is: 1_700_000_000_123)
        expect(closed.first?["title"]?.string, is: "B")
        expect(root["savedGroups"]?.array?.first?["name"]?.string, is: "Kept")
        expect(made.losses, is: [:])
    }

    @Test func aGroupThatIsOpenIsNotClosedToo() throws {
        let group = StructureNode.group(name: "G", color: .red)
        var (open, closed) = (tab("https://a.example/"), tab("https://b.example/"))
        open.metadata.group = group.id
        closed.metadata.group = group.id
        var sessions = [session([open]), session(.recentlyClosed, [closed])]
        for index in sessions.indices { sessions[index].nodes = [group] }
        sessions[1].id.window = sessions[0].id.window
        let made = try export(.firefox, sessions)
        let text = try MozLZ4.unfold(made.files[0].bytes, limits: ImportLimits()).bytes
        let root = try require(JSONParser.parse(text).value)
        let window = try require(root["windows"]?.array?.first)
        expect(window["groups"]?.array?.count == 1 && window["_closedTabs"]?.array?.count == 1)
        for closed in [window["closedGroups"], root["savedGroups"]] {
            expect(closed?.array.map(\.isEmpty) != false)
        }
    }

    @Test func aPageStateThatFirefoxKeepsForTheShownPageAloneIsCounted() throws {
        var history = NavigationHistory(url: "https://a.example/1", title: "")
        history.entries[0].pageState = Array(#"{"tab":{"scroll":{"scroll":"0,5"}}}"#.utf8)
        history.entries.append(NavigationEntry(url: "https://a.example/2"))
        var both = tab("https://a.example/2")
        for (current, lost) in [(0, nil), (1, 1)] as [(Int, Int?)] {
            history.currentIndex = current
            both.states[.navigation] = history.encoded()
            expect(try export(.firefox, [session([both])]).losses[.pageStates] == lost)
        }
    }

    // MARK: Lists

    @Test func pinnedTabsComeFirstAndGroupsInOnePiece() throws {
        var window = session(["a", "b", "c", "d"].map { tab("https://\($0).example/") })
        window.nodes = [StructureNode.group(name: "G", color: .red)]
        for index in [0, 2] { window.tabs[index].metadata.group = window.nodes[0].id }
        window.tabs[3].metadata.isPinned = true
        let made = try export(.markdown, [window])
        let text = String(decoding: made.files[0].bytes, as: UTF8.self)
        let found = text.components(separatedBy: "](<https://").dropFirst().map { $0.prefix(1) }
        expect(found, is: ["d", "a", "c", "b"])
    }

    @Test func addressesThatRunSomethingAreNoLinks() throws {
        let running = HostileSession.unlinkedAddresses.filter {
            $0.lowercased().contains("script:")
        }
        expect(running.count > 3)
        let all = session(
            (running + ["data:text/html,x", "https://good.example/"]).map { tab($0) })
        let bookmarks = try export(.bookmarks, [all])
        expect(bookmarks.losses[.tabs], is: running.count + 1)
        let marks = String(decoding: bookmarks.files[0].bytes, as: UTF8.self)
        expect(marks.components(separatedBy: "HREF=").count - 1, is: 1)
        let markdown = try export(.markdown, [all])
        expect(markdown.losses[.tabs] == nil)
        let text = String(decoding: markdown.files[0].bytes, as: UTF8.self)
        expect(text.components(separatedBy: "](<").count - 1, is: 1)
        expect(text.contains("](<https://good.example/>)"))
    }
}
