import BrowserModel
import BrowserSessions
import SessionRestoration

extension EngineCases {
    static var state: [EngineCase<Subject>] {
        [
            EngineCase("STATE-1", "Closed right after scrolling, a tab reopens where it was") {
                life, _ in
                let tab = try await life.open(.tall(1))
                _ = try await life.open(.tall(2))
                try await life.scroll(tab, to: 1200)
                try life.window().tabs.close(tab)
                try await life.restorer.save()
                let back = try life.restorer.closed.reopen(tab.id)
                try life.window().tabs.activate(back)
                try await life.arrival(of: back)
                try await life.expectScroll(back, at: 1200)
            },
            EngineCase("STATE-2", "Killed right after a save, a tab comes back where it was") {
                life, isolation in
                let tab = try await life.open(.tall(1))
                try await life.scroll(tab, to: 900)
                let next = try await life.relaunched(isolation: isolation)
                try await next.expectScroll(try next.window().tabs[0], at: 900)
            },
            EngineCase("STATE-3", "Scrolling is saved by itself after a while") { life, isolation in
                let tab = try await life.open(.tall(1))
                try await life.restorer.save()
                try await life.scroll(tab, to: 700)
                let delay = life.engine.stateDelay * 2 + life.restorer.policy.saveDelay
                await life.subject.passTime(delay)
                await life.subject.passTime(life.restorer.policy.saveDelay)
                await life.restorer.waitUntilIdle()
                let next = try await life.killed(isolation: isolation)
                let back = try next.window().tabs[0]
                try await next.arrival(of: back)
                try await next.expectScroll(back, at: 700)
            },
            EngineCase("STATE-4", "Nothing is new when nothing has changed since the last process")
            {
                life, isolation in
                let tab = try await life.open(.tall(1))
                try await life.visit(.tall(2), in: tab)
                let next = try await life.relaunched(isolation: isolation)
                await next.subject.passTime(next.engine.stateDelay * 3)
                try next.expect(
                    next.events.changes.isEmpty && next.restorer.isSaved,
                    "a page that came back unchanged reported \(next.events.changes)")
            },
            EngineCase(
                "STATE-5", "Bytes that the engine can't read are refused: the page is loaded"
            ) {
                life, _ in
                let address = life.subject.address(of: .tall(1))
                let tab = life.restorer.states.createUnrealizedTab(
                    TabMetadata(id: .random(), place: .between(nil, and: nil), url: address),
                    state: TabState(
                        history: NavigationHistory(url: address, title: ""),
                        native: Array("not the bytes of any engine".utf8)))
                try life.window().tabs.insert(tab, as: .active)
                try await life.arrival(of: tab)
                try life.expectHistory(tab, [.tall(1)], at: 0)
                try life.expect(
                    life.engine.capture(try life.view(tab)).history.entries.count == 1,
                    "the engine shows nothing")
            },
            EngineCase("STATE-6", "An unloaded tab has its page again as it was") { life, _ in
                let tab = try await life.open(.tall(1))
                try await life.visit(.tall(2), in: tab)
                try await life.scroll(tab, to: 500)
                _ = try await life.open(.tall(3))
                try await life.restorer.realizedTabs.unload(tab)
                try life.expect(!tab.isRealized, "the tab still has its page")
                try life.window().tabs.activate(tab)
                try await life.arrival(of: tab)
                try life.expectHistory(tab, [.tall(1), .tall(2)], at: 1)
                try await life.expectScroll(tab, at: 500)
            },
            EngineCase("STATE-7", "A page that hangs keeps no save waiting") { life, isolation in
                let life = try await life.killed(limitingFlushes: true, isolation: isolation)
                let tab = try await life.open(.tall(1))
                let hangs = await life.subject.hang(try life.view(tab), of: life.engine)
                try life.require(hangs, "a page can't be made to hang")
                tab.page?.stateMayHaveChanged()
                let waited = await seconds(on: life.subject.clock) {
                    try? await life.restorer.save()
                }
                try life.expect(
                    waited < .seconds(5) && life.restorer.isSaved, "the save waited for the page")
                let next = try await life.killed(isolation: isolation)
                try next.expect(try next.window().tabs.count == 1, "the tab is gone")
            },
            EngineCase("STATE-8", "Killed while it comes back, a page comes back as it was") {
                life, isolation in
                let tab = try await life.open(.tall(1))
                try await life.visit(.tall(2), in: tab)
                try await life.scroll(tab, to: 800)
                try await life.restorer.save()
                var next = try await life.killed(isolation: isolation)
                let early = try next.window().tabs[0]
                await next.wait { early.isRealized }
                early.page?.stateMayHaveChanged()
                early.page?.committed()
                try await next.restorer.save()
                next = try await next.killed(isolation: isolation)
                let back = try next.window().tabs[0]
                try await next.arrival(of: back)
                try next.expectHistory(back, [.tall(1), .tall(2)], at: 1)
                try await next.expectScroll(back, at: 800)
            },
        ]
    }

    /// Returns how long something takes on the subject's clock; a simulated clock stands still.
    private static func seconds<C: Clock<Duration>>(
        on clock: C, _ work: () async -> Void
    ) async -> Duration {
        let start = clock.now
        await work()
        return start.duration(to: clock.now)
    }
}
