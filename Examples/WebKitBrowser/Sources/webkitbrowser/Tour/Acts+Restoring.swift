import BrowserModel
import BrowserSessions
import Foundation
import SessionRestoration

extension Stage {
    private var table: String { "\(folder)/before.txt" }

    /// Everything that is to come back.
    func openAll() async throws {
        let first = regular[0]
        let reader = try await open("cookie/kept", in: first)
        await scroll(reader, to: 777)
        await go(reader, to: "page/2")
        await scroll(reader, to: 2000)
        await go(reader, to: "page/3")
        reader.page?.goBack()
        await arrival(of: reader, at: "page/2")
        let pinned = try await open("page/4", in: first)
        try first.tabs.pin(pinned)
        let group = [
            try await open("page/5", in: first), try await open("page/6", in: first),
        ]
        try first.tabs.createGroup(TabGroup(id: .random(), title: "Read"), of: group)
        if let blank = first.tabs.first(where: { $0.url == "about:blank" }) {
            try first.tabs.close(blank)
        }
        try browser.openWindow(address("page/7"))
        await arrival(of: regular[1].tabs[0], at: "page/7")
        try await open("page/8", in: regular[1])
        try browser.openPrivateWindow(address("cookie/secret"))
        let secret = incognito[0].tabs[0]
        await arrival(of: secret, at: "cookie/secret")
        await go(secret, to: "page/9")
        try await open("page/10", in: incognito[0])
        check(
            "private tabs have their own cookies",
            await ask(secret, "document.cookie") == "secret=yes")
        check("the others do not see them", await ask(reader, "document.cookie") == "kept=yes")
        await show(reader)
        await scroll(reader, to: 1234)
        try await finish(reader)
    }

    private func finish(_ reader: Tab) async throws {
        let seen = await look()
        await show(reader)
        _ = await takePicture(of: reader, as: "before")
        try seen.joined(separator: "\n").write(toFile: table, atomically: true, encoding: .utf8)
        // Right before it is killed: what the engine says late is asked for.
        await scroll(reader, to: 1500)
        await scroll(reader, to: 1234)
        try await browser.restorer.save()
        await waitForKill()
    }

    /// What came back, compared with what was there.
    func findAll() async throws {
        let before = try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n").map(
            String.init)
        say(browser.restorer.report?.description ?? "no report")
        check("two windows and a private one", regular.count == 2 && incognito.count == 1)
        let realized = (regular + incognito).flatMap { $0.tabs.filter(\.isRealized) }.count
        check("only the active tabs have their page", realized == 3, "\(realized)")
        guard let first = regular.first, let reader = first.tabs.activeTab else {
            return check("a tab is active", false)
        }
        await arrival(of: reader)
        _ = await until(3) { await self.ask(reader, "scrollY") == "1234" }
        _ = await takePicture(of: reader, as: "after")
        let after = await look()
        for index in 0..<max(before.count, after.count) {
            let one = before.indices.contains(index) ? before[index] : "(nothing)"
            let other = after.indices.contains(index) ? after[index] : "(nothing)"
            check(one, one == other, one == other ? "" : "now \(other)")
        }
        let pixels = difference("\(folder)/before.png", "\(folder)/after.png")
        check(
            "before and after look the same", pixels?.different == 0,
            pixels.map { "\($0.different) of \($0.all) pixels differ" } ?? "no pictures")
    }
}
