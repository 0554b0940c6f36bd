import BrowserSessions
import Expectations
import Foundation
import TestSupport

@testable import SessionInterop

/// The files in `Fixtures/Sample`, which the package ships for demonstrations.
@Suite("Sample files")
struct SampleTests {
    private static func files(in root: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root)
            .filter { SourceFile.isFile(root + "/" + $0) && $0 != "README.md" }.sorted()
    }

    @Test("The sample gives sessions of every format and kind, without a problem")
    func sample() throws {
        let result = try SessionImporter().read(path: try Fixtures.path("Sample"))
        let problems = result.report.sources.flatMap(\.problems).filter { $0.severity != .note }
        expect(problems, is: [])
        expect(!result.report.isDamaged)
        expect(result.report.untaken.map(\.reason), is: [.older, .older])
        expect(
            Set(result.report.sources.map(\.format)),
            is: Set(SessionFormat.allCases).subtracting([.bookmarks, .page, .canonical]))
        let kinds = Set(result.sessions.map(\.id.kind))
        expect(kinds.isSuperset(of: [.regular, .incognito, .inactive, .recentlyClosed]))
        let totals = result.report.totals
        expect([totals.windows, totals.tabs, totals.groups], is: [12, 35, 7])
        expect([totals.closedWindows, totals.closedTabs, totals.nativeStates], is: [2, 5, 9])
    }

    @Test("The sample is small and holds only made-up hosts")
    func harmless() throws {
        let root = try Fixtures.path("Sample")
        let sizes = try Self.files(in: root).map {
            try SourceFile.read(root + "/" + $0, limit: 1 << 20).count
        }
        expect(sizes.reduce(0, +) <= 200_000)
        for tab in try SessionImporter().read(path: root).sessions.flatMap(\.tabs) {
            let host = URL(string: tab.metadata.url)?.host ?? ""
            expect(host.hasSuffix("example.org") || tab.metadata.url.hasPrefix("internal://"))
        }
    }
}
