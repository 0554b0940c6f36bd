import BrowserSessions
import Expectations
import Foundation
import TestSupport

@testable import SessionInterop

/// The files in `Fixtures/Sample`, which the package ships for demonstrations.
@Suite("Sample files")
struct SampleTests {
    /// Where the files are in the sources, for writing them again.
    private static let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures/Sample").path

    private func bundled() throws -> String {
        try #require(Bundle.module.resourceURL).appendingPathComponent("Fixtures/Sample").path
    }

    private static func files(in root: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root)
            .filter { SourceFile.isFile(root + "/" + $0) && $0 != "README.md" }.sorted()
    }

    @Test("The sample gives sessions of every format and kind, without a problem")
    func sample() throws {
        let result = try SessionImporter().read(path: try bundled())
        let problems = result.report.sources.flatMap(\.problems).filter { $0.severity != .note }
        expect(problems, is: [])
        expect(!result.report.isDamaged)
        expect(result.report.untaken.map(\.reason), is: [.older, .older])
        expect(
            Set(result.report.sources.map(\.format)),
            is: Set(SessionFormat.allCases).subtracting([.bookmarks, .page, .canonical]))
        let kinds = Set(result.sessions.map(\.id.kind))
        expect(kinds.isSuperset(of: [.regular, .incognito, .inactive, .recentlyClosed]))
        var counts = ImportCounts()
        (counts.windows, counts.tabs, counts.groups) = (12, 35, 7)
        (counts.closedWindows, counts.closedTabs, counts.nativeStates) = (2, 5, 9)
        let totals = result.report.totals
        expect(totals.tabs == counts.tabs && totals.windows == counts.windows)
        expect(totals.groups == counts.groups && totals.nativeStates == counts.nativeStates)
        expect(totals.closedWindows, is: counts.closedWindows)
        expect(totals.closedTabs, is: counts.closedTabs)
    }

    @Test("The sample is small and holds only made-up hosts")
    func harmless() throws {
        let root = try bundled()
        let sizes = try Self.files(in: root).map {
            try SourceFile.read(root + "/" + $0, limit: 1 << 20).count
        }
        expect(sizes.reduce(0, +) <= 200_000)
        for tab in try SessionImporter().read(path: root).sessions.flatMap(\.tabs) {
            let host = URL(string: tab.metadata.url)?.host ?? ""
            expect(host.hasSuffix("example.org") || tab.metadata.url.hasPrefix("internal://"))
        }
    }

    @Test("The committed files are what their writer writes")
    func current() throws {
        let folder = TemporaryFolder()
        try SampleWriter(folder: folder).write()
        let root = try bundled()
        expect(try Self.files(in: root) == Self.files(in: folder.path))
        for name in try Self.files(in: folder.path) {
            let (new, old) = (folder.file(name), root + "/" + name)
            var expected = try SourceFile.read(new, limit: 1 << 20)
            var found = try SourceFile.read(old, limit: 1 << 20)
            if name.hasSuffix("lz4") {
                // Another version of the library may pack the same text in another way.
                expected = try MozLZ4.unfold(expected, limits: ImportLimits()).bytes
                found = try MozLZ4.unfold(found, limits: ImportLimits()).bytes
            }
            expect(found, is: expected, "\(name)")
        }
    }

    @Test(
        "Write the sample again",
        .enabled(
            if: ProcessInfo.processInfo.environment["WRITE_SAMPLE"] == "1",
            "only when asked for: WRITE_SAMPLE=1 swift test --filter SampleTests"))
    func write() throws {
        let folder = TemporaryFolder()
        try SampleWriter(folder: folder).write()
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.source)
        where name != "README.md" {
            try FileManager.default.removeItem(atPath: Self.source + "/" + name)
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.copyItem(
                atPath: folder.file(name), toPath: Self.source + "/" + name)
        }
    }
}
