import BackendSelection
import BrowserSessions
import DirectoryBackend
import Expectations
import Foundation
import StorageEngines
import TestSupport

@testable import StorageBenchmark

/// Workloads with restore points, and beside an owner.
@Suite("Restore points, readers and backups")
struct HistoryWorkloadTests {
    @Test func aStoreIsReadAndBackedUpBesideItsOwner() async throws {
        let place = TemporaryFolder()
        let outcome = await place.run(try Contestants.test().all) {
            $0.workloads = .named("open-reader", "back-up")
            $0.durabilities = [.powerLoss]
        }
        expect(outcome.exitCode, is: 0, "\(outcome.report.incompleteBecause ?? "")")
        let rows = outcome.report.results
        expect(rows.map(\.workload), is: ["open-reader", "back-up"])
        expect(rows.map(\.floor), is: [.copy, .copy])
        for row in rows {
            expect(row.verified, "\(row.workload): \(row.note ?? "")")
            expect(row.role == .backend && row.durability == .powerLoss)
            expect(row.stateBytes == 512 && row.floorRatio > 0 && row.samples >= 3)
        }
        expect(place.contents.isEmpty)
    }

    @Test func restorePointsAreComparedWithNone() async throws {
        let place = TemporaryFolder()
        let outcome = await place.run(try Contestants.test().all) {
            $0.workloads = .named("open-with-points", "save-with-points")
        }
        expect(outcome.exitCode, is: 0, "\(outcome.report.incompleteBecause ?? "")")
        let rows = outcome.report.results
        expect(rows.map(\.workload), is: ["open-with-points", "save-with-points"])
        for row in rows {
            expect(row.verified, "\(row.workload): \(row.note ?? "")")
            expect(row.floor == .without && row.floorRatio > 0 && row.durability == .powerLoss)
        }
        expect(rows.map { $0.note?.contains("p99 was ") ?? false }, is: [false, true])
        expect(place.contents.isEmpty)
    }

    /// They need the size of a real profile to say something, or take long there.
    @Test func theyAreMeasuredOnlyIfNamed() throws {
        let names = Set([Workload].usual.map(\.name))
        expect(!names.contains("open-reader") && !names.contains("save-with-points"))
        let text = RunCommand.listing(try .test())
        expect(text.contains("  back-up (C, only if named with --workloads): "))
    }

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
