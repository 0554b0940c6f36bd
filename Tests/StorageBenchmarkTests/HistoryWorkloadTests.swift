import BackendSelection
import BrowserSessions
import DirectoryBackend
import Expectations
import Foundation
import LocalFiles
import StorageEngines
import TestSupport

@testable import StorageBenchmark

/// Workloads with restore points, and beside another process.
@Suite("Restore points, readers and backups")
struct HistoryWorkloadTests {
    private static func workloads(_ names: String...) -> [Workload] {
        Workload.all.filter { names.contains($0.name) }
    }

    @Test func aStoreIsReadAndBackedUpBesideItsOwner() async throws {
        let place = TemporaryFolder()
        let outcome = await place.run(try Contestants.test().all) {
            $0.workloads = Self.workloads("open-reader", "back-up", "save-beside-readers")
            $0.durabilities = [.powerLoss]
        }
        expect(outcome.exitCode, is: 0, "\(outcome.report.incompleteBecause ?? "")")
        let rows = outcome.report.results
        expect(rows.map(\.workload), is: ["open-reader", "back-up", "save-beside-readers"])
        expect(rows.map(\.floor), is: ["C", "C", "W"])
        for row in rows {
            expect(row.verified, "\(row.workload): \(row.note ?? "")")
            expect(row.role == .backend && row.durability == .powerLoss)
            expect(row.stateBytes == 512 && row.floorRatio > 0 && row.samples >= 3)
        }
        let note = try #require(rows.last?.note)
        expect(note.contains(" readers in a round. p99 was "), "\(note)")
        expect(place.contents.isEmpty)
    }

    @Test func restorePointsAreComparedWithNone() async throws {
        let place = TemporaryFolder()
        let outcome = await place.run(try Contestants.test().all) {
            $0.workloads = Self.workloads("open-with-points", "save-with-points")
        }
        expect(outcome.exitCode, is: 0, "\(outcome.report.incompleteBecause ?? "")")
        let rows = outcome.report.results
        expect(rows.map(\.workload), is: ["open-with-points", "save-with-points"])
        for row in rows {
            expect(row.verified, "\(row.workload): \(row.note ?? "")")
            expect(row.floor == "W" && row.floorRatio > 0 && row.durability == .powerLoss)
        }
        expect(rows.map { $0.note?.contains("p99 was ") ?? false }, is: [false, true])
        expect(place.contents.isEmpty)
    }

    /// They need the size of a real profile to say something, or take long there.
    @Test func theyAreMeasuredOnlyIfNamed() throws {
        let names = Set(Workload.usual.map(\.name))
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
                    FaultyStorage(base: reader, fault: .forgetsTab), sequence: reader.sequence,
                    asOf: reader.asOf)
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
            $0.workloads = Self.workloads("open-reader", "back-up")
        }
        expect(outcome.exitCode, is: 1)
        let rows = outcome.report.results
        expect(rows.map(\.verified), is: [false, false])
        expect(rows.first?.note, is: "9 tabs came back of 10")
        expect(rows.last?.note, is: "no complete backup is there")
        expect(place.contents.isEmpty)
    }

    /// Runs saves beside a script in place of the process that opens readers.
    private func saveBeside(_ script: String) async throws -> BenchOutcome {
        let place = TemporaryFolder()
        let path = "\(place.path)/companion"
        try "#!/bin/sh\n\(script)\n".write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return await place.run(
            [try Contestants.test().contestant(ContestantName("directory"))], companion: path
        ) {
            $0.workloads = Self.workloads("save-beside-readers")
        }
    }

    @Test func aReaderOlderThanTheOneBeforeIsWrong() async throws {
        let outcome = try await saveBeside("printf '5\\n6\\n4\\n7\\n'; cat")
        expect(outcome.exitCode, is: 1)
        let note = try #require(outcome.report.results.first?.note)
        expect(note, is: "a reader showed an older state than the one before")
        let sound = try await saveBeside("printf '5\\n6\\n6\\n7\\n'; cat")
        expect(sound.exitCode, is: 0)
    }

    @Test func readersThatEndAreAFailureWithItsReason() async throws {
        for script in ["echo 'no reader' >&2; exit 2", "echo 5; echo 'no reader' >&2; exit 2"] {
            let outcome = try await saveBeside(script)
            expect(outcome.exitCode, is: 2)
            let note = try #require(outcome.report.results.first?.note)
            expect(note.contains("the process beside this one ended"), "\(note)")
            expect(note.contains("no reader"), "\(note)")
        }
    }
}
