import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting

@MainActor @Suite(.timeLimit(.minutes(10)))
struct SaveTimingTests {
    @Test func theFirstChangeStartsADelayThatLaterOnesDoNotExtend() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b")
        try window.tabs.move(window.tabs[0], to: 1)
        host.clock.advance(by: .milliseconds(2400))
        await host.waitUntilIdle()
        expect(host.seen.saves.isEmpty)
        try window.tabs.move(window.tabs[0], to: 1)
        host.clock.advance(by: .milliseconds(100))
        await host.waitUntilIdle()
        expect(host.seen.saves.count, is: 1)
        expect(host.restorer.isSaved)
        host.clock.advance(by: .seconds(10))
        await host.waitUntilIdle()
        expect(host.seen.saves.count, is: 1)
    }

    @Test func allWindowsShareOneDelayAndAreSavedAsOneSet() async throws {
        let host = try await Host.launched()
        let first = try await host.window("a")
        let second = try await host.window("b")
        try first.tab("a").setTitle("a2")
        try second.tab("b").setTitle("b2")
        await host.waitForDelayedSave()
        expect(host.seen.saves.count, is: 1)
        expect(try await host.storedTitles(first) == ["a2"])
        expect(try await host.storedTitles(second) == ["b2"])
    }

    @Test func anExplicitSaveIsAtOnceSurvivesAllAndCancelsTheDelay() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a")
        try window.tab("a").setTitle("a2")
        try await host.restorer.save()
        expect(host.seen.saves.count, is: 1)
        let greatest = host.storage.traits.greatestDurability
        expect(host.storage.calls(of: .save).last?.durability, is: greatest)
        host.clock.advance(by: .seconds(5))
        await host.waitUntilIdle()
        expect(host.seen.saves.count, is: 1)
    }

    @Test func whenNothingChangedNothingIsWritten() async throws {
        let host = try await Host.launched()
        _ = try await host.window("a")
        try await host.restorer.save()
        try await host.restorer.save()
        expect(host.storage.calls(of: .save).isEmpty)
    }

    @Test func aWindowThatGoesToTheBackgroundIsSavedAtOnce() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a")
        // Also one that was never in the foreground.
        for number in 1...2 {
            window.tabs[0].setTitle("a\(number)")
            window.enterBackground()
            await host.waitUntilIdle()
            expect(host.seen.saves.count, is: 1)
            expect(try await host.storedTitles(window) == ["a\(number)"])
            host.seen.reset()
            window.enterBackground()
            await host.waitUntilIdle()
            expect(host.seen.saves.isEmpty)
            window.enterForeground()
        }
    }

    @Test func aWindowThatClosesIsSavedAtOnceAndItsTabsStay() async throws {
        let host = try await Host.launched()
        _ = try await host.window("other")
        let window = try await host.window("a", "b")
        try window.tab("a").visit("a2")
        try host.windows.close(window)
        await host.waitUntilIdle()
        expect(host.seen.saves.count, is: 1)
        expect(try await host.storedTitles(window) == ["a2", "b"])
    }

    @Test func windowsThatCloseOneAfterTheOtherAreOneSave() async throws {
        let host = try await Host.launched()
        var windows: [Window] = []
        for number in 0..<50 { windows.append(try await host.window("\(number)")) }
        for window in windows { try host.windows.close(window) }
        await host.waitUntilIdle()
        expect(host.storage.calls(of: .save).count, is: 1)
        expect(host.restorer.isSaved && host.restorer.closed.windows.count == 50)
    }

    @Test func aChangeDuringASaveIsSavedByTheNext() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a")
        let tab = try window.tab("a")
        await host.hangSave { tab.setTitle("a2") }
        tab.setTitle("a3")
        host.storage.release()
        await host.waitUntilIdle()
        expect(host.seen.saves.count, is: 1)
        expect(!host.restorer.isSaved)
        await host.waitForDelayedSave()
        expect(try await host.storedTitles(window) == ["a3"])
    }

    @Test func afterDisconnectingAWindowItsChangesAreNotSaved() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b")
        try window.tab("a").setTitle("a2")
        try await host.restorer.savedWindows.disconnect(window)
        window.tabs.closeAll(reason: .user)
        try await host.restorer.save()
        expect(try await host.storedTitles(window) == ["a2", "b"])
    }

    @Test func nothingIsSavedBeforeRestoringHasFinished() async throws {
        let storage = FaultyStorage()
        _ = try await Host.launched(storage: storage).window("saved")
        let host = Host(storage: FaultyStorage(storage.base))
        let early = try host.windows.open()
        try early.tabs.insert(Tab(url: "https://early.example/", title: "early"))
        host.clock.advance(by: .seconds(10))
        await host.waitUntilIdle()
        expect(host.storage.calls.isEmpty)
        await expect(throws: SessionRestorationError.self) { try await host.restorer.save() }
        expect(host.storage.calls(of: .save).isEmpty)
        try await host.restorer.restore()
        await host.waitForDelayedSave()
        expect(try await host.storedTitles(early) == ["early"])
    }
}
