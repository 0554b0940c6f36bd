import BrowserSessions
import Expectations
import Foundation
import TestSupport

@testable import StorageBenchmark

@Suite("Wrong answers and failures")
struct WrongAnswerTests {
    @Test(arguments: [
        (
            FaultyStorage.Fault.forgetsTab,
            ["restore", "open-existing", "save-one-tab", "profile-restore", "profile-save-new"]
        ),
        (.changesState, ["realize-one-tab", "save-one-tab-state"]),
        (.keepsIncognito, ["delete-incognito"]),
    ])
    func aWrongAnswerVoidsItsRow(_ fault: FaultyStorage.Fault, _ wrong: [String]) async throws {
        let place = TemporaryFolder()
        let outcome = await place.run([FaultyStorage.contestant(fault), .dry])
        expect(outcome.exitCode, is: 1)
        let rows = outcome.report.results
        for name in wrong {
            let row = try require(
                rows.first { $0.workload == name && $0.backend == fault.rawValue })
            expect(!row.verified)
            expect(row.note?.isEmpty, is: false)
        }
        let right = rows.filter {
            $0.backend == "dry" || (fault == .changesState && $0.workload == "move-tab")
        }
        expect(right.allSatisfy { $0.verified })
        expect(place.contents.isEmpty)
    }

    @Test func aFullDiskEndsTheRunAndKeepsWhatWasMeasured() async throws {
        let place = TemporaryFolder()
        let outcome = await place.run([FaultyStorage.contestant(.fullDisk)]) {
            $0.workloads = .named("restore", "save-one-tab")
        }
        expect(outcome.exitCode, is: 2)
        let reason = try require(outcome.report.incompleteBecause)
        expect(reason.contains("no space is left"))
        let saves = outcome.report.results.filter { $0.workload == "save-one-tab" }
        expect(saves.contains { !$0.verified })
        expect(place.contents.isEmpty)
    }

    @Test func aKilledChildMarksItsRows() async throws {
        let place = TemporaryFolder()
        let script = "\(place.path)/child"
        try "#!/bin/sh\necho 'going down' >&2\nkill -9 $$\n"
            .write(toFile: script, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
        let launcher = ChildLauncher(executable: script, tracer: nil)
        var plan = BenchPlan(contestants: [.dry], folder: place.path)
        plan.tabs = [10]
        var run = BenchRun(plan: plan, environment: .test)
        let outcome = await run.run(launch: launcher.launch)
        expect(outcome.exitCode, is: 2)
        let reason = try require(outcome.report.incompleteBecause)
        expect(reason.contains("signal 9") && reason.contains("going down"))
        expect(!outcome.report.results.isEmpty)
        expect(outcome.report.results.allSatisfy { !$0.verified && $0.note != nil })
        expect(place.contents, is: ["child"])
    }
}
