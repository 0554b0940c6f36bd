import BrowserSessions
import Expectations
import Foundation
import Synchronization
import TestSupport

@testable import StorageBenchmark

@Suite("Cold caches and schedules")
struct ConditionTests {
    private static let cold = Workload.all.filter { $0.name == "open-cold" }

    /// Answers to be given one after the other, and then the last one again.
    private final class Answers: Sendable {
        private let rest: Mutex<[Bool]>
        let given = Mutex(0)

        init(_ answers: [Bool]) { rest = Mutex(answers) }

        var cache: PageCache {
            PageCache {
                self.given.withLock { $0 += 1 }
                return self.rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            }
        }
    }

    private func run(_ answers: Answers) async throws -> BenchOutcome {
        let place = TemporaryFolder()
        return await place.run(try Contestants.test().all, pageCache: answers.cache) {
            $0.workloads = Self.cold
        }
    }

    @Test func theCacheIsDroppedBeforeEachOpening() async throws {
        let answers = Answers([true])
        let outcome = try await run(answers)
        let rows = outcome.report.results
        expect(
            rows.map(\.backend), is: ["directory", "whole-window-json", "list-and-files", "tab-db"])
        expect(rows.map(\.cache), is: [.cold, .cold, .cold, .cold])
        expect(rows.map(\.samples), is: [3, 3, 3, 3])
        expect(rows.allSatisfy { $0.verified })
        expect(answers.given.withLock { $0 }, is: 12, "not for counts, not for 'dry'")
        let notes = outcome.report.environment.notes ?? []
        expect(notes.contains { $0.hasPrefix("dry does not do open-cold") })
        expect(try outcome.report.formatted(.text).contains("\nopen-cold\n"))
    }

    @Test(arguments: [[false], [true, false, true]])
    func rowsSayWhereItCouldNotBeDropped(answers: [Bool]) async throws {
        let outcome = try await run(Answers(answers))
        expect(outcome.report.results.contains { $0.cache == .warm && $0.verified })
        for format in [BenchFormat.text, .markdown] {
            let text = try outcome.report.formatted(format)
            expect(text.contains("open-cold, warm: the page cache could not be dropped"))
        }
    }

    // MARK: - Schedules

    /// Operations that take a given time, on a clock that only they move.
    private final class SlowRun: WorkloadRun {
        var time = Duration.seconds(7)
        var takes: [Duration]

        init(_ takes: [Int]) { self.takes = takes.map { .milliseconds($0) } }

        func prepare() async throws(StorageError) -> Int { 0 }

        func operate() async throws(StorageError) { time += takes.removeFirst() }

        /// The times in milliseconds that an open loop measures at a hundred starts a second.
        func measured() async throws -> (times: [Int], remark: String?) {
            var loop = OpenLoop(rate: 100)
            loop.now = { self.time }
            loop.wait = { self.time = max(self.time, $0) }
            var reply = JobAnswer(
                Job(workload: "", tabs: 1, stateBytes: 0, durability: .powerLoss))
            try await loop.measure(self, samples: takes.count, &reply)
            return (reply.operation.map { $0 / 1_000_000 }, reply.remark)
        }
    }

    @Test func aStallCountsForAllThatHadToWait() async throws {
        let measured = try await SlowRun([1, 35, 1, 1, 1, 1, 1]).measured()
        expect(measured.times, is: [1, 35, 26, 17, 8, 1, 1])
        expect(measured.remark == nil)
    }

    @Test func whoCannotKeepUpIsStoppedAndSaysSo() async throws {
        let measured = try await SlowRun(Array(repeating: 100, count: 50)).measured()
        expect(measured.times.prefix(3), is: [100, 190, 280])
        // Half a second was planned, and there are two of it and one more second.
        expect(measured.times.count, is: 21)
        expect(measured.remark?.hasPrefix("fell behind: only 21 of 50"), is: true)
    }

    @Test func rowsNameTheirLoop() async throws {
        let place = TemporaryFolder()
        let saves = Workload.all.filter { $0.name == "save-one-tab" }
        let open = await place.run([.dry]) { ($0.workloads, $0.rate) = (saves, 2000) }
        let closed = await place.run([.dry]) { $0.workloads = saves }
        expect(open.report.results.map(\.loop), is: [.open, .open])
        expect(open.report.results.map(\.rate), is: [2000, 2000])
        expect(open.report.results.map(\.samples), is: [5, 5])
        expect(open.report.results.map(\.floorRatio), is: [0, 0], "it would break the schedule")
        expect(closed.report.results.map(\.loop), is: [.closed, .closed])
        expect(closed.report.results.map(\.rate), is: [nil, nil])
        let text = try open.report.formatted(.text)
        expect(text.contains("save-one-tab, open loop, 2000 per second"))
        expect(text.contains(" p99 ") && text.contains("Open loop: operations start"))
        expect(try closed.report.formatted(.text).contains("Closed loop: an operation starts"))
    }
}
