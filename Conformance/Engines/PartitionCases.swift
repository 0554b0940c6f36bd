import BrowserModel
import BrowserSessions
import SessionRestoration

extension EngineCases {
    static var partitions: [EngineCase<Subject>] {
        [
            EngineCase(
                "PARTITION-1",
                "Private pages share no cookies with the others, in neither direction"
            ) {
                life, _ in
                let (subject, engine) = (life.subject, life.engine)
                let regular = try await life.open(.tall(1))
                let hidden = try await life.open(.tall(1), isPrivate: true)
                let (view, privateView) = (try life.view(regular), try life.view(hidden))
                await subject.setCookie("kept=1", in: view, of: engine)
                await subject.setCookie("hidden=1", in: privateView, of: engine)
                let seen = await subject.cookies(in: view, of: engine)
                let seenPrivately = await subject.cookies(in: privateView, of: engine)
                try life.expect(
                    seen.contains("kept=1") && !seen.contains("hidden"),
                    "a page that is not private has the cookies '\(seen)'")
                try life.expect(
                    seenPrivately.contains("hidden=1") && !seenPrivately.contains("kept"),
                    "a private page has the cookies '\(seenPrivately)'")
            },
            EngineCase("PARTITION-2", "Private pages of one process share their cookies") {
                life, _ in
                let first = try await life.open(.tall(1), isPrivate: true)
                await life.subject.setCookie("shared=1", in: try life.view(first), of: life.engine)
                let second = try await life.open(.tall(1), isPrivate: true)
                let seen = await life.subject.cookies(in: try life.view(second), of: life.engine)
                try life.expect(seen.contains("shared=1"), "the second has the cookies '\(seen)'")
            },
            EngineCase("PARTITION-3", "A private tab comes back private, and without its cookies") {
                life, isolation in
                _ = try await life.open(.tall(2))
                let tab = try await life.open(.tall(1), isPrivate: true)
                await life.subject.setCookie("hidden=1", in: try life.view(tab), of: life.engine)
                let next = try await life.relaunched(isolation: isolation)
                guard let back = next.windows.incognito.first?.tabs.first else {
                    throw EngineCaseEnd.violated("the private tab does not come back")
                }
                let seen = await next.subject.cookies(in: try next.view(back), of: next.engine)
                try next.expect(seen.isEmpty, "a new process has the private cookies '\(seen)'")
                let regular = try next.view(try next.window().tabs[0])
                let others = await next.subject.cookies(in: regular, of: next.engine)
                try next.expect(!others.contains("hidden"), "they are kept for all: '\(others)'")
            },
            EngineCase(
                "PARTITION-4",
                "A page that another opens is in its partition, behind it, and knows it"
            ) {
                life, _ in
                for isPrivate in [false, true] {
                    let tab = try await life.open(.tall(1), isPrivate: isPrivate)
                    await life.subject.openPopups(
                        [.tall(2)], from: try life.view(tab), of: life.engine)
                    await life.wait { tab.list?.count == 2 }
                    guard let list = tab.list, list.count == 2, let popup = list.last else {
                        throw EngineCaseEnd.violated("there is no tab for the page")
                    }
                    try await life.arrival(of: popup)
                    try life.expect(
                        popup.opener?.tab == tab.id && popup.isIncognito == isPrivate,
                        "the tab's opener or partition is not that of the page that opened it")
                    let isKnown = await life.subject.isOpener(
                        try life.view(tab), of: try life.view(popup))
                    try life.expect(isKnown != false, "the page does not know its opener")
                }
            },
            EngineCase("PARTITION-5", "Of 50 pages that a page opens by itself one becomes a tab") {
                life, _ in
                let tab = try await life.open(.tall(1))
                await life.subject.openPopups(
                    (100..<150).map { .tall($0) }, from: try life.view(tab), of: life.engine)
                await life.subject.passTime(.milliseconds(500))
                let count = try life.window().tabs.count
                try life.expect(count <= 2, "there are \(count) tabs")
            },
        ]
    }
}
