import BrowserSessions
import Expectations
import Foundation
import TestSupport

@testable import SessionInterop

/// All that is exported is read back by an import.
struct WayBackTests {
    private func read(_ bytes: [UInt8], _ name: String) throws -> SessionImport {
        let folder = TemporaryFolder()
        return try SessionImporter().read(path: try folder.write(bytes, to: name))
    }

    /// Sessions of every role, with pins, groups and closed windows.
    static var sessions: [SessionSnapshot] {
        func tab(_ name: String, _ change: (inout TabMetadata) -> Void = { _ in }) -> TabSnapshot {
            var tab = TabMetadata(
                id: .random(), place: .between(nil, and: nil),
                url: "https://\(name).example/?a=1&b=(2)",
                title: "\(name) – [x] | <b> & _y_")
            change(&tab)
            let history = NavigationHistory(url: tab.url, title: tab.title)
            return TabSnapshot(metadata: tab, states: [.navigation: history.encoded()])
        }
        let group = StructureNode.group(name: "Group # 1", color: .blue)
        var open = SessionSnapshot(
            id: SessionID(window: .random()),
            tabs: [
                tab("p") { $0.isPinned = true }, tab("g1") { $0.group = group.id },
                tab("g2") { $0.group = group.id }, tab("alone"),
            ], nodes: [group])
        open.attributes.activeTab = open.tabs[1].metadata.id
        var named = SessionSnapshot(id: SessionID(window: .random()), tabs: [tab("named")])
        named.attributes.title = "Work – home"
        var closed = SessionSnapshot(id: SessionID(window: .random()), tabs: [tab("closed")])
        closed.attributes.closedAt = Timestamp(microseconds: 1_700_000_000_000_000)
        let others = [SessionKind.incognito, .setAside, .recentlyClosed].map { kind in
            SessionSnapshot(
                id: SessionID(window: .random(), kind: kind), tabs: [tab(kind.rawValue)])
        }
        let idle = SessionSnapshot(
            id: SessionID(window: open.id.window, kind: .inactive), tabs: [tab("idle")])
        return ([open, named, closed, idle] + others).map { session in
            var session = session
            session.renumberPlaces()
            return session
        }
    }

    private func facts(_ sessions: [SessionSnapshot]) -> Set<[String]> {
        Set(
            sessions.map { session in
                [session.id.kind.rawValue, session.attributes.title]
                    + ["\(session.attributes.closedAt != nil)"]
                    + session.nodes.map(\.name) + session.tabs.map(\.metadata.url)
                    + session.tabs.map(\.metadata.title)
                    + session.tabs.map { "\($0.metadata.group != nil)" }
            })
    }

    @Test(arguments: [ExportFormat.bookmarks, .markdown, .html])
    func listsOfOursAreReadBack(_ format: ExportFormat) throws {
        var exporter = SessionExporter(format)
        exporter.includesIncognito = true
        let before = Self.sessions
        let file = try exporter.export(before).files[0]
        let back = try read(file.bytes, try require(format.fileName))
        expect(back.report.sources.flatMap(\.problems), is: [])
        expect(facts(back.sessions), is: facts(before))
        if format != .bookmarks {
            let window = try require(back.sessions.first { $0.tabs.count == 4 })
            expect(window.attributes.activeTab, is: window.tabs[1].metadata.id)
            expect(window.tabs.map(\.metadata.isPinned), is: [true, false, false, false])
        }
        let idle = try require(back.sessions.first { $0.id.kind == .inactive })
        expect(back.sessions.contains { $0.id == SessionID(window: idle.id.window) })
    }

    @Test func theCopyOfAStoreIsReadBackAsItWas() throws {
        var before = Self.sessions.filter { $0.id.kind != .recentlyClosed }
        before[0].tabs[0].states[.native] = [1, 2, 3]
        before[0].tabs[0].metadata.properties = ["host": "x"]
        let text = try canonicalJSON(before)
        let back = try read(text, "copy.json")
        expect(back.report.sources[0].problems, is: [])
        expect(try canonicalJSON(back.sessions) == text)
    }

    @Test(arguments: [false, true])
    func tabsOfACopyWithOneIdAreBothThere(hasNodes: Bool) throws {
        var session = try require(Self.sessions.first)
        session.tabs[3].metadata.id = session.tabs[1].metadata.id
        session.tabs[3].states = [.native: [3]]
        session.tabs[1].states = [.native: [1]]
        if !hasNodes {
            session.nodes = []
            for index in session.tabs.indices { session.tabs[index].metadata.parent = nil }
        }
        let back = try read(canonicalJSON([session]), "copy.json")
        let tabs = try require(back.sessions.first).tabs
        expect(tabs.map(\.metadata.title), is: session.tabs.map(\.metadata.title))
        expect(tabs.map { $0.states[.native] }, is: session.tabs.map { $0.states[.native] })
        expect(Set(tabs.map(\.metadata.id)).count, is: 4)
        expect(!back.report.sources[0].problems.isEmpty)
    }

    @Test func aPinMovesNoClosedTabOfChromium() throws {
        var log = SNSSWriter(version: 3)
        for tab in Int32(1)...3 {
            log.closedTab(tab, selected: 0, 13_346_873_882_166_178)
            if tab == 2 { log.record(5, [1]) }
            log.navigation(1, tab: tab, index: 0, url: "https://example.org/\(tab)", title: "")
        }
        log.record(255, [])
        let result = try read(log.bytes, "Tabs_1")
        let urls = result.sessions[0].tabs.map(\.metadata.url)
        expect(urls, is: (1...3).map { "https://example.org/\($0)" })
        let zones = result.sessions[0].tabs.map { $0.metadata.closedFrom?.zone ?? .normal }
        expect(zones, is: [.normal, .pinned, .normal])
    }
}
