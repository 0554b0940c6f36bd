import Expectations
import Foundation
import SessionSamples

@testable import BrowserSessions
@testable import RestorePlans
@testable import StorageEngines

@Suite("differences between states")
struct SessionDifferenceTests {
    @Test("A difference that is applied makes the other state", arguments: 101...140)
    func applied(seed: UInt64) throws {
        var profiles = RandomProfiles(seed: seed, isSound: true)
        let (from, to) = (try StoreFixture(profiles.next()), try StoreFixture(profiles.next()))
        let difference = SessionDifference(from: try from.sessions(), to: try to.sessions())
        expect(try from.sessions().allSatisfy { $0.repairs.isEmpty })
        _ = try from.store.saveBlocking(difference.changes)
        expect(try from.sessions() == to.sessions())
        expect(SessionDifference(from: try from.sessions(), to: try to.sessions()).isEmpty)
    }

    private let window = SessionID(window: WindowID(high: 7, low: 1))
    private let other = SessionID(window: WindowID(high: 7, low: 2))

    private func tab(_ number: UInt64, _ title: String = "") -> TabMetadata {
        let place = OrderKey.evenlySpaced(count: 20)[Int(number)]
        return TabMetadata(
            id: TabID(high: 3, low: number), place: place, url: "https://example.org/\(number)",
            title: title.isEmpty ? "Tab \(number)" : title)
    }

    private func session(
        _ id: SessionID, _ tabs: [TabMetadata], _ nodes: [StructureNode] = [], title: String = ""
    ) -> RestoredSession {
        RestoredSession(
            id: id, attributes: SessionAttributes(title: title), tabs: tabs, nodes: nodes)
    }

    @Test("What is gone comes first, then what moved, what changed, and what is new")
    func order() {
        let before = [session(window, [tab(1), tab(2), tab(3)]), session(other, [tab(4)])]
        let after = [
            session(window, [tab(2, "Other title"), tab(5)], title: "Work"),
            session(other, [tab(3), tab(4)]),
        ]
        let difference = SessionDifference(from: before, to: after)
        expect(
            difference.entries.map(\.change), is: [.removed, .moved, .changed, .changed, .added])
        expect(
            difference.entries.map(\.title), is: ["Tab 1", "Tab 3", "Work", "Other title", "Tab 5"])
        expect(difference.entries.map(\.fields), is: [[], [], ["title"], ["title"], []])
        expect(difference.entries[1].before?.session, is: window)
        expect(difference.entries[1].after?.session, is: other)
        expect(difference.tabCounts, is: .init(removed: 1, moved: 1, changed: 1, added: 1))
        expect(difference.sessionCounts, is: .init(changed: 1))
        expect(difference.nodeCounts, is: .init())
    }

    @Test("A tab that passes others has moved, and they have not; new order keys alone are no move")
    func siblings() {
        let tabs = (1...6).map { tab($0) }
        var passed = tabs
        passed[0].place = .between(tabs[4].place, and: tabs[5].place)
        let difference = SessionDifference(
            from: [session(window, tabs)], to: [session(window, passed)])
        expect(difference.entries.map(\.title), is: ["Tab 1"])
        expect(difference.entries.map(\.fields), is: [["place"]])
        var renumbered = tabs
        let places = OrderKey.evenlySpaced(count: 6)
        for index in renumbered.indices { renumbered[index].place = places[index] }
        let silent = SessionDifference(
            from: [session(window, tabs)], to: [session(window, renumbered)])
        expect(silent.isEmpty)
        expect(silent.changes.changes.count, is: 6)
    }

    @Test("Groups and what is below them differ one by one")
    func nodes() {
        let group = StructureNode(
            id: NodeID(high: 9, low: 1), .group, place: tab(1).place, name: "Read")
        var inside = tab(1)
        inside.group = group.id
        var renamed = group
        renamed.name = "Later"
        let difference = SessionDifference(
            from: [session(window, [tab(1)], [])], to: [session(window, [inside], [renamed])])
        expect(difference.entries.map(\.change), is: [.moved, .added])
        expect(difference.entries.map(\.fields), is: [["parent"], []])
        expect(difference.nodeCounts, is: .init(added: 1))
        let rename = SessionDifference(
            from: [session(window, [inside], [group])], to: [session(window, [inside], [renamed])])
        expect(rename.entries.map(\.fields), is: [["name"]])
    }

    @Test(
        "Text that only Swift calls equal differs; private sessions and notes are in no difference")
    func limits() {
        let composed = session(window, [tab(1, "\u{E9}")])
        let decomposed = session(window, [tab(1, "e\u{301}")])
        expect(composed, is: decomposed)
        expect(
            SessionDifference(from: [composed], to: [decomposed]).entries.map(\.fields),
            is: [
                ["title"]
            ])
        let hidden = [
            session(SessionID(window: window.window, kind: .incognito), [tab(1)]),
            session(SessionID(window: window.window, kind: .launch), [tab(2)]),
        ]
        expect(SessionDifference(from: [], to: hidden).isEmpty)
        expect(SessionDifference(from: hidden, to: []).changes.isEmpty)
    }

    @Test("A difference is canonical JSON")
    func json() throws {
        let difference = SessionDifference(
            from: [session(window, [tab(1)])], to: [session(window, [tab(1), tab(2)])])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(difference), as: UTF8.self)
        let id = TabID(high: 3, low: 2).description
        expect(
            text.hasPrefix(
                #"{"counts":{"nodes":{"added":0,"changed":0,"moved":0,"removed":0},"#))
        expect(
            text.hasSuffix(
                """
                "unknownFields":"","url":"https://example.org/2","weight":0,"zone":0},\
                "id":"\(id)","session":"\(window)","sort":"tab"},"before":null,"change":"added",\
                "fields":[],"id":"\(id)","sort":"tab","title":"Tab 2"}],\
                "format":"browser-sessions difference","version":1}
                """))
    }
}
