import BrowserModel
import BrowserSessions
import Foundation
import LocalFiles
import SessionRestoration
import TestSupport
import Testing

@testable import readmehost

@Suite("README")
struct ReadmeTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The blocks of a language on a page.
    private func blocks(_ language: String, of page: String) throws -> [String] {
        try text(page).components(separatedBy: "```\(language)\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
    }

    /// Files that are compiled, and the pages that show them.
    private static let examples = [
        "Tests/ReadmeHost/Browser.swift": "README.md",
        "Tests/ReadmeTests/ReadmeExample.swift": "README.md",
        "Tests/OutsideBackend/Sources/memory-check/Check.swift":
            "Conformance/StorageConformance.docc/CheckingABackend.md",
        "Tests/OutsideBackend/Tests/MemoryBackendTests/MemoryConformanceTests.swift":
            "Sources/BrowserSessions/BrowserSessions.docc/WritingABackend.md",
    ]

    @Test("the Swift examples are the ones that are compiled")
    func examplesAreCompiled() throws {
        for (file, page) in Self.examples {
            let source = try text(file)
            #expect(try blocks("swift", of: page).contains(source), "\(page): \(file)")
        }
    }

    @Test("the host of the example finds its tabs again, and what was set aside")
    @MainActor func hostExampleWorks() async throws {
        let folder = TemporaryFolder()
        let first = try await Browser(store: folder.file("store"))
        try first.browse()
        let lost = try first.profile.windows.open()
        for title in ["Lost", "Too"] { try lost.tabs.insert(Tab(url: "demo:a", title: title)) }
        lost.tabs.closeAll(.program)
        try await first.sessions.close()
        try await first.sessions.currentStorage.close()

        let next = try await Browser(store: folder.file("store"))
        let windows = next.profile.windows
        #expect(windows.map { $0.tabs.map(\.title) }.contains(["Swift", "News", "Sports"]))
        #expect(windows.first?.tabs.groups.map(\.title) == ["Read"])
        #expect(windows.first?.tabs.first?.isPinned == true)
        #expect(try next.profile.offTheRecord.windows.map(\.tabs.count) == [1])
        #expect(!windows.contains { $0.tabs.map(\.title).contains("Lost") })
        try await next.offerSetAside { $0.tabs == 2 }
        #expect(windows.contains { Set($0.tabs.map(\.title)) == ["Lost", "Too"] })
        try await next.sessions.close()
        try await next.sessions.currentStorage.close()
    }

    @Test("the example works with the configuration shown, for every backend")
    func exampleWorks() async throws {
        let page = "Sources/BrowserSessions/BrowserSessions.docc/ChoosingABackend.md"
        let configuration = try #require(try blocks("json", of: page).first)
        #expect(configuration == (try text("Sources/sessionctl/Demo/storage.json")))
        for backend in ["sqlite", "directory", "leveldb"] {
            let folder = NSTemporaryDirectory() + "readme-test-" + UUID().uuidString
            try FileSystem.makeDirectory(folder)
            defer { try? FileSystem.remove(folder) }
            let changed = configuration.replacingOccurrences(
                of: "\"sqlite\"", with: "\"\(backend)\"")
            try FileSystem.replace("\(folder)/storage.json", with: [UInt8](changed.utf8))
            let history = try await saveAndRestore(configurationFile: "\(folder)/storage.json")
            #expect(history?.entries.map(\.url) == ["https://example.org/"])
            #expect(try FileSystem.exists("\(folder)/profile.\(backend)/store.json"))
        }
    }
}
