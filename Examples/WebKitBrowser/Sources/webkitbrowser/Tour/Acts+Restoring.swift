import BrowserModel
import BrowserSessions
import CWebKitGTK
import Foundation
import GTKSupport
import SessionRestoration

extension Stage {
    private var table: String { "\(folder)/before.txt" }

    /// Opens everything that must come back.
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
        try first.tabs.create(StructureNode.group(id: .random(), name: "Read"), of: group)
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
        try seen.joined(separator: "\n").write(toFile: table, atomically: true, encoding: .utf8)
        // Scrolls right before the kill. The save waits for the engine's delayed state.
        await scroll(reader, to: 1334)
        try await browser.restorer.save()
        _ = await takePicture(of: reader, as: "before")
        await waitForKill()
    }

    /// Compares what came back with what was there.
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
        _ = await until(3) { await self.ask(reader, "scrollY") == "1334" }
        _ = await takePicture(of: reader, as: "after")
        await compare(before)
        let pixels = difference("\(folder)/before.png", "\(folder)/after.png")
        check(
            "before and after look the same", pixels?.different == 0,
            pixels.map { "\($0.different) of \($0.all) pixels differ" } ?? "no pictures")
        await show(reader)
        await goThroughHistory(of: reader)
        await closeAndReopen(first.tabs[0], in: first)
        check("no file names what the private window has seen", !isNamed("secret"))
    }

    /// Compares the tabs. Private tabs come back without their cookies.
    private func compare(_ before: [String]) async {
        let before = before.map {
            $0.replacingOccurrences(of: "secret=yes", with: "-")
                .replacingOccurrences(of: "1234", with: "1334")
        }
        let after = await look()
        for index in 0..<max(before.count, after.count) {
            let one = before.indices.contains(index) ? before[index] : "(nothing)"
            let other = after.indices.contains(index) ? after[index] : "(nothing)"
            check(one, one == other, one == other ? "" : "now \(other)")
        }
    }

    private func goThroughHistory(of reader: Tab) async {
        for (path, position) in [("cookie/kept", "777"), ("page/2", "1334"), ("page/3", "0")] {
            if path == "cookie/kept" { reader.page?.goBack() } else { reader.page?.goForward() }
            await arrival(of: reader, at: path)
            let isThere = await until(3) { await self.ask(reader, "scrollY") == position }
            check("back and forward: \(path) at \(position)", isThere)
        }
    }

    private func closeAndReopen(_ tab: Tab, in window: Window) async {
        await show(tab)
        await scroll(tab, to: 555)
        try? window.tabs.close(tab)
        // waits: no user is quicker than WebKit
        try? await Task.sleep(for: .milliseconds(400))
        let again = try? browser.restorer.closed.reopenLast(in: window).first
        guard let again else { return check("a closed tab is reopened", false) }
        await arrival(of: again)
        let isThere = await until(3) { await self.ask(again, "scrollY") == "555" }
        check(
            "closed right after scrolling and reopened: same place, pinned, scrolled",
            isThere && again.isPinned && window.tabs.index(of: again) == 0,
            "at \(await ask(again, "scrollY"))")
    }

    /// Returns whether the text is in any file of the profile.
    private func isNamed(_ text: String) -> Bool {
        let files = FileManager.default.enumerator(atPath: profile)?.allObjects ?? []
        return files.contains { file in
            let data = FileManager.default.contents(atPath: "\(profile)/\(file)")
            return data?.range(of: Data(text.utf8)) != nil
        }
    }

    // MARK: Set aside

    /// Waits to be killed as soon as the windows are there.
    func crashAgain() async {
        check("the windows are there", regular.count == 2 && incognito.count == 1)
        await waitForKill()
    }

    /// Checks that after two crashes the windows are offered, not opened.
    func takeOffer() async throws {
        let kept = browser.restorer.setAside.sessions.count
        check("after two crashes the windows are set aside", kept == 2, "\(kept) windows")
        let window = browser.windows[0]
        check("the window offers them", gtk_widget_get_visible(window.offer) != 0)
        gtk_widget_activate(window.offer)
        _ = await until { self.regular.count == 3 }
        let tabs = regular.dropFirst().flatMap { Array($0.tabs) }
        check(
            "a click brings them back, without loading a page",
            tabs.count == 6 && tabs.allSatisfy { !$0.isRealized }, "\(tabs.count) tabs")
        let grouped = regular.dropFirst().flatMap { window in
            window.tabs.filter { groupName(of: $0, in: window) == "Read" }
        }
        check("the group has its two tabs", grouped.count == 2, "\(grouped.count) tabs")
        check("the offer is gone", await until { gtk_widget_get_visible(window.offer) == 0 })
        guard let pinned = tabs.first(where: \.isPinned) else {
            return check("the pinned tab is there", false)
        }
        await show(pinned)
        check(
            "a page is where it was", await until(3) { await self.ask(pinned, "scrollY") == "555" })
        try browser.profile.windows.close(regular[0])
    }
}
