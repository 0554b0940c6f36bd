import BrowserSessions
import Expectations
import Foundation
import StorageConformance
import TestSupport

/// What the page on choosing a backend says of the bytes of a save.
@Suite("size of a save")
struct SaveSizeTests {
    /// The key of a tab's record in bytes (tag, window, kind, tab) and its frame.
    private func recordBytes(of tab: TabMetadata) -> Int {
        let key = 1 + 17 + 16
        return key + tab.encoded().count + 18
    }

    @Test(
        "A save of one tab writes its record and at most 64 bytes more, SQLite three pages",
        arguments: TestedEngine.withDirectory, [10, 900])
    func oneTab(tested: TestedEngine, tabs: Int) async throws {
        let folder = TemporaryFolder()
        let store = try await tested.backend.open(folder)
        _ = try await store.save(Sample.window(tabs: tabs))
        var most = 0
        for number in 0..<10 {
            var tab = Sample.tab(number)
            tab.title = "Another title"
            var changes = SessionChanges()
            changes.put(tab, in: Sample.window)
            let before = try LocationFiles(folder.path)
            _ = try await store.save(changes, durability: .processCrash)
            let written = changedBytes(before, try LocationFiles(folder.path))
            expect(written > 0)
            most = max(most, written - recordBytes(of: tab))
        }
        expect(most <= (tested.backend.name == "sqlite" ? 3 * (4096 + 24) : 64))
        try await store.close()
    }

    /// From the first byte of each file that is another one to the last: SQLite writes over zeros.
    private func changedBytes(_ before: LocationFiles, _ after: LocationFiles) -> Int {
        after.entries.reduce(0) { sum, file in
            let (old, new) = (Data(before.entries[file.key] ?? []), Data(file.value))
            guard old != new else { return sum }
            let both = min(old.count, new.count)
            // Whole pages are compared first, which is faster.
            let pages = stride(from: 0, to: both, by: 4096).map { $0..<min($0 + 4096, both) }
                .filter { old[$0] != new[$0] }
            let first = pages.first?.first { old[$0] != new[$0] } ?? both
            guard old.count == new.count else { return sum + new.count - first }
            let last = pages.last?.last { old[$0] != new[$0] } ?? first
            return sum + last + 1 - first
        }
    }
}
