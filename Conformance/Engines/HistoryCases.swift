import BrowserModel
import BrowserSessions
import SessionRestoration

extension EngineCases {
    static var history: [EngineCase<Subject>] {
        [
            EngineCase("HISTORY-1", "What was captured comes back: pages, the one shown, titles") {
                life, isolation in
                let tab = try await life.open(.tall(1))
                try await life.visit(.tall(2), in: tab)
                try await life.visit(.tall(3), in: tab)
                try await life.go(by: -1, to: .tall(2), in: tab)
                let next = try await life.relaunched(isolation: isolation)
                let back = try next.window().tabs[0]
                try next.expectHistory(back, [.tall(1), .tall(2), .tall(3)], at: 1)
                try next.expect(
                    back.title == TestPage.tall(2).title, "the title is '\(back.title)'")
            },
            EngineCase("HISTORY-2", "Back and forward lead to the pages after restoring") {
                life, isolation in
                let tab = try await life.open(.tall(1))
                try await life.visit(.tall(2), in: tab)
                let next = try await life.relaunched(isolation: isolation)
                let back = try next.window().tabs[0]
                try await next.go(by: -1, to: .tall(1), in: back)
                try await next.go(by: 1, to: .tall(2), in: back)
                try next.expectHistory(back, [.tall(1), .tall(2)], at: 1)
            },
            EngineCase("HISTORY-3", "A history without bytes of the engine stays when it is shown")
            {
                life, isolation in
                let tab = try await adopt([.tall(1), .tall(2), .tall(3), .tall(4)], at: 2, life)
                try life.expectHistory(tab, [.tall(1), .tall(2), .tall(3), .tall(4)], at: 2)
                let own = life.engine.capture(try life.view(tab)).history
                try life.expect(
                    own.currentIndex.map { own.entries[$0].url } == life.addresses([.tall(3)])[0],
                    "the engine shows another page, or none")
                let next = try await life.relaunched(isolation: isolation)
                try next.expectHistory(
                    try next.window().tabs[0], [.tall(1), .tall(2), .tall(3), .tall(4)], at: 2)
            },
            EngineCase(
                "HISTORY-4", "Going where the engine has not been loads the page, and counts"
            ) {
                life, isolation in
                let tab = try await adopt([.tall(1), .tall(2), .tall(3)], at: 1, life)
                try await life.go(by: -1, to: .tall(1), in: tab)
                try life.expectHistory(tab, [.tall(1), .tall(2), .tall(3)], at: 0)
                try await life.go(by: 2, to: .tall(3), in: tab)
                try life.expectHistory(tab, [.tall(1), .tall(2), .tall(3)], at: 2)
                let next = try await life.relaunched(isolation: isolation)
                let back = try next.window().tabs[0]
                try next.expectHistory(back, [.tall(1), .tall(2), .tall(3)], at: 2)
                try await next.go(by: -1, to: .tall(2), in: back)
            },
            EngineCase(
                "HISTORY-5", "A new page forgets adopted pages ahead, and keeps those before"
            ) {
                life, isolation in
                let tab = try await adopt([.tall(1), .tall(2), .tall(3)], at: 1, life)
                try await life.visit(.tall(4), in: tab)
                try life.expectHistory(tab, [.tall(1), .tall(2), .tall(4)], at: 2)
                let next = try await life.relaunched(isolation: isolation)
                let back = try next.window().tabs[0]
                try next.expectHistory(back, [.tall(1), .tall(2), .tall(4)], at: 2)
                try await next.go(by: -2, to: .tall(1), in: back)
            },
            EngineCase(
                "HISTORY-6",
                "A page that pushes 10,000 entries has a history that ends with the last"
            ) {
                life, isolation in
                let tab = try await life.open(.tall(1))
                let address = life.subject.address(of: .tall(1))
                let pushed = (1...10_000).map { "\(address)#\($0)" }
                let count = await life.subject.push(
                    pushed, in: try life.view(tab), of: life.engine)
                try life.expect(count > 1, "no entries can be pushed")
                let last = pushed[count - 1]
                await life.wait { tab.url == last }
                try life.expect(tab.url == last, "the tab shows '\(tab.url)'")
                let next = try await life.relaunched(isolation: isolation)
                let history = try next.window().tabs[0].page?.history ?? NavigationHistory()
                let index = history.currentIndex ?? -1
                try next.expect(
                    history.entries.indices.contains(index)
                        && history.entries[index].url == last,
                    "the page that is shown is not in its history of \(history.entries.count)")
            },
            EngineCase("HISTORY-7", "Pages that are forgotten do not come back") {
                life, isolation in
                let tab = try await life.open(.tall(1))
                try await life.visit(.tall(2), in: tab)
                let cleared = try await life.restorer.history.clear(.histories)
                try life.require(cleared.keptHistories.isEmpty, "the engine can't forget pages")
                let kept = life.engine.capture(try life.view(tab)).history.entries.count
                try life.expect(kept == 1, "the engine still has \(kept) pages")
                let next = try await life.relaunched(isolation: isolation)
                try next.expectHistory(try next.window().tabs[0], [.tall(2)], at: 0)
            },
        ]
    }

    /// Opens a tab in front, with a history from elsewhere.
    private static func adopt(_ pages: [TestPage], at index: Int, _ life: Life) async throws -> Tab
    {
        let entries = life.addresses(pages).map { NavigationEntry(url: $0, title: "adopted") }
        let metadata = TabMetadata(
            id: .random(), place: .between(nil, and: nil), url: entries[index].url, title: "adopted"
        )
        let tab = life.restorer.states.createUnrealizedTab(
            metadata,
            state: TabState(history: NavigationHistory(entries: entries, currentIndex: index)))
        try life.window().tabs.insert(tab, as: .active)
        try await life.arrival(of: tab)
        return tab
    }
}
