import BrowserSessions
import Expectations
import Foundation
import TestSupport

@testable import SessionInterop

@Suite("Chromium session logs")
struct SNSSTests {
    let folder = TemporaryFolder()

    private func read(_ bytes: [UInt8], _ name: String = "Session_1") throws -> SessionImport {
        try SessionImporter().read(path: try folder.write(bytes, to: name))
    }

    @Test("A session log is replayed", arguments: [Int32(1), 3])
    func session(version: Int32) throws {
        let result = try read(SNSSSample.session(version: version))
        expect(result.sessions.count, is: 2)
        expect(result.report.sources.first?.problems, is: [])
        let first = try require(result.sessions.first)
        expect(
            first.tabs.map(\.metadata.url),
            is: [
                "https://example.org/11/1", "https://example.org/12/1",
            ])
        expect(first.tabs.map(\.metadata.isPinned), is: [true, false])
        expect(first.attributes.activeTab, is: first.tabs[1].metadata.id)
        let group = StructureNode.group(
            id: NodeID(high: 5, low: 6), name: "Reading 📚", color: .green, isCollapsed: true)
        expect(first.nodes.unplaced, is: [group])
        expect(first.tabs[1].metadata.group, is: group.id)
        expect(first.tabs[1].metadata.lastActiveAt.microseconds, is: 1_702_400_282_166_178)
        expect(result.report.totals.distinctNavigations, is: 8)
    }

    @Test(
        "Chromium 156 writes for every window whether it is on all desktops, and the GUIDs of saved groups"
    )
    func newerRecords() throws {
        let guid = "aa1baa80-46f6-4a11-9e9f-35f78d6e8e05"
        var log = SNSSWriter()
        for window in Int32(1)...3 {
            log.numbers(9, window, 0)
            // One byte is the value, and the others are what was in memory.
            log.numbers(32, window, [0, 1, 0x7F00][Int(window) - 1])
            log.numbers(0, window, window + 10)
            log.group(window + 10, high: 5, low: UInt64(window))
            log.navigation(
                tab: window + 10, index: 0, url: "https://example.org/\(window)", title: "")
            log.pickle(27) {
                $0.int64(5)
                $0.int64(Int64(window))
                $0.string16("Saved")
                for value in [Int32(3), 1, 1] { $0.int(value) }
                $0.string(guid)
            }
        }
        log.record(255, [])
        let result = try read(log.bytes)
        expect(result.report.sources[0].problems, is: [])
        expect(
            result.sessions.map { $0.attributes.properties["chromium.on-all-workspaces"] },
            is: [nil, "true", nil])
        expect(result.sessions.map { $0.nodes.map(\.name) }, is: [["Saved"], ["Saved"], ["Saved"]])
        let export = try SessionExporter(.chromium).export(result.sessions)
        expect(export.losses, is: [:])
        expect(!String(decoding: export.files[0].bytes, as: UTF8.self).contains(guid))
    }

    @Test("A tabs log gives recently closed tabs and windows")
    func tabs() throws {
        let result = try read(SNSSSample.tabs(), "Tabs_1")
        expect(result.sessions.map(\.id.kind), is: [.recentlyClosed, .regular])
        let closedAt = result.sessions.map(\.attributes.closedAt?.microseconds)
        expect(closedAt, is: [nil, 1_702_400_282_166_178])
        expect(result.sessions.map(\.tabs.count), is: [1, 2])
        expect(result.report.totals.closedWindows, is: 1)
        expect(result.report.totals.closedTabs, is: 3)
        expect(result.report.totals.tabs, is: 0)
        expect(result.sessions[1].tabs.first?.metadata.url, is: "https://example.org/31/1")
        expect(result.report.sources.first?.problems, is: [])
    }

    @Test("Pruned entries are gone, and later ones move up")
    func pruned() throws {
        var log = SNSSWriter()
        log.numbers(9, 1, 0)
        log.numbers(0, 1, 11)
        for entry in Int32(2)...9 {
            log.navigation(tab: 11, index: entry, url: "https://example.org/\(entry)", title: "")
        }
        log.numbers(7, 11, 7)
        log.numbers(24, 11, 3, 2)
        log.numbers(11, 11, 1)
        log.numbers(5, 11, 6)
        let tab = try require(try read(log.bytes).sessions.first?.tabs.first)
        let history = try tab.history()
        expect(history.entries.map { String($0.url.suffix(1)) }, is: ["2", "5", "6", "7", "8"])
        expect(history.currentIndex, is: 3)
    }

    @Test("The tabs of a closed window are closed, those without a window are kept")
    func windows() throws {
        var log = SNSSWriter(version: 1)
        log.numbers(9, 1, 0)
        for tab in Int32(11)...13 {
            if tab < 13 { log.numbers(0, tab - 10, tab) }
            log.navigation(tab: tab, index: 0, url: "https://example.org/\(tab)", title: "")
        }
        log.time(17, 1, 5)
        let result = try read(log.bytes)
        let urls = result.sessions.flatMap { $0.tabs.map { String($0.metadata.url.suffix(2)) } }
        expect(urls.sorted(), is: ["12", "13"])
        expect(!result.report.isDamaged)
    }

    @Test("A log of only a header is valid and empty")
    func header() throws {
        let result = try read(SNSSWriter(version: 1).bytes)
        expect(result.sessions.isEmpty)
        expect(result.report.sources.first?.problems, is: [])
    }

    @Test(
        "Encrypted and unknown versions are refused with the reason",
        arguments: [
            (Int32(4), StorageError.Code.unsupported, "encrypted"), (2, .unsupported, "encrypted"),
            (5, .unsupported, "encrypted"),
            (9, .incompatibleFormat, "version 9"),
        ])
    func refused(version: Int32, code: StorageError.Code, reason: String) throws {
        let path = try folder.write(SNSSWriter(version: version).bytes, to: "Session_2")
        let error = try refusal { try SessionImporter().read(path: path) }
        expect(error.code, is: code)
        expect(error.message.contains(reason))
    }
}
