import Expectations

@testable import demobrowser

struct CommandTests {
    @Test(
        "Each command is read as it is written",
        arguments: [
            ("tabs", Command.tabs), ("window", .newWindow), ("window 2", .showWindow(2)),
            ("open demo:page/7", .open("demo:page/7")),
            ("  close 1  i2 ", .close([node(1), hiddenNode(2)])),
            ("close window", .closeWindow), ("go back", .go(.back)),
            ("go demo:welcome", .go(.to("demo:welcome"))), ("go scroll 3", .go(.scroll(3))),
            ("go 2", .go(.link(2))),
            ("select i1", .select(hidden(1))), ("move 2 1", .move(tab(2), to: 1)),
            ("to 3 2", .send(tab(3), toWindow: 2)), ("pin 1", .pin(node(1), true)),
            ("unpin 1", .pin(node(1), false)),
            ("group news 1 2", .group("news", [tab(1), tab(2)])),
            ("ungroup 2", .ungroup([tab(2)])), ("setaside", .setAside),
            ("setaside 1", .restoreSetAside(1)), ("state 4", .state(tab(4))),
            ("folder work 1 n2", .folder("work", [node(1), folder(2)])),
            ("folder later", .folder("later", [])), ("split 1 2", .split([node(1), node(2)])),
            ("into n1 3", .into(folder(1), [node(3)])),
            ("close in1", .close([hiddenNode(1, false)])),
            ("below 1 2 n1", .below(node(1), [node(2), folder(1)])), ("out 4", .out([node(4)])),
            ("rename n1 read", .rename(folder(1), "read")), ("dissolve n1", .dissolve(folder(1))),
            ("collapse n1", .collapse(folder(1), true)), ("pin n2", .pin(folder(2), true)),
            ("expand n1", .collapse(folder(1), false)), ("visited", .visited),
            ("suggest page/7", .suggest("page/7")), ("points", .points),
            ("keep for lunch", .keep("for lunch")), ("release 12", .release("12")),
            ("goback", .goBack(nil)), ("goback for lunch", .goBack("for lunch")),
            ("undo-goback", .undoGoBack), ("apply a/plan", .apply("a/plan")),
            ("find  big  news", .find("big news")), ("forget a.example", .forget(["a.example"])),
        ])
    func commands(line: String, command: Command) throws {
        expect(try Command.read(line) == command)
    }

    @Test(arguments: ["", "   ", "# a remark", "#"])
    func emptyLinesAndRemarksAreNoCommands(line: String) throws {
        expect(try Command.read(line) == nil)
    }

    @Test(
        "A command with wrong words behind it throws its usage",
        arguments: CommandForm.all.map(\.usage).filter { $0 != "goback [POINT]" })
    func usage(usage: String) throws {
        let name = try #require(usage.split(separator: " ").first)
        // What takes any words needs one.
        let line =
            [" WORD…", " SITE…", " POINT"].contains(where: usage.hasSuffix)
            ? "\(name)" : "\(name) scroll -1 x y"
        #expect(throws: CommandMistake.usage(usage)) { try Command.read(line) }
    }

    @Test(arguments: [
        "close 0", "close i0", "close n0", "close ni1", "rename 1 x", "into 1 2", "close -1",
        "close 1 x", "select +1", "pin i", "to 1 -2",
    ])
    func numbersOfTabsAreCountedFromOne(line: String) {
        #expect(throws: CommandMistake.self) { try Command.read(line) }
    }

    @Test func anUnknownCommandIsReportedWithTheNearestOne() {
        #expect(throws: CommandMistake.unknown("slect", suggestion: "; did you mean 'select'?")) {
            try Command.read("slect 1")
        }
        let error = CommandMistake.unknown("xyzzy", suggestion: "")
        expect("\(error)", is: "there is no command 'xyzzy': 'help' lists all")
    }

    @Test func noTwoCommandsHaveTheSameName() {
        let names = CommandForm.all.map(\.name)
        expect(Set(names).count, is: names.count)
    }
}

private func tab(_ number: Int) -> TabNumber { TabNumber(number: number) }
private func node(_ number: Int) -> NodeNumber { NodeNumber(number: number) }
private func folder(_ number: Int) -> NodeNumber { NodeNumber(number: number, isTab: false) }
private func hiddenNode(_ number: Int, _ isTab: Bool = true) -> NodeNumber {
    NodeNumber(number: number, isIncognito: true, isTab: isTab)
}
private func hidden(_ number: Int) -> TabNumber { TabNumber(number: number, isIncognito: true) }
