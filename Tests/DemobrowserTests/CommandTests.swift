import Testing

@testable import demobrowser

@Suite struct CommandTests {
    @Test(
        "Each command is read as it is written",
        arguments: [
            ("tabs", Command.tabs), ("window", .newWindow), ("window 2", .showWindow(2)),
            ("open demo:page/7", .open("demo:page/7")),
            ("  close 1  i2 ", .close([tab(1), hidden(2)])),
            ("close window", .closeWindow), ("go back", .go(.back)),
            ("go demo:welcome", .go(.to("demo:welcome"))), ("go scroll 3", .go(.scroll(3))),
            ("select i1", .select(hidden(1))), ("move 2 1", .move(tab(2), to: 1)),
            ("to 3 2", .send(tab(3), toWindow: 2)), ("pin 1", .pin(tab(1), true)),
            ("unpin 1", .pin(tab(1), false)), ("group news 1 2", .group("news", [tab(1), tab(2)])),
            ("ungroup 2", .ungroup([tab(2)])), ("setaside", .setAside),
            ("setaside 1", .restoreSetAside(1)), ("state 4", .state(tab(4))),
            ("visited", .visited), ("suggest page/7", .suggest("page/7")),
        ])
    func commands(line: String, command: Command) throws {
        #expect(try Command.read(line) == command)
    }

    @Test(arguments: ["", "   ", "# a remark", "#"])
    func emptyLinesAndRemarksAreNoCommands(line: String) throws {
        #expect(try Command.read(line) == nil)
    }

    @Test(
        "A command with wrong words behind it throws its usage",
        arguments: CommandForm.all.map(\.usage))
    func usage(usage: String) throws {
        let name = try #require(usage.split(separator: " ").first)
        #expect(throws: CommandMistake.usage(usage)) { try Command.read("\(name) scroll -1 x y") }
    }

    @Test(arguments: [
        "close 0", "close i0", "close -1", "close 1 x", "select +1", "pin i", "to 1 -2",
    ])
    func numbersOfTabsAreCountedFromOne(line: String) {
        #expect(throws: CommandMistake.self) { try Command.read(line) }
    }

    @Test func anUnknownCommandIsReportedWithTheNearestOne() {
        #expect(throws: CommandMistake.unknown("slect", suggestion: "; did you mean 'select'?")) {
            try Command.read("slect 1")
        }
        let error = CommandMistake.unknown("xyzzy", suggestion: "")
        #expect("\(error)" == "there is no command 'xyzzy': 'help' lists all")
    }

    @Test func noTwoCommandsHaveTheSameName() {
        let names = CommandForm.all.map(\.name)
        #expect(Set(names).count == names.count)
    }
}

private func tab(_ number: Int) -> TabNumber { TabNumber(number: number) }
private func hidden(_ number: Int) -> TabNumber { TabNumber(number: number, isIncognito: true) }
