import BrowserSessions
import Foundation
import LocalFiles
import SessionSamples
import StorageEngines
import TestSupport
import Testing

/// Every file of a store is damaged in many places; what comes back must be as it was or be
/// reported, and the store must go on working.
///
/// A push tries some damages of each file of a store that was not closed; the nightly run tries all,
/// and closed stores too.
///
/// `BROWSER_SESSIONS_DAMAGES` sets how many places of each kind there are to try in each file,
/// `BROWSER_SESSIONS_SEED` chooses others.
@Suite("damage", .timeLimit(.minutes(20)))
struct DamageTests {
    private static let places = environment(
        "BROWSER_SESSIONS_DAMAGES", default: TestRun.amount(1, nightly: 3))
    private static let most = TestRun.amount(2, nightly: .max)
    private static let seed = environment("BROWSER_SESSIONS_SEED", default: 1)

    @Test(
        "a damaged file is noticed and costs little", arguments: Subject.all,
        TestRun.isNightly ? [true, false] : [false])
    func damage(subject: Subject, isClosed: Bool) async throws {
        var generator = SeededGenerator(seed: UInt64(Self.seed))
        let filled = try await FilledStore(subject, isClosed: isClosed)
        var tally = Tally()
        for file in try FileSystem.files(below: filled.path) {
            let size = try FileSystem.status("\(filled.path)/\(file)")?.size ?? 0
            let damages =
                Damage.samples(
                    fileSize: size, perKind: Self.places, most: Self.most, &generator)
                + Damage.costlyBefore.filter { $0.file == file }.map(\.damage)
            for damage in damages {
                let place = TemporaryFolder(inMemory: true)
                let damaged = DamageCase(
                    filled: filled, isClosed: isClosed, file: file, damage: damage)
                let verdict = try await damaged.run(in: place)
                tally.add(verdict, damage)
                for problem in Set(verdict.problems).sorted() {
                    Issue.record("\(file) \(damage): \(problem)")
                }
            }
        }
        log("damage \(subject.backend.name), closed: \(isClosed), seed \(Self.seed): \(tally)")
    }

    /// Counts outcomes.
    private struct Tally: CustomStringConvertible {
        private var outcomes: [String: [Outcome: Int]] = [:]
        private var kept: [String: [Int]] = [:]
        private var problems = 0

        mutating func add(_ verdict: DamageCase.Verdict, _ damage: Damage) {
            outcomes[damage.kind, default: [:]][verdict.outcome, default: 0] += 1
            if verdict.outcome == .salvaged {
                kept[damage.kind, default: []].append(verdict.tabsPerMille)
            }
            if !verdict.problems.isEmpty { problems += 1 }
        }

        var description: String {
            let lines = outcomes.sorted { $0.key < $1.key }.map { kind, counts in
                let parts = Outcome.allCases.map { "\($0.rawValue) \(counts[$0] ?? 0)" }
                let kept = kept[kind] ?? []
                let mean = kept.isEmpty ? "-" : "\(kept.reduce(0, +) / kept.count / 10)%"
                return "  \(kind): \(parts.joined(separator: ", ")); salvaged tabs \(mean)"
            }
            return "\(problems) with problems\n" + lines.joined(separator: "\n")
        }
    }
}
