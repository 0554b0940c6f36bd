import BackendSelection
import BrowserSessions
import DirectoryBackend
import Expectations
import Foundation
import StorageEngines
import TestSupport

@testable import StorageBenchmark

@Suite("Wrong readers and backups")
struct WrongReaderTests {
    /// The directory backend with readers that forget a tab, and backups that do not stay.
    private func faulty() throws -> Contestant {
        let sound = StorageBackend.directory
        let backend = StorageBackend(
            name: sound.name, summary: "",
            openReader: { configuration throws(StorageError) in
                let reader = try sound.openReaderBlocking(configuration)
                return StoreReader(
                    FaultyStorage(base: reader, fault: .forgetsTab),
                    sequence: reader.sequence, asOf: reader.asOf)
            },
            backUp: { configuration, path throws(StorageError) in
                let backup = try sound.backUpBlocking(configuration, to: path)
                try FileSystem.remove(path)
                return backup
            },
            open: { configuration throws(StorageError) in try sound.openBlocking(configuration) })
        return try Contestants(registry: BackendRegistry([backend]))
            .contestant(ContestantName(sound.name))
    }

    @Test func aReaderWithoutATabAndABackupThatIsGoneAreWrong() async throws {
        let place = TemporaryFolder()
        let outcome = await place.run([try faulty()]) {
            $0.workloads = .named("open-reader", "back-up")
        }
        expect(outcome.exitCode, is: 1)
        let rows = outcome.report.results
        expect(rows.map(\.verified), is: [false, false])
        expect(rows.first?.note, is: "9 tabs came back of 10")
        expect(rows.last?.note, is: "no complete backup is there")
        expect(place.contents.isEmpty)
    }
}
