import BrowserSessions
import Expectations
import Foundation
import StorageEngines
import TestSupport

@testable import sessionctl

/// What takes space in a store, what is set aside, and what is freed.
struct SpaceTests {
    private let workspace = Workspace()

    /// The bytes of all files of a store but its lock, in which its owner stands.
    private func bytes(_ workspace: Workspace) throws -> Int {
        try FileSystem.files(in: workspace.file("profile")).filter { !$0.key.hasSuffix("/lock") }
            .values.reduce(0) { $0 + $1.count }
    }

    @Test(arguments: Workspace.backends)
    func sizes(backend: String) throws {
        let store = try workspace.imported(backend)
        let json = try Tool.run(["du", "--format", "json", "--storage", store]).json()
        let sizes = json["sessions"].elements.compactMap { $0["bytes"].integer }
        expect(sizes.count > 5 && sizes == sizes.sorted(by: >))
        let files = try bytes(workspace)
        expect(json["files"].integer, is: files)
        let regular = try require(json["regularFiles"].integer)
        expect(sizes.reduce(0, +) < files && regular <= files)
        expect(json["quarantine"].integer == 0 && json["free"].integer ?? 0 > 0)
        let text = try Tool.run(["du", "--storage", store]).output
        expect(text.contains("free on the disk") && text.contains("all sessions"))
    }

    @Test(arguments: Workspace.backends)
    func whatWasErasedIsCounted(backend: String) throws {
        let store = try workspace.imported(backend)
        let session = "3F9D5A1C"
        try Tool.run(["rm", session, "--storage", store]).expectSuccess()
        let before = try bytes(workspace)
        let arguments = ["erase-removed", "--format", "json", "--storage", store]
        let plan = try Tool.run(arguments + ["--dry-run"]).json()
        let done = try Tool.run(arguments).json()
        let after = try bytes(workspace)
        expect(done["freedBytes"].integer, is: max(0, before - after))
        expect(done["keptSessions"], is: plan["keptSessions"])
        expect(plan["freedBytes"].integer ?? 0 >= done["freedBytes"].integer ?? 0)
        let text = try Tool.run(["erase-removed", "--storage", store]).output
        expect(text.contains("kept, nothing else left; ") && text.hasSuffix(" freed\n"))
    }

    @Test(arguments: Workspace.backends)
    func whatWasSetAsideIsListedShownAndPurged(backend: String) async throws {
        let store = try await LookTests().store(backend, .damaged, workspace)
        expect(
            try Tool.run(["quarantine", "--storage", store]).output == "nothing was set aside\n")
        _ = try Tool.run(["repair", "--storage", store])
        let list = try Tool.run(["quarantine", "list", "--format", "json", "--storage", store])
            .json()
        let items = list.elements
        let lines = try Tool.run([
            "quarantine", "--format", "json-lines", "--storage", store,
        ]).output.split(separator: "\n").map {
            try JSONDecoder().decode(JSON.self, from: Data($0.utf8))
        }
        expect(lines, is: items)
        try require(items.count >= 1)
        let item = try require(items[0]["item"].text)
        expect(items[0]["daysLeft"].integer ?? 0 >= 29)
        expect(items[0]["bytes"].integer ?? 0 > 0)
        expect(items[0]["report"].elements.first?.text?.hasPrefix("reason: "), is: true)
        let pages = items.flatMap { $0["pages"].elements }.compactMap { $0["url"].text }
        expect(pages.contains { $0.hasPrefix("https://page-") }, "\(list)")
        let text = try Tool.run(["quarantine", "show", item, "--storage", store])
        expect(text.status == 0 && text.output.contains("reason: "), "\(text.messages)")
        expect(text.output.contains("https://page-"))
        expect(try Tool.run(["quarantine", "show", "x", "--storage", store]).status == 2)
        let du = try Tool.run(["du", "--format", "json", "--storage", store]).json()
        expect(du["quarantine"].integer ?? 0 > 0)
        expect(du["quarantinedItems"].integer, is: items.count)
        let purge = try Tool.run(["quarantine", "purge", "--storage", store])
        expect(purge.status == 0 && purge.output.hasSuffix(" removed\n"))
        expect(
            try Tool.run(["quarantine", "--storage", store]).output == "nothing was set aside\n")
    }

    @Test("Pages are read out of any bytes")
    func pages() {
        let url = [UInt8]("https://a.example/".utf8)
        let title = [UInt8]("A – title".utf8)
        let record = [0x12, UInt8(url.count)] + url + [0x1A, UInt8(title.count)] + title
        let bytes =
            [0x12, 0xFF] + record + [0x12, 0x03, 0x41] + [0x12, UInt8(url.count)] + url.dropLast()
        let pages = ReadablePages.pages(in: bytes)
        expect(pages.map(\.url) == ["https://a.example/"] && pages.map(\.title) == ["A – title"])
        let all = ReadablePages.pages(inRecords: [bytes, [1], record])
        expect(all == pages && ReadablePages.pages(inRecords: [[]]) == [])
        expect(ReadablePages.pages(in: []) == [] && ReadablePages.pages(in: [0x12]) == [])
    }
}
