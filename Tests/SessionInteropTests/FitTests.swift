import BrowserSessions
import Expectations
import Foundation
import TestSupport

@testable import SessionInterop

/// Tabs and windows with more than a store takes come out as much of them as it does.
@Suite("Sizes")
struct FitTests {
    private func read(
        _ tabs: [String], _ limits: ImportLimits = ImportLimits(), window: String = ""
    ) throws -> (session: SessionSnapshot, problems: [ImportProblem]) {
        let folder = TemporaryFolder()
        let path = try folder.write(FirefoxDesktopSample.text(tabs, window), to: "recovery.js")
        let result = try SessionImporter(limits: limits).read(path: path)
        let session = try require(result.sessions.first)
        expect(session.tabs.count, is: tabs.count)
        for tab in session.tabs {
            expect(tab.metadata.encoded().count <= limits.maximumMetadataBytes)
            for state in tab.states.values { expect(state.count <= limits.maximumStateBytes) }
        }
        expect(session.attributes.encodedPayload().count <= limits.maximumMetadataBytes)
        let problems = try require(result.report.sources.first).problems
        return (session, problems.filter { !$0.location.hasSuffix(".selected") })
    }

    private func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test("What fits is not touched")
    func fitting() throws {
        let tab = FirefoxDesktopSample.tab(0, #","image":"\#(text(900_000))","note":"a""#)
        let (session, problems) = try read([tab])
        expect(session.tabs[0].metadata.faviconURL.count, is: 900_000)
        expect(problems.isEmpty)
    }

    @Test("The icon goes first, then properties, the largest first")
    func metadata() throws {
        let tab = FirefoxDesktopSample.tab(
            0, #","image":"\#(text(700_000))","note":"\#(text(600_000))","other":"o""#)
        let icon = try read([tab, FirefoxDesktopSample.tab(1)])
        expect(icon.session.tabs[0].metadata.faviconURL.isEmpty)
        expect(icon.session.tabs[0].metadata.properties["firefox.note"]?.count, is: 600_000)
        expect(
            icon.problems,
            is: [
                ImportProblem(
                    .repair, at: "windows[0].tabs[0]",
                    "the address of the icon has 700000 bytes, over the limit of a tab, and is left out"
                )
            ])
        let more = FirefoxDesktopSample.tab(
            0,
            #","image":"\#(text(9))","note":"\#(text(1_200_000))","less":"\#(text(1_000_000))","o":"p""#
        )
        let (session, problems) = try read([more])
        expect(session.tabs[0].metadata.faviconURL.isEmpty)
        expect(Set(session.tabs[0].metadata.properties.keys), is: ["firefox.less", "firefox.o"])
        expect(problems.map(\.severity), is: [.repair, .repair])
        expect(problems[1].message.contains("1 property with 1200000 bytes"))
    }

    @Test("A title is cut, and an address too long for a tab stays in its history alone")
    func addresses() throws {
        let entry =
            #"{"url":"data:\#(text(1_500_000))","title":"\#(String(repeating: "é", count: 800_000))"}"#
        let (session, problems) = try read([#"{"entries":[\#(entry)]}"#])
        expect(session.tabs[0].metadata.url.isEmpty)
        expect(session.tabs[0].metadata.title.utf8.count <= 1 << 20)
        expect(session.tabs[0].metadata.title.allSatisfy { $0 == "é" })
        let history = try session.tabs[0].history()
        expect(history.entries[0].url.utf8.count, is: 1_500_005)
        expect(problems.contains { $0.message.hasPrefix("the address has 1500005 bytes") })
        expect(problems.contains { $0.message.hasPrefix("the title") })
        expect(problems.allSatisfy { $0.severity == .repair })
    }

    @Test("Of a history the states of pages go first, then the oldest entries")
    func history() throws {
        func entries(_ count: Int, state: Int) -> String {
            (0..<count).map {
                #"{"url":"https://example.org/\#($0)","formdata":{"a":"\#(text(state))"}}"#
            }.joined(separator: ",")
        }
        let limits = ImportLimits.with(\.maximumStateBytes, 8_000)
        let states = try read([#"{"entries":[\#(entries(5, state: 3_000))],"index":2}"#], limits)
        let kept = try states.session.tabs[0].history()
        expect(kept.entries.count == 5 && kept.currentIndex == 1)
        expect(kept.entries.map(\.pageState.isEmpty), is: [true, false, true, true, false])
        expect(states.problems.map(\.severity), is: [.loss])
        expect(states.problems[0].message.contains("3 pages"))
        let some = try read([#"{"entries":[\#(entries(150, state: 20))]}"#], limits)
        var partial = try some.session.tabs[0].history()
        let first = try require(partial.entries.firstIndex { !$0.pageState.isEmpty })
        expect(partial.entries.count == 150 && first > 1 && partial.encoded().count <= 8_000)
        // One state more would be too much.
        partial.entries[first - 1].pageState = partial.entries[first].pageState
        expect(partial.encoded().count > 8_000)
        let many = try read([#"{"entries":[\#(entries(400, state: 1))],"index":399}"#], limits)
        let rest = try many.session.tabs[0].history()
        expect(rest.entries.last?.url, is: "https://example.org/399")
        expect(rest.entries.count < 400 && many.problems.count == 2)
        // One more would be too much.
        let next = NavigationEntry(url: "https://example.org/\(399 - rest.entries.count)")
        var more = NavigationHistory(entries: [next] + rest.entries)
        more.currentIndex = more.entries.count - 2
        expect(more.encoded().count > 8_000 && rest.encoded().count <= 8_000)
        expect(rest.currentIndex, is: rest.entries.count - 2)
        expect(many.problems.last?.severity, is: .loss)
        expect(many.session.tabs[0].metadata.navigationItemCount, is: Int32(rest.entries.count))
    }

    @Test("A state of an engine that is too large is left out")
    func native() throws {
        let folder = TemporaryFolder()
        try Golden.write(to: folder)
        try folder.write(Array(repeating: 7, count: 2_000), to: "scene/000003e9/state.pb")
        let importer = SessionImporter(limits: .with(\.maximumStateBytes, 1_999))
        let result = try importer.read(path: folder.file("scene"))
        expect(result.sessions[0].tabs[0].states[.native] == nil)
        expect(result.sessions[0].tabs[0].states[.navigation] != nil)
        expect(result.report.isDamaged)
    }

    @Test("A window gives up its properties, then the titles of its groups")
    func window() throws {
        let window =
            #","note":"\#(text(1_200_000))","groups":[{"id":"g","name":"\#(text(1_300_000))"}]"#
        let tab = FirefoxDesktopSample.tab(0, #","groupId":"g""#)
        let (session, problems) = try read([tab, FirefoxDesktopSample.tab(1)], window: window)
        expect(session.attributes.properties["firefox.note"] == nil)
        expect(session.nodes[0].name.utf8.count > 500_000)
        expect(session.nodes.count, is: 1)
        expect(session.tabs[0].metadata.group, is: session.nodes[0].id)
        expect(problems.map(\.severity), is: [.repair, .repair])
    }
}
