import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import demobrowser

struct CommandTests {
    /// What no other test does: those show that commands about folders, windows and the past do what they say.
    @Test @MainActor func pagesAndGroupsAreAsTheLinesSay() async throws {
        let browser = try await launch(MemoryStorage())
        func say(_ line: String) async throws -> [String] { try await perform(line, in: browser) }
        try await perform("  open   demo:page/7 ", "go demo:page/14", in: browser)
        expect(try await say("go back").first == "   Page 7")
        expect(try await say("go forward").first == "   Page 14")
        expect(try await say("go scroll 3")[1] == "   | Line 4 of page 14.")
        expect(try await say("state 2").first == "  Page 7 <demo:page/7>")
        try await perform("open demo:page/8", "group news 2 3", in: browser)
        expect(browser.window.tabs.nodes.map(\.name), is: ["news"])
        expect(try await say("ungroup 2 3") == [] && browser.window.tabs.nodes.isEmpty)
        expect(try await say("setaside") == [])
        await expect(throws: CommandMistake.self) { try await perform("setaside 1", in: browser) }
    }

    @Test(arguments: ["", "   ", "# a remark", "#"])
    func emptyLinesAndRemarksAreNoCommands(line: String) throws {
        expect(try Command.read(line) == nil)
    }

    @Test(
        "A command with wrong words behind it throws its usage",
        arguments: CommandForm.all.map(\.usage).filter { $0 != "goback [POINT]" })
    func usage(usage: String) throws {
        let name = try require(usage.split(separator: " ").first)
        // What takes any words needs one.
        let line =
            [" WORD…", " SITE…", " POINT"].contains(where: usage.hasSuffix)
            ? "\(name)" : "\(name) scroll -1 x y"
        expect(throws: CommandMistake("write: \(usage)")) { try Command.read(line) }
    }

    @Test(arguments: [
        "close 0", "close i0", "close n0", "close ni1", "rename 1 x", "into 1 2", "close -1",
        "close 1 x", "select +1", "pin i", "to 1 -2",
    ])
    func numbersOfTabsAreCountedFromOne(line: String) {
        expect(throws: CommandMistake.self) { try Command.read(line) }
    }

    @Test func anUnknownCommandIsReportedWithTheNearestOne() {
        let ends = ["slect 1": "; did you mean 'select'?", "xyzzy": ": 'help' lists all"]
        for (line, end) in ends {
            let word = line.prefix { $0 != " " }
            expect(throws: CommandMistake("there is no command '\(word)'\(end)")) {
                try Command.read(line)
            }
        }
    }

    @Test func noTwoCommandsHaveTheSameName() {
        let names = CommandForm.all.map(\.name)
        expect(Set(names).count, is: names.count)
    }
}
