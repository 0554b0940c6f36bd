import BrowserSessions
import Expectations
import Foundation
import TestSupport

@testable import StorageBenchmark

@Suite("A run")
struct RunTests {
    @Test func everyCellIsThereAndRight() async throws {
        let place = TemporaryFolder()
        let contestants = try Contestants.test().all
        let outcome = await place.run(contestants)
        expect(outcome.exitCode, is: 0)
        expect(outcome.report.incompleteBecause == nil)
        let rows = outcome.report.results
        // Nine saves at two levels, and six others, for each of five contestants; but 'dry' has
        // nothing that could be cold, or left by a kill, and only the backend has many windows,
        // profiles and restore points.
        expect(rows.count, is: 128)
        let cells = Set(rows.map { "\($0.backend) \($0.workload) \($0.durability)" })
        expect(cells.count, is: rows.count)
        for row in rows {
            expect(row.verified, "\(row.backend) \(row.workload): \(row.note ?? "")")
            expect((3...5).contains(row.samples))
            expect(row.microseconds.p50 > 0)
            expect(row.interval95.count, is: 2)
            expect(row.interval95.first ?? 0 <= row.microseconds.p50 * 1.01)
            let hasFloor =
                row.durability == .powerLoss
                && !["open-cold", "open-after-kill", "summaries", "find"].contains(row.workload)
            expect((row.floorRatio > 0), is: hasFloor, "\(row.workload)")
        }
        expect(place.contents.isEmpty)
    }

    @Test func rolesAndFloorsAreThose() async throws {
        let place = TemporaryFolder()
        let outcome = await place.run(try Contestants.test().all) {
            $0.workloads = .named("save-one-tab-state")
            $0.durabilities = [.powerLoss]
        }
        let rows = outcome.report.results
        expect(rows.map(\.role), is: [.backend, .reference, .reference, .reference, .dry])
        expect(rows.map(\.stateBytes), is: [512, 512, 512, 512, 512])
        expect(rows.allSatisfy { $0.floor == .append })
        expect(rows.allSatisfy { $0.overwriteRatio ?? 0 > 0 })
    }

    /// They need the size of a real profile to say something, or take long there.
    @Test func workloadsWithPointsAndReadersAreMeasuredOnlyIfNamed() throws {
        let names = Set([Workload].usual.map(\.name))
        expect(!names.contains("open-reader") && !names.contains("save-with-points"))
        let text = RunCommand.listing(try .test())
        expect(text.contains("  back-up (C, only if named with --workloads): "))
    }

    /// What is compared with what; profiles have windows of several tabs, each with one active tab.
    static let floors: [[String: FloorKind]] = [
        ["open-reader": .copy, "back-up": .copy],
        ["open-with-points": .without, "save-with-points": .without],
        [
            "profile-restore": .store, "profile-restore-forest": .store, "profile-save": .store,
            "profile-save-new": .store,
        ],
        ["restore-list": .decode, "restore-forest": .list],
    ]

    @Test(arguments: floors)
    func workloadsHaveFloorsOfTheirOwn(floors: [String: FloorKind]) async throws {
        let place = TemporaryFolder()
        let outcome = await place.run(try Contestants.test().all) {
            $0.workloads = [Workload].all.filter { floors[$0.name] != nil }
            ($0.tabs, $0.durabilities) = ([40], [.powerLoss])
        }
        expect(outcome.exitCode, is: 0, "\(outcome.report.incompleteBecause ?? "")")
        let rows = outcome.report.results
        expect(rows.map(\.workload).sorted(), is: floors.keys.sorted())
        for row in rows {
            let words = "\(row.workload): \(row.note ?? "")"
            expect(row.verified && row.floorRatio > 0 && row.samples >= 3, "\(words)")
            expect(row.role == .backend && row.durability == .powerLoss, "\(words)")
            expect(row.floor == floors[row.workload], "\(words)")
            if row.floor == .copy { expect(row.stateBytes, is: 512) }
            let comparesEnds = row.note?.contains("p99 was ") ?? false
            expect(comparesEnds, is: row.workload == "save-with-points", "\(words)")
        }
        expect(place.contents.isEmpty)
    }

    @Test func memoryOfTabsIsInTheNotes() async throws {
        let place = TemporaryFolder()
        let outcome = await place.run(try Contestants.test().all) {
            $0.workloads = .named("profile-restore-forest")
            ($0.tabs, $0.samples) = ([1000], 3)
        }
        let note = try require(outcome.report.results.first?.note)
        expect(note.hasSuffix("B of memory for each tab."))
    }

    @Test func theDocumentHasTheKeysOfItsSchema() async throws {
        let place = TemporaryFolder()
        let outcome = await place.run(try Contestants.test().all) {
            $0.workloads = .named("save-one-tab")
        }
        let text = try outcome.report.formatted(.json)
        let whole = try require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        expect(Set(whole.keys), is: ["schema", "environment", "results"])
        let environment = try require(whole["environment"] as? [String: Any])
        let places: Set = [
            "cpu", "kernel", "filesystem", "swift", "libraries", "revision", "seed", "command",
            "build",
        ]
        expect(Set(environment.keys).subtracting(["date", "notes"]), is: places)
        let keys: Set = [
            "backend", "workload", "tabs", "stateBytes", "durability", "samples", "microseconds",
            "interval95", "floorMicroseconds", "floorRatio", "bytesWritten", "syncs",
            "verified", "role",
        ]
        let additions: Set = [
            "floor", "ratioInterval95", "overwriteMicroseconds", "overwriteRatio",
        ]
        for row in try require(whole["results"] as? [[String: Any]]) {
            expect(Set(row.keys).subtracting(additions), is: keys)
            let times = try require(row["microseconds"] as? [String: Any])
            expect(Set(times.keys), is: ["p50", "p90", "p99", "max"])
        }
    }

    @Test func theOrderIsThatOfTheSeed() throws {
        var plan = BenchPlan(contestants: try Contestants.test().all, folder: "/")
        let first = plan.orders()
        expect(first, is: plan.orders())
        plan.seed = 2
        expect(first.map(\.contestant) != plan.orders().map(\.contestant))
        // Five contestants at two sizes in each of three rounds, at 10,000 tabs the backend in two
        // rounds and the others in one, and everything once for the counts.
        expect(first.count, is: 5 * 2 * 3 + 2 + 4 + 5 * plan.tabs.count)
        expect(first.suffix(5 * plan.tabs.count).allSatisfy { $0.isCounting })
    }
}
