import BrowserModel
import BrowserSessions
import CWebKitGTK
import Foundation
import GTKSupport
import SessionRestoration

extension Stage {
    private var outline: String { "\(folder)/forest.txt" }
    private var lines: [String] { browser.windows.first?.sidebar.lines ?? [] }

    /// Makes a folder with another one, a split and a branch, and collapses the inner folder with a click.
    func growForest() async throws {
        let list = regular[0].tabs
        check("a window with tabs alone has no sidebar", lines.isEmpty)
        for number in 41...46 { try await open("page/\(number)", in: regular[0]) }
        let tabs = Array(list.dropFirst())
        let (work, later) = (
            StructureNode.folder(name: "Work"), StructureNode.folder(name: "Later")
        )
        try list.create(work, of: [tabs[0], tabs[1]])
        try list.create(later, of: [tabs[1]])
        try list.split([tabs[2], tabs[3]], at: .inside(work.id))
        try list.move(tabs[4], under: tabs[0])
        try list.close(list[0])
        await show(tabs[2])
        let grown = [
            "▾ Work", "  Page 41", "    Page 45", "  ▾ Later", "    Page 42", "  ┃ Page 43",
            "  ┃ Page 44", "Page 46",
        ]
        let isThere = await until { self.lines == grown }
        check("the sidebar shows them, each at its depth", isThere, isThere ? "" : "\(lines)")
        browser.windows.first?.sidebar.click("▾ Later")
        let isCollapsed = await until { self.lines == grown[..<3] + ["  ▸ Later"] + grown[5...] }
        check("a click on a folder hides what is in it", isCollapsed, isCollapsed ? "" : "\(lines)")
        await checkPanes(tabs[2], tabs[3])
        move("mousemove", "750", "400", "click", "1")
        check("a click in a pane makes its tab active", await until { list.activeTab === tabs[3] })
        try await makeSpace()
        try lines.joined(separator: "\n").write(toFile: outline, atomically: true, encoding: .utf8)
        try await browser.restorer.save()
        await waitForKill()
    }

    /// Compares the sidebar and the panes that came back with those that were there.
    func findForest() async throws {
        let before = try String(contentsOfFile: outline, encoding: .utf8).components(
            separatedBy: "\n")
        let isSame = await until { self.lines == before }
        check(
            "the sidebar is as it was", isSame,
            isSame ? before.joined(separator: " / ") : "\(lines)")
        try await findSpace()
        let list = regular[0].tabs
        guard let active = list.activeTab, list.panes(with: active).tabs.count == 2 else {
            return check("a split is shown", false)
        }
        check("the same pane is active", active.title == "Page 44", active.title)
        let panes = list.panes(with: active).tabs
        await checkPanes(panes[0], panes[1])
        let realized = list.filter(\.isRealized).count
        check("no other tab has its page", realized == 2, "\(realized)")
        await checkPicture(panes)
        browser.windows.first?.sidebar.click("▸ Later")
        check(
            "another click shows what is in it", await until { self.lines.contains("    Page 42") })
        guard let outside = list.last else { return }
        await show(outside)
        let width = await ask(outside, "innerWidth")
        check("a tab outside of the split has all the width", Int(width) ?? 0 > 600, width)
        await leaveSpace(to: outside)
    }

    /// Makes a space of a tab, with the button for it, and shows the tab and others by clicks in the sidebar.
    private func makeSpace() async throws {
        let (own, window) = (lines, browser.windows.first)
        let tab = try await open("page/47", in: regular[0])
        window?.toggleSpace()
        let isThere = await until { self.lines == ["▾ Space 1", "  Page 47"] + own }
        check("the sidebar has the space above them", isThere, isThere ? "" : "\(lines)")
        await checkAlone(tab, in: regular[0])
        window?.sidebar.click("┃ Page 44")
        let panes = regular[0].tabs.filter { ["Page 43", "Page 44"].contains($0.title) }
        if panes.count == 2 { await checkPanes(panes[0], panes[1]) }
        window?.sidebar.click("Page 47")
        await checkAlone(tab, in: regular[0])
        move("mousemove", "660", "53", "click", "1")
        let isBack = await until { self.regular[0].tabOnScreen?.title == "Page 44" }
        check("a click in the strip shows the tab that was active there", isBack)
        window?.sidebar.click("Page 47")
        await checkAlone(tab, in: regular[0])
    }

    /// Checks that the window shows the space's tab again, and goes back to the split.
    private func findSpace() async throws {
        let isSpace =
            regular[0].space?.name == "Space 1" && lines.prefix(2) == ["▾ Space 1", "  Page 47"]
        check("the space and its tab are above the window's own", isSpace)
        guard let tab = regular[0].tabOnScreen, tab.title == "Page 47" else {
            return check("the space's tab is on screen", false)
        }
        await checkAlone(tab, in: regular[0])
        try await shareSpace(tab)
        browser.windows.first?.sidebar.click("┃ Page 44")
    }

    /// Shows the space in another window, which gets the page of its tab until it is closed.
    private func shareSpace(_ tab: Tab) async throws {
        try browser.openWindow(address("page/48"))
        await arrival(of: regular[1].tabs[0], at: "page/48")
        try regular[1].show(regular[0].space?.id)
        let isThere = await until {
            self.browser.windows.last?.sidebar.lines == ["▾ Space 1", "  Page 47", "Page 48"]
        }
        check("another window shows the space, too", isThere)
        browser.windows.last?.sidebar.click("Page 47")
        await checkAlone(tab, in: regular[1])
        check("the page is there", browser.windows.last?.shows(tab) == true)
        try regular[1].tabs.close(regular[1].tabs[0])
        check("it ends with its own tab", await until { self.regular.count == 1 })
        browser.windows.first?.sidebar.click("Page 47")
        await checkAlone(tab, in: regular[0])
        check("the page is back", browser.windows.first?.shows(tab) == true)
    }

    /// Closes the tab of the space, and goes back to none.
    private func leaveSpace(to own: Tab) async {
        let window = browser.windows.first
        window?.sidebar.click("Page 47")
        if let tab = regular[0].tabOnScreen { await checkAlone(tab, in: regular[0]) }
        window?.closeTab()
        let isShown = await until { self.regular[0].tabOnScreen === own }
        check("without its tab the window shows its own", isShown)
        window?.toggleSpace()
        let isGone = await until { self.lines.first == "▾ Work" }
        check("the button goes back to no space", isGone && regular[0].space == nil)
    }

    /// Checks by the page itself that a tab of the space has all the width.
    private func checkAlone(_ tab: Tab, in window: Window) async {
        await arrival(of: tab)
        var seen = ""
        let isSeen = await until {
            seen = await self.ask(tab, "document.visibilityState + ' ' + innerWidth")
            return seen == "visible 700" && window.tabOnScreen === tab
        }
        check("the page of the space's tab is visible, with all the width", isSeen, seen)
    }

    /// Checks that a picture of the window has the colors of two pages where their panes begin and end.
    private func checkPicture(_ panes: [Tab]) async {
        let (left, right) = ("\(folder)/left.png", "\(folder)/right.png")
        let window = "\(folder)/window.png"
        let isDrawn = await until {
            guard await self.takePicture(of: panes[0], as: "left"),
                await self.takePicture(of: panes[1], as: "right"),
                picture(ofWindow: self.browser.windows.first?.widget, window),
                let one = lowestColor(left, at: 5), let other = lowestColor(right, at: 5)
            else { return false }
            return one != other && lowestColor(window, at: 205) == one
                && lowestColor(window, at: 890) == other
        }
        check("both are on the screen", isDrawn)
    }

    /// Checks by the pages themselves that two of them are visible and share the width.
    private func checkPanes(_ one: Tab, _ other: Tab) async {
        await arrival(of: one)
        await arrival(of: other)
        let script = "document.visibilityState + ' ' + innerWidth"
        var seen: [String] = []
        let areSeen = await until {
            seen = [await self.ask(one, script), await self.ask(other, script)]
            return seen.allSatisfy { $0.hasPrefix("visible 3") }
        }
        check("two panes are visible, each with half of the width", areSeen, "\(seen)")
    }
}
