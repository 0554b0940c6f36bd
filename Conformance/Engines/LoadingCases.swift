import BrowserModel
import BrowserSessions
import SessionRestoration

extension EngineCases {
    static var loading: [EngineCase<Subject>] {
        [
            EngineCase("LOAD-1", "A load that fails is reported, and leaves the tab as it was") {
                life, isolation in
                let tab = try await life.open(.tall(1))
                for page in [TestPage.unreachable, .redirectLoop] {
                    tab.page?.load(life.subject.address(of: page))
                    await life.wait { tab.hasFailed }
                    try life.expect(tab.hasFailed, "the failure is not reported: \(tab.pageLoad)")
                    try life.expectHistory(tab, [.tall(1)], at: 0)
                    try life.expect(
                        tab.url == life.subject.address(of: .tall(1)), "the tab is at \(tab.url)")
                }
                let next = try await life.relaunched(isolation: isolation)
                try next.expectHistory(try next.window().tabs[0], [.tall(1)], at: 0)
            },
            EngineCase("LOAD-2", "A download is no page") { life, _ in
                let tab = try await life.open(.tall(1))
                let address = life.subject.address(of: .download)
                tab.page?.load(address)
                await life.wait { tab.pageLoad == .becameDownload(address) }
                try life.expectHistory(tab, [.tall(1)], at: 0)
                try life.expect(
                    tab.pageLoad == .becameDownload(address), "the load is \(tab.pageLoad)")
            },
            EngineCase("LOAD-3", "A tab that was opened for a download is closed") { life, _ in
                _ = try await life.open(.tall(1))
                let tabs = try life.window().tabs
                let tab = try tabs.open(
                    life.subject.address(of: .download))
                await life.wait { tab.isClosed }
                try life.expect(tab.isClosed && tabs.count == 1, "the empty tab stays")
            },
            EngineCase("LOAD-4", "Nothing of a page that is being loaded counts before it is there")
            {
                life, _ in
                let tab = try await life.open(.tall(1))
                await life.subject.passTime(.milliseconds(100))
                life.events.forget()
                tab.page?.load(life.subject.address(of: .unreachable))
                let early = life.engine.capture(try life.view(tab)).history.entries.map(\.url)
                await life.wait { tab.hasFailed }
                try life.expect(
                    early == life.addresses([.tall(1)]) && life.events.changes.isEmpty,
                    "the history was \(early), and the events were \(life.events.changes)")
                try life.expect(
                    tab.title == TestPage.tall(1).title, "the title was '\(tab.title)'")
            },
            EngineCase("LOAD-5", "A title of a million letters and controls can be shown") {
                life, _ in
                let tab = try await life.open(.longTitle)
                let address = life.subject.address(of: .longTitle)
                await life.wait { !tab.title.isEmpty && tab.url == address }
                try life.expect(
                    (1...4096).contains(tab.title.utf8.count)
                        && !tab.title.unicodeScalars.contains {
                            $0.properties.generalCategory == .control
                        }, "the title has \(tab.title.utf8.count) bytes")
            },
            EngineCase(
                "LOAD-6", "The end of a page's process is reported, and reloading brings it back"
            ) {
                life, _ in
                let tab = try await life.open(.tall(1))
                try await life.scroll(tab, to: 600)
                try await life.restorer.save()
                let ended = await life.subject.endProcess(of: try life.view(tab), of: life.engine)
                try life.require(ended, "pages have no process of their own")
                await life.wait { tab.pageLoad == .crashed }
                try life.expect(tab.pageLoad == .crashed, "the load is \(tab.pageLoad)")
                tab.page?.stateMayHaveChanged()
                try await life.restorer.save()
                try life.expectHistory(tab, [.tall(1)], at: 0)
                tab.page?.reload()
                await life.wait { tab.pageLoad == .none }
                try life.expect(tab.pageLoad == .none, "it does not come back: \(tab.pageLoad)")
                try life.expectHistory(tab, [.tall(1)], at: 0)
                try await life.expectScroll(tab, at: 600)
            },
            EngineCase("LOAD-7", "A page that never ends to come has its history") {
                life, isolation in
                let tab = try await life.open(.tall(1))
                tab.page?.load(life.subject.address(of: .endless))
                await life.wait { tab.url == life.subject.address(of: .endless) }
                try life.expectHistory(tab, [.tall(1), .endless], at: 1)
                try await life.restorer.save()
                let next = try await life.killed(isolation: isolation)
                let back = try next.window().tabs[0]
                await next.wait { back.isRealized }
                try next.expectHistory(back, [.tall(1), .endless], at: 1)
            },
        ]
    }
}

extension Tab {
    fileprivate var hasFailed: Bool { if case .failed = pageLoad { true } else { false } }
}
