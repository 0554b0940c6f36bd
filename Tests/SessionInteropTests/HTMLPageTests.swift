import BrowserSessions
import Expectations
import Foundation
import SessionSamples
import SessionTesting
import TestSupport

@testable import SessionInterop

@Suite("Page of an export")
struct HTMLPageTests {
    @Test("The blocks hold what the sessions hold, value for value")
    func values() throws {
        var sampler = SessionSampler(seed: 1)
        var sessions = sampler.windows(2, tabs: 300, state: .navigationOnly)
        sessions.append(sampler.window(tabs: 7, kind: .incognito, state: .navigationOnly))
        sessions.append(HostileSession.make())
        let page = try HTMLSample.page(sessions)
        let blocks = try HTMLSample.blocks("session", of: page)
        let tabs = try HTMLSample.blocks("tabs", of: page)
        let histories = try HTMLSample.blocks("histories", of: page)
        expect(blocks.count, is: sessions.count)
        // 300 tabs are more than one chunk.
        expect(tabs.count == 6 && histories.count == 6)
        for (block, session) in zip(blocks, sessions) {
            let found = try require(block as? [String: Any])
            expect(found["title"] as? String == session.attributes.title)
            expect(found["kind"] as? String == session.id.kind.rawValue)
            let groups = try require(found["groups"] as? [[String: Any]])
            expect(groups.map { $0["title"] as? String }, is: session.nodes.map(\.name))
            expect(
                groups.map { $0["color"] as? Int32 },
                is: session.nodes.map(\.color.rawValue))
            expect(
                groups.map { $0["isCollapsed"] as? Bool },
                is: session.nodes.map(\.isCollapsed))
        }
        let foundTabs = try tabs.flatMap { try require($0 as? [[String: Any]]) }
        let foundHistories = try histories.flatMap { try require($0 as? [Any]) }
        let expected = sessions.flatMap { session in session.tabs.map { (session, $0) } }
        expect(foundTabs.count == expected.count && foundHistories.count == expected.count)
        for ((session, tab), (found, history)) in zip(expected, zip(foundTabs, foundHistories)) {
            try compare(tab, of: session, with: found)
            try compare(tab.states[.navigation], with: history)
        }
    }

    private func compare(
        _ tab: TabSnapshot, of session: SessionSnapshot, with found: [String: Any]
    ) throws {
        let metadata = tab.metadata
        expect(found["title"] as? String == metadata.title)
        expect(found["url"] as? String == metadata.url)
        expect(found["isPinned"] as? Bool == metadata.isPinned)
        expect(found["isActive"] as? Bool == (metadata.id == session.attributes.activeTab))
        expect(found["lastActiveAt"] as? Int64 == metadata.lastActiveAt.microseconds)
        expect(found["createdAt"] as? Int64 == metadata.createdAt.microseconds)
        expect(found["isHistoryUnreadable"] as? Bool == false)
        let group = session.nodes.firstIndex { $0.id == metadata.group }
        expect(found["group"] as? Int == group)
    }

    private func compare(_ bytes: [UInt8]?, with found: Any) throws {
        let history = try NavigationHistory(encoded: try require(bytes))
        let found = try require(found as? [String: Any])
        let entries = try require(found["entries"] as? [[String: Any]])
        expect(found["current"] as? Int == history.currentIndex)
        expect(entries.map { $0["url"] as? String }, is: history.entries.map(\.url))
        expect(entries.map { $0["title"] as? String }, is: history.entries.map(\.title))
        expect(entries.map { $0["time"] as? Int64 }, is: history.entries.map(\.time.microseconds))
    }

    @Test("A window's sessions have one number, and say what kind of place they are")
    func numbers() throws {
        var sampler = SessionSampler(seed: 2)
        var sessions = sampler.windows(2, tabs: 1)
        var closed = sampler.window(tabs: 1, kind: .recentlyClosed)
        closed.id.window = sessions[0].id.window
        sessions.append(closed)
        for index in sessions.indices { sessions[index].attributes.title = "" }
        let page = try HTMLSample.page(sessions)
        let numbers = try HTMLSample.blocks("session", of: page)
            .map { ($0 as? [String: Any])?["number"] as? Int }
        expect(numbers, is: [1, 2, 1])
        expect(page.contains("Window 1 – recently closed</bdi></h2>"))
    }

    @Test("A history that is not there, one that cannot be read and none at all look different")
    func histories() throws {
        var sampler = SessionSampler(seed: 2)
        var session = sampler.window(tabs: 3, state: .navigationOnly)
        session.tabs[1].states = [:]
        session.tabs[2].states[.navigation] = [1, 2, 3]
        let page = try HTMLSample.page([session])
        let tabs = try require(try HTMLSample.blocks("tabs", of: page).first as? [[String: Any]])
        expect(tabs.map { $0["isHistoryUnreadable"] as? Bool }, is: [false, false, true])
        let counts = session.tabs.map { Int($0.metadata.navigationItemCount) }
        expect(tabs.map { $0["entries"] as? Int }, is: counts)
        let histories = try require(try HTMLSample.blocks("histories", of: page).first as? [Any])
        expect(histories.map { $0 is NSNull }, is: [false, true, true])
        expect(page.components(separatedBy: "its history could not be read").count, is: 2)
    }

    @Test("What could not be read is named at the top and at its session")
    func losses() throws {
        let session = SessionSnapshot(id: SessionID(window: .random()), tabs: [])
        let text = String(
            decoding: HTMLPage.bytes(
                of: [session], title: "A & B", exportedAt: HTMLSample.time,
                losses: ["a tab of <window> 2"], lossesOfSessions: ["its groups are lost"]),
            as: UTF8.self)
        let head = try require(try HTMLSample.blocks("page", of: text).first as? [String: Any])
        expect(head["losses"] as? [String] == ["a tab of <window> 2"])
        expect(head["title"] as? String == "A & B")
        let block = try require(try HTMLSample.blocks("session", of: text).first as? [String: Any])
        expect(block["losses"] as? [String] == ["its groups are lost"])
        expect(text.contains("<title>A &amp; B</title>"))
        let plain = try HTMLSample.part(of: text, from: "<noscript>", to: "</noscript>")
        expect(plain.contains("a tab of &lt;window&gt; 2"))
    }

    @Test("The page of a store is that of the sessions in it, and names what is damaged")
    func store() async throws {
        var sampler = SessionSampler(seed: 4)
        let sessions = sampler.windows(2, tabs: 70, state: .blobs(100...1000))
            .sorted { ($0.attributes.createdAt, $0.id) < ($1.attributes.createdAt, $1.id) }
        let whole = MemoryStorage()
        for session in sessions { _ = try await whole.save(SessionChanges(saving: session)) }
        let exporter = SessionExporter(.html, at: HTMLSample.time)
        let bytes = try await exporter.export(whole).files.flatMap(\.bytes)
        expect(try HTMLSample.page(sessions) == String(decoding: bytes, as: UTF8.self))

        let broken = sessions[1].tabs[40].metadata.id
        let lost = Loss(.tab, session: sessions[0].id, detail: "a record is damaged")
        let damaged = DamagedStorage(provenance: .salvaged, losses: [lost], damaged: [broken])
        for session in sessions { _ = try await damaged.save(SessionChanges(saving: session)) }
        await expect(throws: StorageError.self) { _ = try await exporter.export(damaged) }
        var reported: [Loss] = []
        let rest = try await exporter.export(damaged, losses: { reported.append($0) })
        // History and engine state of one tab.
        let kinds = reported.map(\.kind)
        expect(kinds.count == 4 && kinds.count { $0 == .tab } == 2 && kinds.contains(.state))
        expect(rest.losses[.unreadableHistories], is: 1)
        let page = String(decoding: rest.files.flatMap(\.bytes), as: UTF8.self)
        let session = try require(
            try HTMLSample.blocks("session", of: page).first as? [String: Any])
        expect(session["losses"] as? [String] == ["a tab could not be read: a record is damaged"])
        let tabs = try HTMLSample.blocks("tabs", of: page).flatMap { $0 as? [[String: Any]] ?? [] }
        let unreadable = tabs.indices.filter { tabs[$0]["isHistoryUnreadable"] as? Bool == true }
        expect(unreadable, is: [110])
    }

    @Test("A chunk ends after so many tabs or bytes, whatever comes first")
    func chunks() throws {
        var sampler = SessionSampler(seed: 5)
        var session = sampler.window(tabs: 2000)
        let long = NavigationEntry(
            url: "https://example.org/" + String(repeating: "x", count: 20_000),
            pageState: Array(repeating: 7, count: 100_000))
        let history = NavigationHistory(entries: [long], currentIndex: 0).encoded()
        for index in session.tabs.indices {
            session.tabs[index].states = index < 400 ? [.navigation: history] : [:]
        }
        let text = try HTMLSample.page([session])
        let counts = try HTMLSample.blocks("tabs", of: text).map { ($0 as? [Any])?.count ?? 0 }
        expect(counts.reduce(0, +), is: 2000)
        expect(counts.allSatisfy { $0 <= HTMLPage.tabsInChunk })
        expect(counts.count > 2000 / HTMLPage.tabsInChunk + 1)
        expect(text.contains("<ol start=\"\(counts[0] + 1)\">"))
    }

    @Test("Unknown times, and times beyond every calendar, are times all the same")
    func times() throws {
        expect(HTMLSample.time.inWords, is: "2026-01-01 00:00 UTC")
        for time in [Timestamp.unknown, Timestamp(microseconds: .max), .init(microseconds: .min)] {
            let page = HTMLPage.bytes(of: [], title: "", exportedAt: time)
            let text = String(decoding: page, as: UTF8.self)
            let head = try require(try HTMLSample.blocks("page", of: text).first as? [String: Any])
            expect(head["exportedAt"] as? Int64 == time.microseconds)
        }
    }
}
