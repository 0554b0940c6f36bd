import BrowserSessions
import TestSupport
import Testing

/// What the README says of the bytes of a save.
@Suite("size of a save")
struct SaveSizeTests {
    /// The key of a tab's record in bytes (tag, window, kind, place, zero, tab) and its frame.
    private func recordBytes(of tab: TabMetadata) -> Int {
        let key = 1 + 17 + tab.place.length + 1 + 16
        return key + tab.encoded().count + 18
    }

    @Test(
        "A save of one tab writes its record and at most 64 bytes more, SQLite three pages",
        arguments: Subject.all, [10, 900])
    func oneTab(subject: Subject, tabs: Int) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: tabs))
        var most = 0
        for number in 0..<10 {
            var tab = Sample.tab(number)
            tab.title = "Another title"
            var changes = SessionChanges()
            changes.put(tab, in: Sample.window)
            let before = try files(in: folder.path)
            _ = try await store.save(changes, durability: .processCrash)
            let written = changedBytes(before, try files(in: folder.path))
            #expect(written > 0)
            most = max(most, written - recordBytes(of: tab))
        }
        #expect(most <= (subject.backend.name == "sqlite" ? 3 * (4096 + 24) : 64))
        try await store.close()
    }

    private func files(in path: String) throws -> [String: [UInt8]] {
        guard try FileSystem.status(path)?.kind == .directory else {
            return [path: try FileSystem.read(path)]
        }
        return try FileSystem.contents(of: path).reduce(into: [:]) {
            $0.merge(try files(in: "\(path)/\($1)")) { $1 }
        }
    }

    /// From the first byte of each file that is another one to the last: SQLite writes over zeros.
    private func changedBytes(_ before: [String: [UInt8]], _ after: [String: [UInt8]]) -> Int {
        after.reduce(0) { sum, file in
            let (old, new) = (before[file.key] ?? [], file.value)
            guard old != new else { return sum }
            let first = zip(old, new).enumerated().first { $1.0 != $1.1 }?.offset ?? old.count
            guard old.count == new.count else { return sum + new.count - first }
            let last = new.indices.last { old[$0] != new[$0] } ?? first
            return sum + last + 1 - first
        }
    }
}
