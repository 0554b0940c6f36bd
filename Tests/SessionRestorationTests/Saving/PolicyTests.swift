import BrowserSessions
import Expectations
import SessionRestoration

/// The initializers of policies set every property.
struct PolicyTests {
    /// The properties that are as in the other value.
    private func same<Policy>(_ policy: Policy, as other: Policy) -> [String] {
        let pairs = zip(Mirror(reflecting: policy).children, Mirror(reflecting: other).children)
        return pairs.filter { String(reflecting: $0.value) == String(reflecting: $1.value) }
            .compactMap(\.0.label)
    }

    @Test func everyRuleCanBeGivenAtOnce() {
        let closed = ClosedTabPolicy(maximumTabs: 1, maximumWindows: 2, maximumAge: .seconds(3))
        expect(same(closed, as: ClosedTabPolicy()), is: [])
        let crashes = CrashPolicy(
            loopPeriod: .zero, crashesUntilSetAside: 9, crashesUntilSafeMode: 9, maximumAge: .zero,
            stableAfter: .zero, setAsideAge: .zero, maximumSetAside: 1,
            isDevelopment: !CrashPolicy().isDevelopment)
        expect(same(crashes, as: CrashPolicy()), is: [])
        let policy = RestorationPolicy(
            saveDelay: .zero, durability: .memory, retryDelays: [], stallLimit: .zero,
            answerLimit: .zero, extraStates: [], flushLimit: .zero, maximumRealizedTabs: 1,
            incognito: .neverSave, crashes: crashes,
            launchEnvironment: LaunchEnvironment(bootID: "", processID: 1),
            closingGrace: nil, closed: closed, inactiveAge: nil, blankPages: [])
        expect(same(policy, as: RestorationPolicy()), is: [])
    }

    @Test func whatIsNotGivenIsAsByDefault() {
        let policy = RestorationPolicy(saveDelay: .zero)
        expect(same(policy, as: .defaults).count, is: Mirror(reflecting: policy).children.count - 1)
        expect(ClosedTabPolicy(maximumTabs: 100), is: ClosedTabPolicy())
    }
}
