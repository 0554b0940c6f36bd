import BrowserModel
import BrowserSessions
import SessionRestoration

extension EngineCases {
    static var pages: [EngineCase<Subject>] {
        [
            EngineCase("PAGE-1", "Of 200 tabs that come back only those in front have a page") {
                life, isolation in
                for _ in 0..<2 {
                    let window = try life.windows.open()
                    for number in 0..<100 {
                        let address = life.subject.address(of: .tall(number))
                        let tab = life.restorer.states.createUnrealizedTab(
                            TabMetadata(
                                id: .random(), place: .between(nil, and: nil), url: address),
                            state: TabState(
                                history: NavigationHistory(url: address, title: "\(number)")))
                        try window.tabs.insert(tab)
                    }
                    try window.tabs.activate(window.tabs[50])
                }
                let next = try await life.relaunched(isolation: isolation)
                let tabs = next.windows.flatMap(\.tabs)
                let realized = tabs.filter(\.isRealized)
                try next.expect(
                    tabs.count == 200 && realized.count == 2,
                    "of \(tabs.count) tabs \(realized.count) have pages")
                let views = realized.compactMap { next.engine.view(of: $0) }
                try next.expect(views.count == 2, "they have \(views.count) views")
            },
            EngineCase("PAGE-2", "The view of a closed tab is let go of") { life, _ in
                _ = try await life.open(.tall(2))
                let tab = try await life.open(.tall(1))
                weak let view = try life.view(tab)
                try life.window().tabs.close(tab)
                try await life.restorer.save()
                await life.wait { view == nil }
                try life.expect(view == nil, "somebody keeps the view")
            },
            EngineCase("PAGE-3", "A view that exists already becomes the page of a tab") {
                life, isolation in
                let loose = await life.subject.makeLooseView(.tall(3), with: life.engine)
                guard let loose else {
                    throw EngineCaseEnd.notApplicable("there are no views without a tab")
                }
                let tab = Tab(adopting: loose)
                try life.window().tabs.insert(tab, as: .active)
                try life.expect(
                    life.engine.view(of: tab) === loose, "the tab has another view")
                await life.wait { tab.url == life.subject.address(of: .tall(3)) }
                try life.expectHistory(tab, [.tall(3)], at: 0)
                let next = try await life.relaunched(isolation: isolation)
                try next.expectHistory(try next.window().tabs[0], [.tall(3)], at: 0)
            },
        ]
    }
}
