import BrowserSessions
import Expectations
import LocalFiles
import TestSupport

@Suite("partitions that are older than they should be")
struct RollbackTests {
    @Test(
        "an older copy of a partition is reported until it is accepted", arguments: Subject.all,
        [Sample.window, Sample.incognito])
    func olderCopy(subject: Subject, id: SessionID) async throws {
        for isClosed in [true, false] {
            let folder = try await rolledBack(subject, id, isClosed: isClosed)
            for _ in 1...2 {
                let store = try await subject.open(folder)
                let session = try #require(try await store.restore(id))
                expect(session.tabs.count, is: 3)
                expect(session.losses.map(\.kind), is: [.unknownRecords])
                expect(session.provenance, is: .salvaged)
                try await store.close()
            }
            let store = try await subject.open(folder)
            _ = try await store.repair()
            try await folder.kill(store)
            let again = try await subject.open(folder)
            expect(try await again.check().losses == [])
            expect(try await again.restore(id)?.provenance == .intact)
            try await again.close()
        }
    }

    /// A store with the partition of its first run, although it had two more runs.
    private func rolledBack(_ subject: Subject, _ id: SessionID, isClosed: Bool) async throws
        -> TemporaryFolder
    {
        let folder = TemporaryFolder()
        let partition = folder.file("profile/\(id.partition.rawValue)")
        var store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 3, id: id))
        try await store.close()
        try FileSystem.copy(partition, to: folder.file("older"))
        store = try await subject.open(folder)
        for tabs in 5...6 { _ = try await store.save(Sample.window(tabs: tabs, id: id)) }
        try await store.close()
        store = try await subject.open(folder)
        if isClosed { try await store.close() } else { try await folder.kill(store) }
        try FileSystem.remove(partition)
        try FileSystem.move(folder.file("older"), to: partition)
        return folder
    }
}
