import ArgumentParser
import BrowserSessions
import Expectations
import Foundation
import TestSupport

@testable import StorageBenchmark

@Suite("Long operations")
struct EnduranceTests {
    private static let long = [Workload].all.filter { $0.endurance != nil }

    private func run(_ contestants: [Contestant]) async throws -> BenchOutcome {
        let place = TemporaryFolder()
        let outcome = await place.run(contestants) {
            ($0.workloads, $0.longSamples) = (Self.long, 1001)
        }
        expect(place.contents.isEmpty)
        return outcome
    }

    @Test func theUsedStoreIsComparedWithAFreshOne() async throws {
        let outcome = try await run(try Contestants.test().all)
        expect(outcome.exitCode, is: 0, "\(outcome.report.incompleteBecause ?? "")")
        let rows = outcome.report.results
        expect(rows.map(\.workload), is: ["long-run", "rewrite-without-rest"])
        expect(rows.allSatisfy { $0.backend == "directory" }, "others would take hours")
        expect(rows.allSatisfy { $0.durability == .processCrash })
        expect(rows.map(\.stateBytes), is: [0, 50 << 10])
        expect(rows.map(\.samples), is: [999, 1000], "the others were durable ones")
        for row in rows {
            expect(row.verified && row.bytesWritten > 100, "\(row.note ?? "")")
            let note = try require(row.note)
            expect(note.hasPrefix("1,001 saves, p50 "), "\(note)")
            expect(note.contains("those that reach the medium: p50 "), "\(note)")
            expect(note.contains(" times a fresh one with the same content, on the way"))
            expect(note.contains("; it opens in "))
        }
        expect(rows.first?.note?.contains("those first after a rest: p50 "), is: true)
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
                "forgetsTab long-run", "forgetsTab rewrite-without-rest",
                "changesState rewrite-without-rest",
            ])
    }

    @Test func theyAreDoneOnceAndOnlyIfNamed() throws {
        let contestants = try Contestants.test()
        let usual = try RunCommand.parse([]).plan(contestants)
        expect(!usual.workloads.contains { $0.endurance != nil })
        let plan = try RunCommand.parse(
            ["--workloads", "long-run,restore", "--tabs", "20,30", "--samples", "40"]
        ).plan(contestants)
        let orders = plan.orders().filter { order in
            order.contestant.name == "directory"
                && order.jobs.contains { $0.workload == "long-run" }
        }
        expect(Set(orders.map(\.tabs)) == [20, 30] && orders.count == 2)
        expect(orders.allSatisfy { $0.longSamples == 40 && !$0.isCounting })
        expect(orders.allSatisfy { $0.jobs.last?.workload == "long-run" }, "others come first")
        expect(RunCommand.listing(contestants).contains("long-run (only if named with --work"))
    }
}
