import ArgumentParser
import BrowserSessions
import Expectations
import Foundation
import TestSupport

@testable import StorageBenchmark

@Suite("Long operations")
struct EnduranceTests {
    private static let long = Workload.all.filter { $0.endurance != nil }

    private func run(_ contestants: [Contestant]) async throws -> BenchOutcome {
        let place = TemporaryFolder()
        let outcome = await place.run(contestants) {
            $0.workloads = Self.long
            ($0.longSamples, $0.longTabs) = (61, [10])
        }
        expect(place.contents.isEmpty)
        return outcome
    }

    @Test func theUsedStoreIsComparedWithAFreshOne() async throws {
        let outcome = try await run(try Contestants.test().all)
        expect(outcome.exitCode, is: 0, "\(outcome.report.incompleteBecause ?? "")")
        let rows = outcome.report.results
        expect(rows.map(\.workload), is: ["long-run", "rewrite-state", "rewrite-without-rest"])
        expect(rows.allSatisfy { $0.backend == "directory" }, "others would take hours")
        expect(rows.allSatisfy { $0.durability == .processCrash })
        expect(rows.map(\.stateBytes), is: [0, 10 << 10, 50 << 10])
        expect(rows.map(\.samples), is: [61, 60, 61], "one was a durable one")
        for row in rows {
            let endurance = try #require(row.endurance)
            expect(row.verified, "\(row.note ?? "")")
            expect(endurance.saves, is: 61)
            expect(endurance.tailRatio, is: row.microseconds.p99 / row.microseconds.p50)
            expect(endurance.restoreRatio > 0 && endurance.openRatio > 0)
            expect(endurance.freshDiskBytes > 1000)
            expect(endurance.mostDiskBytes >= endurance.diskBytes)
            expect(row.bytesWritten > 100)
        }
        let durable = rows.map { $0.endurance?.durableMicroseconds.p50 ?? 0 > 0 }
        expect(durable, is: [false, true, false])
        let rested = rows.map { $0.endurance?.afterRestMicroseconds.p50 ?? 0 > 0 }
        expect(rested, is: [false, true, false])
        // A fresh store has one blob, the used one wrote 61.
        for rewritten in rows.dropFirst().compactMap(\.endurance) {
            expect(rewritten.mostDiskBytes > rewritten.freshDiskBytes + (100 << 10))
        }
    }

    @Test func whatAUsedStoreLostIsAWrongAnswer() async throws {
        let outcome = try await run([
            FaultyStorage.contestant(.forgetsTab), FaultyStorage.contestant(.changesState),
        ])
        expect(outcome.exitCode, is: 1)
        let wrong = outcome.report.results.filter { !$0.verified }
            .map { "\($0.backend) \($0.workload)" }
        expect(
            Set(wrong),
            is: [
                "forgetsTab long-run", "forgetsTab rewrite-state",
                "forgetsTab rewrite-without-rest", "changesState rewrite-state",
                "changesState rewrite-without-rest",
            ])
    }

    @Test func theyAreDoneOnlyIfNamed() throws {
        let contestants = try Contestants.test()
        let usual = try RunCommand.parse([]).plan(contestants)
        expect(!usual.workloads.contains { $0.endurance != nil })
        let plan = try RunCommand.parse(["--workloads", "long-run,rewrite-state"]).plan(contestants)
        let orders = plan.orders()
        expect(orders.map { $0.jobs.map(\.workload) }, is: [["long-run"], ["rewrite-state"]])
        expect(orders.map(\.tabs), is: [1000, 1000])
        expect(orders.map(\.samples), is: [100_000, 3600])
        expect(orders.map(\.isCounting), is: [false, false])
        let small = try RunCommand.parse(
            ["--workloads", "long-run,restore", "--tabs", "20,30", "--samples", "40"]
        ).plan(contestants)
        let long = small.orders().filter { $0.jobs.map(\.workload) == ["long-run"] }
        expect(long.map(\.tabs), is: [20, 30])
        expect(long.map(\.samples), is: [40, 40])
        expect(RunCommand.listing(contestants).contains("long-run (only if named with --work"))
        let error = #expect(throws: (any Error).self) {
            try RunCommand.parse(["--workloads", "long-run", "--backends", "dry"])
                .plan(contestants)
        }
        expect(error.map { "\($0)" }?.contains("only backends do long-run"), is: true)
    }

    @Test func everyFormatHasTheFigures() throws {
        var report = SampleReport.full()
        let times = BenchResult.Percentiles(p50: 1, p90: 2, p99: 4, max: 9)
        report.results[0].endurance = BenchResult.Endurance(
            saves: 1000, tailRatio: 4, durableMicroseconds: times,
            afterRestMicroseconds: times, diskBytes: 3000, mostDiskBytes: 9000,
            freshDiskBytes: 2000, openRatio: 1.1, restoreRatio: 1.25)
        for format in [BenchFormat.text, .markdown] {
            let text = try report.formatted(format)
                .split(whereSeparator: \.isWhitespace).joined(separator: " ")
            expect(text.contains("1,000 saves, p99 4.00 times p50"))
            expect(text.contains("(those first after a rest: p50 1.00 µs, p99 4.00 µs; those th"))
            expect(text.contains("3.00 kB, 1.50 times a fresh one with the same content"))
            expect(text.contains("on the way at most 9.00 kB, 4.50 times;"))
            expect(text.contains("opens in 1.10 and restores in 1.25 times the time"))
        }
        let json = try report.formatted(.json)
        expect(try BenchReport(json: Array(json.utf8)) == report)
    }
}
