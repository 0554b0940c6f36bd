import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

@MainActor @Suite(.timeLimit(.minutes(10)))
struct LoadingTabsTests {
    @Test func tabsThatLoadAreNotedAtOnce() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b")
        let tab = try window.tab("a")
        tab.setLoad(.loading(""))
        await host.waitUntilIdle()
        expect(try await host.marker()?.loading == [tab.id])
        expect(host.seen.saves.isEmpty)
        tab.setLoad(.none)
        host.clock.advance(by: host.restorer.policy.saveDelay)
        await host.waitUntilIdle()
        expect(try await host.marker()?.loading == [])
    }

    @Test func aBurstOfPagesIsOneNote() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b")
        let tab = try window.tab("a")
        host.storage.forgetCalls()
        for _ in 0..<10 {
            tab.setLoad(.loading(""))
            await host.waitUntilIdle()
            tab.setLoad(.none)
            await host.waitUntilIdle()
        }
        expect(host.storage.calls(of: .save).count, is: 1)
        expect(try await host.marker()?.loading == [tab.id])
        host.clock.advance(by: host.restorer.policy.saveDelay)
        await host.waitUntilIdle()
        expect(host.storage.calls(of: .save).count, is: 2)
        expect(try await host.marker()?.loading == [])
    }

    /// A page rarely kills the host of an engine that gives pages processes of their own.
    @Test func pagesWithProcessesOfTheirOwnAreNoSuspects() async throws {
        let engine = SimulatedEngine()
        let host = try await Host.launched(engine: engine)
        host.restorer.markStable()
        await host.waitUntilIdle()
        let window = try await host.window()
        let tab = try window.tabs.open("https://a.example/")
        expect(tab.isLoading)
        try await host.restorer.save()
        expect(try await host.marker()?.loading == [])
        let next = try await host.relaunched(engine: SimulatedEngine(engine.web))
        expect(next.restorer.report?.launch.suspects, is: [])
        let restored = try require(next.windows.first)
        expect(restored.tabs[0].isRealized)
    }

    /// What a tab did before it came into its list is not reported to any observer.
    @Test func aTabThatLoadsAlreadyWhenItComesIsASuspect() async throws {
        let host = try await Host.firstProcess()
        let (window, other) = (try await host.window("a"), try await host.window("b", "c"))
        let tab = try other.tabs.detach(try other.tab("c"))
        tab.setLoad(.loading(""))
        try window.tabs.insert(tab)
        await host.waitUntilIdle()
        expect(try await host.marker()?.loading == [tab.id])
    }

    @Test func notesThatComeWhileOneIsWrittenAreOne() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b", "c", "d")
        host.storage.hang(.save)
        window.tabs[0].setLoad(.loading(""))
        await host.storage.waitForHangingCalls()
        for index in 1..<4 {
            window.tabs[index].setLoad(.loading(""))
            await host.waitUntilAllHasBegun()
        }
        expect(host.storage.calls(of: .save).count, is: 1)
        host.storage.release()
        await host.waitUntilIdle()
        expect(host.storage.calls(of: .save).count, is: 2)
        expect(try await host.marker()?.loading == window.tabs.tabs.map(\.id))
    }

    @Test func aTabThatWasClosedWhileItLoadedIsNoSuspect() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b")
        window.tabs[0].setLoad(.loading(""))
        await host.waitUntilIdle()
        try window.tabs.close(window.tabs[0])
        window.tabs[0].setLoad(.loading(""))
        await host.waitUntilIdle()
        host.clock.advance(by: host.restorer.policy.saveDelay)
        await host.waitUntilIdle()
        expect(try await host.marker()?.loading == [window.tabs[0].id])
    }

    @Test func incognitoTabsAreNeverNamed() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("secret", kind: .incognito)
        try window.tab("secret").setLoad(.loading(""))
        await host.waitUntilIdle()
        expect(host.storage.calls(of: .save).isEmpty)
        let next = try await host.killed()
        let restored = try require(next.windows.incognito.first)
        expect(try restored.tab("secret").isRealized)
        let markers = next.storage.savedChanges.flatMap(\.changes).compactMap { change in
            if case .put(.session(LaunchMarker.session, let attributes)) = change {
                LaunchMarker(attributes)
            } else {
                nil
            }
        }
        expect(markers.allSatisfy { $0.loading.isEmpty } && !markers.isEmpty)
    }

    @Test func anActiveSuspectComesBackUnrealizedAndEverythingElseAsEver() async throws {
        let first = try await Host.firstProcess()
        let window = try await first.window("a", "b")
        let other = try await first.window("c")
        let suspect = try window.tab("b")
        suspect.setLoad(.loading(""))
        await first.waitUntilIdle()
        let host = try await first.killed()
        expect(host.restorer.report?.launch.suspects, is: [suspect.id])
        let restored = try require(host.windows.window(window.id))
        expect(restored.titles == ["a", "b"] && restored.tabs.activeTab?.id == suspect.id)
        expect(restored.tabs.tabs.allSatisfy { !$0.isRealized })
        expect(host.windows.window(other.id)?.tabs[0].isRealized, is: true)
    }

    @Test func anActiveTabIsNotedBeforeItIsRealizedAtLaunch() async throws {
        let first = try await Host.firstProcess()
        let window = try await first.window("a", "b")
        let host = try first.nextProcess()
        host.storage.hang(.states)
        let restoring = Task { try await host.restorer.restore() }
        await host.storage.waitForCalls(of: .states)
        expect(try await host.marker()?.loading == [window.tabs[1].id])
        host.storage.release()
        _ = try await restoring.value
        await host.waitUntilIdle()
        expect(try await host.marker()?.loading == [])
    }

    @Test func anActiveTabOfAWindowThatTheHostOpensIsNotedToo() async throws {
        let first = try await Host.firstProcess()
        let window = try await first.window("a", "b")
        let host = try first.nextProcess()
        try await host.restorer.restore(.none)
        host.storage.hang(.states)
        let opening = Task { _ = try await host.restorer.savedWindows.open(window.id) }
        await host.storage.waitForCalls(of: .states)
        expect(try await host.marker()?.loading == [window.tabs[1].id])
        host.storage.release()
        try await opening.value
        expect(host.windows.window(window.id)?.tabs[1].isRealized, is: true)
        await host.waitUntilIdle()
        expect(try await host.marker()?.loading == [])
    }

    @Test func aTabThatLoadedDuringTwoCrashesIsNamed() async throws {
        var policy = RestorationPolicy()
        policy.crashes.crashesUntilSetAside = 9
        let first = try await Host.firstProcess(policy: policy)
        let window = try await first.window("a", "b")
        for tab in window.tabs.tabs { tab.setLoad(.loading("")) }
        await first.waitUntilIdle()
        let second = try await first.killed()
        let tab = second.windows.windows[0].tabs[0]
        try await tab.forceRealization()
        tab.setLoad(.loading(""))
        await second.waitUntilIdle()
        let third = try await second.killed()
        let launch = try require(third.restorer.report?.launch)
        expect(launch.repeatedSuspects, is: [tab.id])
        expect(launch.suspects, is: Set(window.tabs.tabs.map(\.id)))
        expect(!launch.safeModeAdvised)
        expect(try await third.killed().restorer.report?.launch.safeModeAdvised == true)
    }
}
