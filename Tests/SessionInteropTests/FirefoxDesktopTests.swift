import BrowserSessions
import Expectations
import Foundation
import SessionInterop
import TestSupport

@Suite("Firefox for desktop")
struct FirefoxDesktopTests {
    let folder = TemporaryFolder()

    private func read(_ bytes: [UInt8], limits: ImportLimits = ImportLimits()) throws
        -> SessionImport
    {
        let path = try folder.write(bytes, to: "sessionstore.jsonlz4")
        return try SessionImporter(limits: limits).read(path: path)
    }

    @Test("Compressed and plain sessions give the same tabs")
    func container() throws {
        let text = FirefoxDesktopSample.text(tabs: 40)
        let plain = try read(text)
        let packed = try read(mozLZ4(text))
        expect(plain.sessions.first?.tabs.count, is: 40)
        expect(
            plain.sessions.first?.tabs.map(\.metadata.url),
            is: packed.sessions.first?.tabs.map(\.metadata.url))
        expect(plain.report.totals, is: packed.report.totals)
        expect(packed.report.sources.first?.problems, is: [])
        let old = try read(Array("(".utf8) + text + Array(")\n".utf8))
        expect(old.sessions.first?.tabs.count, is: 40)
        expect(!old.report.isDamaged)
    }

    @Test("Index, selection, groups, pins and properties come out")
    func values() throws {
        let tabs = [
            FirefoxDesktopSample.tab(0, #","pinned":true,"userContextId":3"#),
            FirefoxDesktopSample.tab(1, #","groupId":"g1","scroll":{"scroll":"0,9"}"#),
            FirefoxDesktopSample.tab(2, #","groupId":"g1","userTypedValue":"typed""#),
        ]
        let groups =
            #","groups":[{"id":"g1","name":"Ideas 💡","color":"gray","collapsed":true}]"#
        let result = try read(FirefoxDesktopSample.text(tabs, groups))
        let session = try require(result.sessions.first)
        expect(result.report.sources.first?.problems, is: [])
        expect(session.tabs.map(\.metadata.isPinned), is: [true, false, false])
        expect(session.tabs[0].metadata.url, is: "https://example.org/0/a")
        expect(session.tabs[0].metadata.properties["firefox.userContextId"], is: "3")
        expect(session.tabs[0].metadata.lastActiveAt.microseconds, is: 1_702_400_282_166_000)
        expect(session.attributes.activeTab, is: session.tabs[1].metadata.id)
        let group = try require(session.nodes.first)
        expect(group.name == "Ideas 💡" && group.color == .grey && group.isCollapsed)
        expect(session.tabs.map(\.metadata.group), is: [nil, group.id, group.id])
        let history = try session.tabs[1].history()
        expect(history.currentIndex, is: 0)
        let state = String(decoding: history.entries[0].pageState, as: UTF8.self)
        expect(state, is: #"{"ID":1,"tab":{"scroll":{"scroll":"0,9"}}}"#)
    }

    @Test("Frames, closed tabs, closed windows and saved groups come out")
    func closed() throws {
        let frame = #"{"url":"https://example.org/f","children":[{"url":"about:blank"}]}"#
        let tab = #"{"entries":[{"url":"https://example.org/","children":[\#(frame)]}]}"#
        let closed = #"{"state":\#(tab),"title":"Gone","closedAt":1702400282166,"pos":4}"#
        let group = #"{"id":"g","name":"G","color":"blue","tabs":[\#(closed)]}"#
        let text = FirefoxDesktopSample.text(
            [tab, FirefoxDesktopSample.tab(1)],
            #","_closedTabs":[\#(closed)],"closedGroups":[\#(group)]"#,
            root: #","_closedWindows":[{"tabs":[\#(tab)]}],"savedGroups":[\#(group)]"#)
        let result = try read(text)
        var counts = ImportCounts()
        (counts.windows, counts.tabs, counts.entries, counts.subframeEntries) = (1, 2, 3, 2)
        (counts.closedWindows, counts.closedTabs, counts.closedEntries) = (1, 4, 4)
        expect(result.report.totals, is: counts)
        expect(result.sessions.count { $0.id.kind == .recentlyClosed }, is: 2)
        expect(
            result.sessions.map { $0.attributes.closedAt != nil }, is: [false, false, true, false])
        expect(result.sessions[1].tabs.first?.metadata.title, is: "Gone")
        expect(!result.report.isDamaged)
    }

    @Test("Private windows are incognito, with their closed tabs")
    func privateWindow() throws {
        let closed = #"{"state":\#(FirefoxDesktopSample.tab(7))}"#
        let result = try read(
            FirefoxDesktopSample.text(
                [FirefoxDesktopSample.tab(0)], #","isPrivate":true,"_closedTabs":[\#(closed)]"#))
        expect(result.sessions.map(\.id.partition), is: [.incognito, .incognito])
    }

    @Test("Pinned tabs come first and groups in one piece")
    func order() throws {
        let tabs = [
            FirefoxDesktopSample.tab(0, #","groupId":"g""#), FirefoxDesktopSample.tab(1),
            FirefoxDesktopSample.tab(2, #","groupId":"g""#),
            FirefoxDesktopSample.tab(3, #","pinned":true,"groupId":"g""#),
        ]
        let session = try require(try read(FirefoxDesktopSample.text(tabs)).sessions.first)
        expect(
            session.tabs.map { $0.metadata.url.dropFirst(20).prefix(1) }, is: ["3", "0", "2", "1"])
        expect(session.tabs[0].metadata.group == nil)
        expect(session.tabs.map(\.metadata.place), is: session.tabs.map(\.metadata.place).sorted())
    }

    @Test(
        "A size in the header that is wrong costs nothing, and no memory",
        arguments: [
            UInt32.max, 400_000_000, 3_000, 0,
        ])
    func sizes(claimed: UInt32) throws {
        let text = FirefoxDesktopSample.text(tabs: 2)
        let result = try read(mozLZ4(text, claiming: claimed))
        expect(result.sessions.first?.tabs.count, is: 2)
        let problem = try require(result.report.sources.first?.problems.first)
        expect(
            problem.message,
            is: "the header says \(claimed) bytes, the block has \(text.count)")
    }

    @Test("A block that unfolds beyond the limits is refused, whatever its header says")
    func bomb() throws {
        let spaces = [UInt8](repeating: 0x20, count: 4 << 20)
        let bomb = mozLZ4(spaces)
        try require(bomb.count * ImportLimits().maximumUnfolding < spaces.count)
        for size in [UInt32(spaces.count), 10, UInt32.max] {
            let error = try refusal { try read(mozLZ4(spaces, claiming: size)) }
            expect(error.code, is: .tooLarge)
            expect(error.message.contains("unfolds to \(spaces.count) bytes"))
            expect(error.message.contains("maximumUnfolding"))
        }
        var limits = ImportLimits()
        limits.maximumUnfolding = 256
        let error = try refusal { try read(bomb, limits: limits) }
        expect(error.code != .tooLarge)
        limits.maximumFileBytes = 300
        let text = mozLZ4(FirefoxDesktopSample.text(tabs: 2))
        expect(throws: StorageError.self) { try read(text, limits: limits) }
    }

    @Test("A block that is cut gives what is before the cut")
    func cutBlock() throws {
        let packed = mozLZ4(FirefoxDesktopSample.text(tabs: 60))
        let result = try read(Array(packed.prefix(packed.count * 2 / 3)))
        expect(result.report.isDamaged)
        expect(try require(result.sessions.first).tabs.count > 5)
    }

    @Test("Text that is nested without end is refused, not followed")
    func nesting() throws {
        let deep = String(repeating: #"{"url":"x","children":["#, count: 5_000)
        let tab = #"{"entries":[\#(deep)"#
        let result = try read(FirefoxDesktopSample.text([tab]))
        expect(result.report.isDamaged)
        expect(result.sessions.first?.tabs.count, is: 1)
    }

    @Test("Tabs and entries over the limits are left out and reported")
    func limits() throws {
        var limits = ImportLimits()
        limits.maximumTabs = 3
        limits.maximumEntriesPerTab = 1
        let result = try read(FirefoxDesktopSample.text(tabs: 9), limits: limits)
        expect(result.sessions.first?.tabs.count, is: 3)
        expect(result.sessions.first?.tabs.first?.metadata.navigationItemCount, is: 1)
        expect(result.report.isDamaged)
    }
}
