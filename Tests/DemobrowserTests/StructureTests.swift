import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting

@testable import demobrowser

/// Folders, splits and branches as the user makes and sees them.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct StructureTests {
    private let storage = MemoryStorage()

    /// A browser with the welcome page and six others, as 1 to 7.
    private func launchWithTabs() async throws -> Browser {
        let browser = try await launch(storage)
        for number in 2...7 { try await perform("open demo:page/\(number)", in: browser) }
        return browser
    }

    /// The outline without addresses and notes of tabs.
    private func outline(of browser: Browser) async throws -> [String] {
        try await perform("tabs", in: browser).map { line in
            line.firstIndex(of: "<").map { String(line[..<$0].dropLast()) } ?? line
        }
    }

    @Test func anOutlineShowsFoldersPanesAndBranchesAndComesBack() async throws {
        let browser = try await launchWithTabs()
        try await perform(
            "folder work 2 3 4 5", "folder later 2", "split 3 4", "below 5 6", "pin 1",
            "open demo:page/8", in: browser)
        let expected = [
            "  1 Welcome", "  n1 ▾ work (folder)", "    n2 ▾ later (folder)", "      2 Page 2",
            "    n3 (split)", "      | 3 Page 3", "      | 4 Page 4", "    5 Page 5",
            "      └ 6 Page 6", "  7 Page 7", "> 8 Page 8",
        ]
        expect(try await outline(of: browser) == expected)
        try await browser.close()
        let next = try await launch(storage.reopened())
        expect(try await outline(of: next) == expected)
    }

    @Test func whatMovedIsSaidAndLinksHaveNumbers() async throws {
        let browser = try await launchWithTabs()
        func say(_ line: String) async throws -> [String] { try await perform(line, in: browser) }
        expect(try await say("move 3 1") == ["moved tab 3 to 1: Page 3"])
        expect(try await say("move 1 7") == ["moved tab 1 to 7: Page 3"])
        try await perform("folder work 2", in: browser)
        expect(try await say("into n1 3 4") == ["moved 3 and 4 into n1"])
        expect(try await say("out 3") == ["took 3 out"])
        expect(try await say("below 1 5") == ["moved 5 below 1"])
        try await perform("window", "window 1", "select 1", in: browser)
        let page = try await say("go demo:page/4")
        expect(
            page.suffix(3),
            is: [
                "   1 -> demo:page/5", "   2 -> demo:page/8", "   3 -> demo:welcome",
            ])
        expect(try await say("go 2").last == "   3 -> demo:welcome")
        expect(browser.window.tabOnScreen?.url, is: "demo:page/8")
        for line in ["go 4", "go 0"] {
            await expect(throws: CommandMistake.self) { try await perform(line, in: browser) }
        }
        let title = try require(browser.window.tabOnScreen?.title)
        expect(try await say("to 1 2") == ["moved tab 1 to window 2: \(title)"])
        try await browser.close()
    }

    @Test func windowsShareASpaceThatComesBack() async throws {
        let browser = try await launchWithTabs()
        try await perform("space work", "share 2 3", "select s2", in: browser)
        let first = try await outline(of: browser)
        expect(
            first,
            is: [
                "  space work", "    s1 Page 2", ">   s2 Page 3", "  1 Welcome", "  2 Page 4",
                "  3 Page 5", "  4 Page 6", "  5 Page 7",
            ])
        try await perform("window", "space work", "select s1", in: browser)
        let second = ["  space work", ">   s1 Page 2", "    s2 Page 3", "  1 Welcome"]
        expect(try await outline(of: browser) == second)
        expect(try await perform("spaces", in: browser) == ["> work: 2 tabs"])
        try await browser.close()
        let next = try await launch(storage.reopened())
        expect(try await outline(of: next) == second)
        try await perform("window 1", in: next)
        expect(try await outline(of: next) == first)
        try await perform("close s1", in: next)
        expect(try await perform("spaces", in: next) == ["> work: 1 tab"])
        try await perform("undo", "space", in: next)
        expect(try await outline(of: next).first == "  1 Welcome")
        expect(try await perform("spaces", in: next) == ["  work: 2 tabs"])
        await expect(throws: CommandMistake.self) { try await perform("select s1", in: next) }
    }

    @Test func aCollapsedFolderHidesAllButTheActiveTabAndKeepsNumbers() async throws {
        let browser = try await launchWithTabs()
        try await perform("folder work 2 3 4", "folder later 3", "collapse n1", in: browser)
        expect(
            try await outline(of: browser).prefix(3) == [
                "  1 Welcome", "  n1 ▸ work (folder, collapsed with 3 tabs)", "  5 Page 5",
            ])
        try await perform("select 3", in: browser)
        expect(try await outline(of: browser)[2] == ">     3 Page 3")
        try await perform("expand n1", "rename n2 soon", in: browser)
        expect(try await outline(of: browser)[3] == "    n2 ▾ soon (folder)")
    }

    @Test func nodesMoveIntoAndOutOfOthers() async throws {
        let browser = try await launchWithTabs()
        try await perform("folder a", "folder b 2", "into n2 n1 3", "into n1 5", in: browser)
        expect(
            try await outline(of: browser) == [
                "  1 Welcome", "  2 Page 4", "  3 Page 5", "  4 Page 6", "  n1 ▾ a (folder)",
                "    n2 ▾ b (folder)", "      5 Page 2", "    6 Page 3", ">   7 Page 7",
            ])
    }

    @Test func takingBothPanesOutOfASplitTakesThemNoFurther() async throws {
        let browser = try await launchWithTabs()
        try await perform("folder a 2 3 4", "split 2 3", "out 2 3", in: browser)
        expect(
            try await outline(of: browser).prefix(5) == [
                "  1 Welcome", "  n1 ▾ a (folder)", "    2 Page 2", "    3 Page 3", "    4 Page 4",
            ])
        try await perform("below 2 3", "out 3", "out 2", in: browser)
        expect(
            try await outline(of: browser).prefix(5) == [
                "  1 Welcome", "  n1 ▾ a (folder)", "    2 Page 3", "    3 Page 4", "  4 Page 2",
            ])
        await expect(throws: CommandMistake("4 is in no folder, and below no tab")) {
            try await perform("out 4", in: browser)
        }
    }

    @Test func foldersAreDissolvedClosedAndPinned() async throws {
        let browser = try await launchWithTabs()
        try await perform("folder a 2 3", "folder b 4 5", "pin n2", "dissolve n2", in: browser)
        expect(
            try await outline(of: browser) == [
                "  n1 ▾ b (folder, pinned)", "    1 Page 4", "    2 Page 5", "  3 Welcome",
                "  4 Page 2", "  5 Page 3", "  6 Page 6", "> 7 Page 7",
            ])
        try await perform("unpin n1", "close n1 4", in: browser)
        expect(browser.window.tabs.map(\.title), is: ["Welcome", "Page 3", "Page 6", "Page 7"])
        expect(browser.window.tabs.nodes.isEmpty)
    }

    @Test func incognitoTabsHaveFoldersOfTheirOwn() async throws {
        let browser = try await launchWithTabs()
        try await perform("incognito demo:page/777", "folder hidden i1", in: browser)
        expect(
            try await outline(of: browser).suffix(2) == [
                "  in1 ▾ hidden (folder)", ">   i1 Page 777",
            ])
        await expect(
            throws: CommandMistake("incognito tabs are never together with others")
        ) {
            try await perform("into in1 2", in: browser)
        }
    }

    @Test func whatTheListRefusesIsReportedInItsWords() async throws {
        let browser = try await launchWithTabs()
        try await perform("folder a 2 3", "split 4 5", in: browser)
        let nodes = browser.window.tabs.nodes.map(\.id)
        await expect(throws: TabListError.breaksRule(nodes[0], .belowItself)) {
            try await perform("into n1 n1", in: browser)
        }
        await expect(throws: TabListError.breaksRule(nodes[0], .pane)) {
            try await perform("into n2 n1", in: browser)
        }
        await expect(throws: TabListError.self) { try await perform("split 2", in: browser) }
        let mistake = "there is no n3: the window has 2 folders, groups and splits, see 'tabs'"
        await expect(throws: CommandMistake(mistake)) {
            try await perform("rename n3 x", in: browser)
        }
    }

    @Test("What is saved is what the windows have, whatever was done", arguments: 1...20)
    func random(seed: UInt64) async throws {
        let browser = try await launch(storage)
        var commands = RandomCommands(seed: seed)
        for number in 1...150 {
            // Commands about what is not there, or that the list refuses, change nothing.
            _ = try? await perform(commands.next(), in: browser)
            guard number % 5 == 0 else { continue }
            try await browser.restorer.save()
            for window in browser.windows {
                let saved = storage.snapshots.first { $0.id == window.sessionID }
                let forest = SessionForest(
                    tabs: saved?.tabs.map(\.metadata) ?? [], nodes: saved?.nodes ?? [])
                guard forest != window.tabs.forest else { continue }
                recordIssue(
                    "after \(number) commands: \(forest.rows), not \(window.tabs.forest.rows)")
                return
            }
        }
        try await browser.close()
    }
}
