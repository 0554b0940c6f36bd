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

    @Test func withoutANoteItIsTheFirstLaunch() {
        let assessment = CrashRules.assess(.none, in: Self.here, at: Self.start, policy)
        expect(assessment, is: LaunchAssessment())
        expect(assessment.kind == .firstLaunch && assessment.decision == .restore)
    }

    @Test func aNoteThatCannotBeReadRestores() {
        let assessment = CrashRules.assess(.unreadable, in: Self.here, at: Self.start, policy)
        expect(assessment.kind == .unknown && assessment.decision == .restore)
    }

    @Test(arguments: [0, 1, 5]) func anOrderlyEndIsNoCrashWhateverWasBefore(crashes: Int) {
        let assessment = assess(marker(.clean, crashes: crashes))
        expect(assessment.kind == .clean && assessment.decision == .restore)
    }

    @Test(arguments: [0, 1, 5]) func anEndInTheBackgroundIsNoCrash(crashes: Int) {
        let assessment = assess(marker(.background, crashes: crashes), after: .seconds(90_000))
        expect(assessment.kind == .endedInBackground && assessment.decision == .restore)
    }

    @Test(arguments: [LaunchMarker.Phase.starting, .running])
    func theFirstCrashRestoresAtOnce(phase: LaunchMarker.Phase) {
        let assessment = assess(marker(phase))
        expect(assessment.kind == .afterCrash(count: 1) && assessment.decision == .restore)
        expect(!assessment.safeModeAdvised)
    }

    @Test func theSecondCrashInALoopSetsAside() {
        let assessment = assess(marker(crashes: 1), after: policy.loopPeriod)
        expect(assessment.kind, is: .afterCrash(count: 2))
        expect(assessment.decision, is: .setAside(.crashLoop))
        expect(!assessment.safeModeAdvised)
    }

    @Test func theThirdCrashInALoopAdvisesASafeMode() {
        let assessment = assess(marker(crashes: 2))
        expect(assessment.kind, is: .afterCrash(count: 3))
        expect(assessment.decision, is: .setAside(.crashLoop))
        expect(assessment.safeModeAdvised)
    }

    @Test func crashesFarApartAreNoLoop() {
        let assessment = assess(marker(crashes: 1), after: policy.loopPeriod + .microseconds(1))
        expect(assessment.kind == .afterCrash(count: 1) && assessment.decision == .restore)
    }

    @Test func aCrashLongAgoSetsAside() {
        let kept = assess(marker(), after: policy.maximumAge)
        expect(kept.decision, is: .restore)
        let old = assess(marker(), after: policy.maximumAge + .microseconds(1))
        expect(old.decision == .setAside(.old) && old.kind == .afterCrash(count: 1))
    }

    @Test func ageIsCountedFromTheLastSignOfLife() {
        var long = marker(.running)
        long.aliveAt = Self.start.advanced(by: policy.maximumAge * 10)
        expect(assess(long, after: policy.maximumAge * 10 + .seconds(5)).decision, is: .restore)
    }

    @Test(arguments: [0, 1, 5]) func aRestartOfTheSystemIsNoCrash(crashes: Int) {
        let assessment = assess(
            marker(crashes: crashes, boot: "another boot"), after: .seconds(90_000))
        expect(assessment.kind == .afterRestartOfTheSystem && assessment.decision == .restore)
        expect(!assessment.safeModeAdvised && assessment.suspects.isEmpty)
    }

    @Test(arguments: [0, 1, 5]) func aClockThatWasSetBackSetsNothingAside(crashes: Int) {
        let assessment = assess(marker(crashes: crashes), after: .seconds(-3_600))
        expect(assessment.kind == .afterCrash(count: 1) && assessment.decision == .restore)
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
