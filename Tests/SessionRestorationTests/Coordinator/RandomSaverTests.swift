import BrowserSessions
import Expectations
import Foundation
import SessionSamples
import TestSupport

@testable import SessionRestoration

/// Coordinators that do what their seed says over a store that fails and hangs: what was reported as saved is
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
                recordIssue(
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
            expect(first.log, is: second.log)
        }
    }

    /// Two runs in one process hash alike, so that the test above does not notice an order of a dictionary.
    @Test func tabsOfARemovedSessionGoInOneOrder() {
        let limits = PendingChanges.Limits(maximumStateBytes: 1 << 20, extraStates: [])
        var changes = PendingChanges(of: .regular, limits: limits)
        var sampler = SessionSampler(seed: 3)
        let window = sampler.window(tabs: 40)
        let tabs = window.tabs.map(\.metadata)
        _ = changes.apply(.stored(tabs, nil, in: window.id))
        for tab in tabs { _ = changes.apply(.tab(tab.id, in: window.id, isStateNew: false)) }
        _ = changes.apply(.removed(window.id, isAsked: true))
        let expected = tabs.map(\.id).sorted().map { SessionItem.tab($0) }
        expect(changes.records, is: expected + [.session(window.id)])
        // One record is read without the others, unless it is the removal of a session.
        expect(changes.toCollect(only: expected[7]).map(\.record), is: [expected[7]])
        expect(changes.toCollect(only: .session(window.id)).count, is: 41)
    }
}
