import BrowserSessions
import Expectations
import Foundation
import StorageConformance
import StorageEngines
import TestSupport

/// The pages that say what lies on disk.
@Suite("the page OnDisk")
struct OnDiskPageTests {
    /// Without numbers, which differ.
    private func plain(_ text: String) -> String {
        text.replacing(#/[0-9]+/#, with: "0")
    }

    private func page() throws -> String {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let pages = [
            "Sources/BrowserSessions/BrowserSessions.docc/OnDisk.md",
            "Backends/Directory/DirectoryBackend.docc/DirectoryBackend.md",
            "Backends/LevelDB/LevelDBBackend.docc/LevelDBBackend.md",
            "Backends/SQLite/SQLiteBackend.docc/SQLiteBackend.md",
        ]
        return try pages.map {
            try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8)
        }.joined()
    }

    @Test("names every file that a life of a store leaves", arguments: TestedEngine.withDirectory)
    func names(tested: TestedEngine) async throws {
        let page = plain(try page())
        let folder = TemporaryFolder()
        var store = try await tested.backend.open(folder)
        _ = try await store.save(Sample.window(tabs: 20))
        _ = try await store.save(Sample.window(tabs: 20, id: Sample.incognito))
        var found = try LocationFiles(folder.file("profile")).files
        try await store.close()
        found += try LocationFiles(folder.file("profile")).files
        try FileSystem.invertFiles(below: folder.file("profile/regular"), first: 64)
        store = try await tested.backend.open(folder)
        found += try LocationFiles(folder.file("profile")).files
        try await store.close()
        expect(found.contains { $0.hasPrefix("quarantine/") })
        for name in Set(found.flatMap { $0.split(separator: "/") }) {
            // An item of the quarantine is called by the time and a number.
            if name.hasSuffix("-damaged-store") { continue }
            expect(page.contains(plain(String(name))), "\(name) is not on the page")
        }
    }
}
