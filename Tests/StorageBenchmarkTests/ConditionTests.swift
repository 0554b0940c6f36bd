import BrowserSessions
import Expectations
import Foundation
import Synchronization
import TestSupport

@testable import StorageBenchmark

@Suite("Cold caches")
struct ConditionTests {
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
            $0.workloads = .named("open-cold")
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
    }

    @Test(arguments: [[false], [true, false, true]])
    func rowsSayWhereItCouldNotBeDropped(answers: [Bool]) async throws {
        let outcome = try await run(Answers(answers))
        expect(outcome.report.results.contains { $0.cache == .warm && $0.verified })
    }
}
