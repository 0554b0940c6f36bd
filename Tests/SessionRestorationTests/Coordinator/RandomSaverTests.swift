import Foundation
import SessionSamples
import TestSupport
import Testing

@testable import SessionRestoration

/// Coordinators that do what their seed says over a store that fails and hangs: what was told to be saved is
/// saved, and in the end all is.
///
/// `SAVER_SEED=17` repeats one seed.
@Suite(.timeLimit(.minutes(30)))
struct RandomSaverTests {
    private var seeds: ClosedRange<UInt64> {
        let given = ProcessInfo.processInfo.environment["SAVER_SEED"].flatMap { UInt64($0) }
        if let given { return given...given }
        return 1...UInt64(TestRun.amount(300, nightly: 100_000))
    }

    @Test func whatWasToldToBeSavedIsSaved() {
        for seed in seeds {
            var saver = RandomSaver(seed: seed)
            do { try saver.live(steps: 300) } catch {
                Issue.record(
                    """
                    seed \(seed), to be repeated with SAVER_SEED=\(seed): \(error)
                    after \(saver.log.joined(separator: "\n"))
                    """)
                return
            }
        }
    }

    @Test func aRunFollowsFromItsSeed() throws {
        for seed: UInt64 in 1...10 {
            var (first, second) = (RandomSaver(seed: seed), RandomSaver(seed: seed))
            try first.live(steps: 200)
            try second.live(steps: 200)
            #expect(first.log == second.log)
        }
    }
}
