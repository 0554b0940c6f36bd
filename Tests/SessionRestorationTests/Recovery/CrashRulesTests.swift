import BrowserSessions
import Expectations

@testable import SessionRestoration

/// The rules themselves, without a store.
struct CrashRulesTests {
    private static let start = Timestamp(microseconds: 1_767_225_600_000_000)
    private static let here = LaunchEnvironment(bootID: "boot", processID: 1)
    private let policy = CrashPolicy()

    /// A launch at ``start``, which was also the last sign of life of its process.
    private func marker(
        _ phase: LaunchMarker.Phase = .starting, crashes: Int = 0, boot: String = "boot"
    ) -> LaunchMarker {
        LaunchMarker(
            environment: LaunchEnvironment(bootID: boot, processID: 2), phase: phase,
            launchedAt: Self.start, aliveAt: Self.start,
            crashes: Array(repeating: Self.start, count: crashes))
    }

    private func assess(_ marker: LaunchMarker, after time: Duration = .seconds(10))
        -> LaunchAssessment
    {
        CrashRules.assess(
            .marker(marker), in: Self.here, at: Self.start.advanced(by: time), policy)
    }

    @Test func withoutANoteThatCanBeReadAllIsRestored() {
        expect(
            CrashRules.assess(.none, in: Self.here, at: Self.start, policy),
            is: LaunchAssessment(kind: .firstLaunch, decision: .restore))
        expect(
            CrashRules.assess(.unreadable, in: Self.here, at: Self.start, policy),
            is: LaunchAssessment(kind: .unknown, decision: .restore))
    }

    @Test func crashesInALoopAndThoseOfLongAgoSetAside() {
        let first = LaunchAssessment(kind: .afterCrash(count: 1), decision: .restore)
        for phase in [LaunchMarker.Phase.starting, .running] {
            expect(assess(marker(phase)), is: first)
        }
        let (loop, age) = (policy.loopPeriod, policy.maximumAge)
        expect(
            assess(marker(crashes: 1), after: loop),
            is: LaunchAssessment(kind: .afterCrash(count: 2), decision: .setAside(.crashLoop)))
        expect(
            assess(marker(crashes: 2)),
            is: LaunchAssessment(
                kind: .afterCrash(count: 3), decision: .setAside(.crashLoop),
                safeModeAdvised: true))
        expect(assess(marker(crashes: 1), after: loop + .microseconds(1)), is: first)
        expect(assess(marker(), after: age), is: first)
        expect(
            assess(marker(), after: age + .microseconds(1)),
            is: LaunchAssessment(kind: .afterCrash(count: 1), decision: .setAside(.old)))
        // The age counts from the last sign of life.
        var long = marker(.running)
        long.aliveAt = Self.start.advanced(by: age * 10)
        expect(assess(long, after: age * 10 + .seconds(5)), is: first)
    }

    @Test(arguments: [0, 1, 5]) func whatIsNoCrashRestoresWhateverWasBefore(crashes: Int) {
        expect(assess(marker(.clean, crashes: crashes)), is: LaunchAssessment(kind: .clean))
        expect(
            assess(marker(.background, crashes: crashes), after: .seconds(90_000)),
            is: LaunchAssessment(kind: .endedInBackground))
        expect(
            assess(marker(crashes: crashes, boot: "another boot"), after: .seconds(90_000)),
            is: LaunchAssessment(kind: .afterRestartOfTheSystem))
        // A clock that was set back sets nothing aside.
        expect(
            assess(marker(crashes: crashes), after: .seconds(-3_600)),
            is: LaunchAssessment(kind: .afterCrash(count: 1)))
    }

    @Test func limitsAreThoseOfThePolicy() {
        var policy = CrashPolicy()
        policy.crashesUntilSetAside = 3
        policy.crashesUntilSafeMode = 2
        let assessment = CrashRules.assess(
            .marker(marker(crashes: 1)), in: Self.here, at: Self.start, policy)
        expect(assessment.decision == .restore && assessment.safeModeAdvised)
    }

    @Test func tabsThatWereLoadingDuringACrashAreSuspects() {
        let (tab, other) = (TabID.random(), TabID.random())
        var last = marker(crashes: 1)
        last.loading = [tab]
        last.suspects = [tab, other]
        let assessment = assess(last)
        expect(assessment.suspects, is: [tab, other])
        expect(assessment.repeatedSuspects, is: [tab])
        let single = assess(last, after: policy.loopPeriod * 2)
        expect(single.suspects == [tab] && single.repeatedSuspects.isEmpty)
    }

    @Test(arguments: [LaunchMarker.Phase.clean, .background])
    func tabsThatWereLoadingWithoutACrashAreNoSuspects(phase: LaunchMarker.Phase) {
        var last = marker(phase)
        last.loading = [.random()]
        expect(assess(last).suspects.isEmpty)
    }

    @Test func theNextNoteCountsTheCrashAndRemembersItsSuspects() {
        var last = marker(crashes: 1)
        last.loading = [.random()]
        let now = Self.start.advanced(by: .seconds(10))
        let next = CrashRules.marker(
            after: .marker(last), assess(last), in: Self.here, at: now, policy)
        expect(next.crashes == [Self.start, now] && next.suspects == last.loading)
        expect(next.phase == .starting && next.launchedAt == now && next.loading.isEmpty)
    }

    @Test func theNextNoteForgetsCrashesAfterAnythingElse() {
        for last in [marker(.clean, crashes: 3), marker(crashes: 3, boot: "another boot")] {
            let next = CrashRules.marker(
                after: .marker(last), assess(last), in: Self.here, at: Self.start, policy)
            expect(next.crashes.isEmpty && next.suspects.isEmpty)
        }
    }

    @Test func whatADeveloperKillsHasNotCrashed() {
        var policy = policy
        policy.isDevelopment = true
        let next = CrashRules.marker(
            after: .none, LaunchAssessment(), in: Self.here, at: Self.start, policy)
        expect(next.isDevelopment)
        expect(LaunchMarker(next.attributes), is: next)
        var last = marker(crashes: 5)
        last.isDevelopment = true
        last.loading = [.random()]
        let assessment = assess(last, after: self.policy.maximumAge * 2)
        expect(assessment.kind == .endedInDevelopment && assessment.decision == .restore)
        expect(assessment.suspects.isEmpty && !assessment.safeModeAdvised)
    }
}
