import BrowserSessions
import Expectations
import Foundation
import SessionInterop
import TestSupport

/// Profiles with many tabs.
@Suite("Large profiles")
struct LargeProfileTests {
    private static let tabs = TestRun.amount(600, nightly: 20_000)

    @Test("Every tab of a large profile comes out, in its window")
    func read() throws {
        let folder = TemporaryFolder()
        let profile = LargeProfile(tabs: Self.tabs)
        try profile.writeFirefox(to: folder)
        try profile.writeChromium(to: folder)
        for name in ["firefox", "chromium"] {
            let result = try SessionImporter().read(path: folder.file(name))
            expect(result.report.totals.tabs, is: Self.tabs)
            expect(result.report.totals.entries, is: 3 * Self.tabs)
            expect(result.sessions.count, is: (Self.tabs + 499) / 500)
            expect(result.report.sources.map(\.problems), is: [[]])
        }
    }
}
