import BrowserModel
import BrowserSessions
import SessionRestoration

extension CommandForm {
    /// All commands, in the order in which `help` lists them.
    static let all: [CommandForm] =
        showing + pages + tabs + structure + spaces + closing + earlier + program

    private static let showing: [CommandForm] = [
        CommandForm("help", "lists the commands", .help),
        says("windows", "lists the windows") { $0.windowLines() },
        says("tabs", "lists the tabs of the window, and its folders as n1, n2") { $0.tabLines() },
        does("window [NUMBER]", "opens a new window, or shows another", atMostOne(UInt32.self)) {
            browser, number in
            if let number { try browser.showWindow(Int(number)) } else { try browser.openWindow() }
        },
        says("state TAB", "shows the history of a tab without realizing it", one(TabNumber.self)) {
            try await $0.stateLines(of: $0.tab($1))
        },
        says("closed", "lists what was closed") { Past($0).closedLines() },
        says("visited", "lists the pages that were visited, the last one first") {
            try $0.visitedLines()
        },
        says("suggest TEXT", "lists open and visited pages with the text", one(String.self)) {
            try $0.suggestionLines(for: $1)
        },
    ]

    private static let pages: [CommandForm] = [
        says("open ADDRESS", "opens a tab", one(String.self)) {
            try $0.open($1)
            return $0.pageText()
        },
        does("incognito ADDRESS", "opens an incognito tab", one(String.self)) {
            try $0.openIncognito($1)
        },
        says("go ADDRESS|LINK|back|forward|scroll LINE", "moves in the active tab", step) {
            try $0.go($1, in: await $0.activePage())
            return $0.pageText()
        },
    ]

    private static let tabs: [CommandForm] = [
        says("select TAB", "shows a tab, which realizes it", one(TabNumber.self)) {
            try await $0.showTab($1)
        },
        says(
            "move TAB PLACE", "moves a tab in its window", first(TabNumber.self, one(UInt32.self))
        ) { try [$0.move($1.0, to: Int($1.1))] },
        says(
            "to TAB WINDOW", "moves a tab to another window",
            first(TabNumber.self, one(UInt32.self))
        ) { try [$0.send($1.0, toWindow: Int($1.1))] },
        does("pin TAB|FOLDER", "pins it", one(NodeNumber.self)) { try $0.pin($1, true) },
        does("unpin TAB|FOLDER", "unpins it", one(NodeNumber.self)) { try $0.pin($1, false) },
        does(
            "group NAME TAB…", "makes a group, or adds to one",
            first(String.self, list(TabNumber.self))
        ) { try $0.group($1.0, $1.1) },
        does("ungroup TAB…", "takes tabs out of their groups", list(TabNumber.self)) {
            try $0.ungroup($1)
        },
    ]

    // FOLDER is the `n1` of a folder, group or split, and NODE is that or the number of a tab.
    private static let structure: [CommandForm] = [
        does(
            "folder NAME [NODE…]", "makes a folder, where the first node is",
            first(String.self, list(NodeNumber.self, from: 0))
        ) { try $0.makeFolder($1.0, $1.1) },
        does("split NODE…", "shows tabs together, as panes", list(NodeNumber.self)) {
            try $0.makeSplit($1)
        },
        says(
            "into FOLDER NODE…", "moves nodes into a folder, group or split",
            first(FolderNumber.self, list(NodeNumber.self))
        ) { try $0.move($1.1, into: $1.0) },
        says(
            "below NODE NODE…", "lets nodes branch from the first one",
            first(NodeNumber.self, list(NodeNumber.self))
        ) { try $0.move($1.1, below: $1.0) },
        says("out NODE…", "takes nodes out of what they are in or below", list(NodeNumber.self)) {
            try $0.takeOut($1)
        },
        does(
            "rename FOLDER NAME", "gives it another name",
            first(FolderNumber.self, one(String.self))
        ) { browser, words in
            try browser.update(words.0) { $0.name = words.1 }
        },
        does("collapse FOLDER", "hides what is in it", one(FolderNumber.self)) { browser, folder in
            try browser.update(folder) { $0.isCollapsed = true }
        },
        does("expand FOLDER", "shows what is in it", one(FolderNumber.self)) { browser, folder in
            try browser.update(folder) { $0.isCollapsed = false }
        },
        does(
            "dissolve FOLDER", "ends it; what is in it takes its place", one(FolderNumber.self)
        ) { try $0.dissolve($1) },
    ]

    private static let spaces: [CommandForm] = [
        says("spaces", "lists the spaces, which all windows share") { $0.spaceLines() },
        does(
            "space [NAME]", "shows a space in the window, or none; makes a new one",
            atMostOne(String.self)
        ) { try $0.showSpace($1) },
        says("share TAB…", "moves tabs to the space on screen, as s1", list(TabNumber.self)) {
            try $0.share($1)
        },
    ]

    private static let closing: [CommandForm] = [
        CommandForm("close NODE…|window", "closes tabs, folders, or the window") { words in
            if words == ["window"] { return .does { try $0.closeWindow() } }
            guard let nodes = list(NodeNumber.self)(words[...]) else { return nil }
            return .does { try $0.close(nodes) }
        },
        says("undo", "reopens what was closed last") { try await Past($0).undo() },
        says("closeall", "closes all tabs of the window but pinned ones") {
            [counted(try $0.restorer.closeAll(in: $0.window), "tab") + " closed"]
        },
        says("undo-closeall", "brings them back, also after a crash") {
            [counted(try $0.restorer.closeAll.undo(in: $0.window.id).count, "tab") + " back"]
        },
        does("confirm-closeall", "lets them go for good") {
            try $0.restorer.closeAll.confirm(in: $0.window.id)
        },
        says(
            "closeunused MINUTES", "closes tabs not used for so long; see undo", one(UInt32.self)
        ) { try Past($0).closeUnused(Int($1)) },
        says("clear", "clears all browsing data, without undo") { try await Past($0).clear() },
        says("inactive", "puts tabs away that were not used for long") {
            [counted(try $0.restorer.inactive.moveUnused(), "tab") + " became inactive"]
        },
        says("reactivate", "brings all of them back") {
            [counted(try $0.restorer.inactive.reactivateAll(), "tab") + " back"]
        },
        says(
            "setaside [NUMBER]", "lists what was set aside, or brings it back",
            atMostOne(UInt32.self)
        ) { browser, number in
            guard let number else { return Past(browser).setAsideLines() }
            try await Past(browser).restoreSetAside(Int(number))
            return []
        },
    ]

    // POINT is the number or the name of a restore point, as `points` lists it.
    private static let earlier: [CommandForm] = [
        says("points", "lists the restore points, the newest first") {
            try await Past($0).pointLines()
        },
        says("keep WORD…", "takes a restore point with this name, which stays", text) {
            try await Past($0).keep($1)
        },
        says("release POINT", "gives one up", text) { try await Past($0).release($1) },
        CommandForm("goback [POINT]", "brings back what it has, or the newest, and is gone") {
            let name = text($0[...])
            return .action { try await Past($0).goBack(to: name) }
        },
        says("undo-goback", "undoes the last goback or apply, also after a crash") {
            try await Past($0).undoGoBack()
        },
        says(
            "apply FILE", "applies a plan of 'sessionctl restore --plan-to'", one(String.self)
        ) { try await Past($0).apply(file: $1) },
        says("find WORD…", "says where tabs are, or when they were seen last", text) {
            try await Past($0).found($1)
        },
        says(
            "forget SITE…", "removes what leads to sites, without undo; open tabs stay",
            list(String.self)
        ) { try await Past($0).forget($1) },
    ]

    private static let program: [CommandForm] = [
        does("background", "leaves the browser, which saves at once") { $0.enterBackground() },
        does("foreground", "comes back to it") { $0.enterForeground() },
        does("save", "saves now and waits for it") { try await $0.restorer.save() },
        CommandForm("crash", "ends the browser as a crash does", .crash),
        CommandForm("quit", "saves and ends", .quit),
    ]
}

// MARK: - Forms of what the browser does

extension CommandForm {
    /// Returns what words mean; `nil` if they mean nothing.
    private typealias Reader<Value> = @Sendable (ArraySlice<String>) -> Value?

    private static func says(
        _ name: String, _ summary: String, _ action: @escaping Command.Action
    ) -> CommandForm {
        CommandForm(name, summary, .action(action))
    }

    private static func says<Argument: Sendable>(
        _ usage: String, _ summary: String, _ read: @escaping Reader<Argument>,
        _ action: @escaping @MainActor @Sendable (Browser, Argument) async throws -> [String]
    ) -> CommandForm {
        CommandForm(usage, summary) { words in
            guard let argument = read(words[...]) else { return nil }
            return .action { try await action($0, argument) }
        }
    }

    private static func does(
        _ name: String, _ summary: String,
        _ work: @escaping @MainActor @Sendable (Browser) async throws -> Void
    ) -> CommandForm {
        CommandForm(name, summary, .does(work))
    }

    private static func does<Argument: Sendable>(
        _ usage: String, _ summary: String, _ read: @escaping Reader<Argument>,
        _ work: @escaping @MainActor @Sendable (Browser, Argument) async throws -> Void
    ) -> CommandForm {
        CommandForm(usage, summary) { words in
            guard let argument = read(words[...]) else { return nil }
            return .does { try await work($0, argument) }
        }
    }

    private static func one<Value: LosslessStringConvertible & Sendable>(
        _: Value.Type
    ) -> Reader<Value> {
        { words in words.count == 1 ? words.first.flatMap { Value($0) } : nil }
    }

    private static func atMostOne<Value: LosslessStringConvertible & Sendable>(
        _ type: Value.Type
    ) -> Reader<Value?> {
        { words in words.count > 1 ? nil : list(type, from: 0)(words).map { $0.first } }
    }

    private static func list<Value: LosslessStringConvertible & Sendable>(
        _: Value.Type, from least: Int = 1
    ) -> Reader<[Value]> {
        { words in
            let values = words.compactMap { Value($0) }
            return values.count < max(words.count, least) ? nil : values
        }
    }

    /// Reads one word, and then others.
    private static func first<First: LosslessStringConvertible & Sendable, Rest: Sendable>(
        _: First.Type, _ rest: @escaping Reader<Rest>
    ) -> Reader<(First, Rest)> {
        { words in
            guard let word = words.first, let first = First(word),
                let others = rest(words.dropFirst())
            else { return nil }
            return (first, others)
        }
    }

    private static let text: Reader<String> = { $0.isEmpty ? nil : $0.joined(separator: " ") }

    private static let step: Reader<Browser.Step> = { words in
        guard let word = words.first, let last = words.last else { return nil }
        let number = UInt32(last).map { Int($0) }
        return switch (words.count, word) {
        case (1, "back"): .back
        case (1, "forward"): .forward
        case (1, "scroll"): nil
        case (1, _): if let number { .link(number) } else { .to(word) }
        case (2, "scroll"): if let number { .scroll(number) } else { nil }
        default: nil
        }
    }
}
