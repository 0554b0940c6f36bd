extension CommandForm {
    /// All commands, in the order in which `help` lists them.
    static let all: [CommandForm] =
        showing + pages + tabs + structure + spaces + closing + earlier + program

    private static let showing = [
        CommandForm("help", "lists the commands", .help),
        CommandForm("windows", "lists the windows", .windows),
        CommandForm("tabs", "lists the tabs of the window, and its folders as n1, n2", .tabs),
        CommandForm("window [NUMBER]", "opens a new window, or shows another") { words in
            guard let word = words.first else { return .newWindow }
            return words.count == 1 ? number(word).map(Command.showWindow) : nil
        },
        CommandForm("state TAB", "shows the history of a tab without realizing it") {
            $0.count == 1 ? TabNumber($0[0]).map(Command.state) : nil
        },
        CommandForm("closed", "lists what was closed", .closed),
        CommandForm("visited", "lists the pages that were visited, the last one first", .visited),
        CommandForm("suggest TEXT", "lists open and visited pages with the text") {
            $0.count == 1 ? .suggest($0[0]) : nil
        },
    ]

    private static let pages = [
        CommandForm("open ADDRESS", "opens a tab") { $0.count == 1 ? .open($0[0]) : nil },
        CommandForm("incognito ADDRESS", "opens an incognito tab") {
            $0.count == 1 ? .openIncognito($0[0]) : nil
        },
        CommandForm("go ADDRESS|LINK|back|forward|scroll LINE", "moves in the active tab") {
            words in
            switch words.count {
            case 1 where number(words[0]) != nil: number(words[0]).map { .go(.link($0)) }
            case 1 where words[0] == "back": .go(.back)
            case 1 where words[0] == "forward": .go(.forward)
            case 1 where words[0] != "scroll": .go(.to(words[0]))
            case 2 where words[0] == "scroll": number(words[1]).map { .go(.scroll($0)) }
            default: nil
            }
        },
    ]

    private static let tabs = [
        CommandForm("select TAB", "shows a tab, which realizes it") {
            $0.count == 1 ? TabNumber($0[0]).map(Command.select) : nil
        },
        CommandForm("move TAB PLACE", "moves a tab in its window") { words in
            guard words.count == 2, let tab = TabNumber(words[0]) else { return nil }
            return number(words[1]).map { .move(tab, to: $0) }
        },
        CommandForm("to TAB WINDOW", "moves a tab to another window") { words in
            guard words.count == 2, let tab = TabNumber(words[0]) else { return nil }
            return number(words[1]).map { .send(tab, toWindow: $0) }
        },
        CommandForm("pin TAB|FOLDER", "pins it") {
            $0.count == 1 ? NodeNumber($0[0]).map { .pin($0, true) } : nil
        },
        CommandForm("unpin TAB|FOLDER", "unpins it") {
            $0.count == 1 ? NodeNumber($0[0]).map { .pin($0, false) } : nil
        },
        CommandForm("group NAME TAB…", "makes a group, or adds to one") { words in
            guard let name = words.first else { return nil }
            return numbers(words.dropFirst()).map { .group(name, $0) }
        },
        CommandForm("ungroup TAB…", "takes tabs out of their groups") {
            numbers($0[...]).map(Command.ungroup)
        },
    ]

    // FOLDER is the `n1` of a folder, group or split, and NODE is that or the number of a tab.
    private static let structure = [
        CommandForm("folder NAME [NODE…]", "makes a folder, where the first node is") { words in
            guard let name = words.first else { return nil }
            return words.count == 1
                ? .folder(name, []) : nodes(words[1...]).map { .folder(name, $0) }
        },
        CommandForm("split NODE…", "shows tabs together, as panes") {
            nodes($0[...]).map(Command.split)
        },
        CommandForm("into FOLDER NODE…", "moves nodes into a folder, group or split") { words in
            guard let folder = folder(words.prefix(1)) else { return nil }
            return nodes(words.dropFirst()).map { .into(folder, $0) }
        },
        CommandForm("below NODE NODE…", "lets nodes branch from the first one") { words in
            guard let nodes = nodes(words[...]), nodes.count > 1 else { return nil }
            return .below(nodes[0], Array(nodes.dropFirst()))
        },
        CommandForm("out NODE…", "takes nodes out of what they are in or below") {
            nodes($0[...]).map(Command.out)
        },
        CommandForm("rename FOLDER NAME", "gives it another name") { words in
            words.count == 2 ? folder(words.prefix(1)).map { .rename($0, words[1]) } : nil
        },
        CommandForm("collapse FOLDER", "hides what is in it") {
            folder($0[...]).map { .collapse($0, true) }
        },
        CommandForm("expand FOLDER", "shows what is in it") {
            folder($0[...]).map { .collapse($0, false) }
        },
        CommandForm("dissolve FOLDER", "ends it; what is in it takes its place") {
            folder($0[...]).map(Command.dissolve)
        },
    ]

    private static let spaces = [
        CommandForm("spaces", "lists the spaces, which all windows share", .spaces),
        CommandForm("space [NAME]", "shows a space in the window, or none; makes a new one") {
            $0.count > 1 ? nil : .space($0.first)
        },
        CommandForm("share TAB…", "moves tabs to the space on screen, as s1") {
            numbers($0[...]).map(Command.share)
        },
    ]

    private static let closing = [
        CommandForm("close NODE…|window", "closes tabs, folders, or the window") { words in
            words == ["window"] ? .closeWindow : nodes(words[...]).map(Command.close)
        },
        CommandForm("undo", "reopens what was closed last", .undo),
        CommandForm("closeall", "closes all tabs of the window but pinned ones", .closeAll),
        CommandForm("undo-closeall", "brings them back, also after a crash", .undoCloseAll),
        CommandForm("confirm-closeall", "lets them go for good", .confirmCloseAll),
        CommandForm("closeunused MINUTES", "closes tabs not used for so long; see undo") {
            $0.count == 1 ? number($0[0]).map(Command.closeUnused) : nil
        },
        CommandForm("clear", "clears all browsing data, without undo", .clear),
        CommandForm("inactive", "puts tabs away that were not used for long", .inactive),
        CommandForm("reactivate", "brings all of them back", .reactivate),
        CommandForm("setaside [NUMBER]", "lists what was set aside, or brings it back") { words in
            guard let word = words.first else { return .setAside }
            return words.count == 1 ? number(word).map(Command.restoreSetAside) : nil
        },
    ]

    // POINT is the number or the name of a restore point, as `points` lists it.
    private static let earlier = [
        CommandForm("points", "lists the restore points, the newest first", .points),
        CommandForm("keep WORD…", "takes a restore point with this name, which stays") {
            $0.isEmpty ? nil : .keep($0.joined(separator: " "))
        },
        CommandForm("release POINT", "gives one up") {
            $0.isEmpty ? nil : .release($0.joined(separator: " "))
        },
        CommandForm("goback [POINT]", "brings back what it has, or the newest, and is gone") {
            .goBack($0.isEmpty ? nil : $0.joined(separator: " "))
        },
        CommandForm(
            "undo-goback", "undoes the last goback or apply, also after a crash", .undoGoBack),
        CommandForm("apply FILE", "applies a plan of 'sessionctl restore --plan-to'") {
            $0.count == 1 ? .apply($0[0]) : nil
        },
        CommandForm("find WORD…", "says where tabs are, or when they were seen last") {
            $0.isEmpty ? nil : .find($0.joined(separator: " "))
        },
        CommandForm("forget SITE…", "removes what leads to sites, without undo; open tabs stay") {
            $0.isEmpty ? nil : .forget($0)
        },
    ]

    private static let program = [
        CommandForm("background", "leaves the browser, which saves at once", .background),
        CommandForm("foreground", "comes back to it", .foreground),
        CommandForm("save", "saves now and waits for it", .save),
        CommandForm("crash", "ends the browser as a crash does", .crash),
        CommandForm("quit", "saves and ends", .quit),
    ]

    private static func number(_ word: String) -> Int? { Int(word).flatMap { $0 >= 0 ? $0 : nil } }

    private static func numbers(_ words: ArraySlice<String>) -> [TabNumber]? {
        let tabs = words.compactMap { TabNumber($0) }
        return tabs.isEmpty || tabs.count < words.count ? nil : tabs
    }

    private static func nodes(_ words: ArraySlice<String>) -> [NodeNumber]? {
        let nodes = words.compactMap { NodeNumber($0) }
        return nodes.isEmpty || nodes.count < words.count ? nil : nodes
    }

    /// Returns the only word as a number of a folder, group or split.
    private static func folder(_ words: ArraySlice<String>) -> NodeNumber? {
        let nodes = nodes(words) ?? []
        return nodes.count == 1 ? nodes.first { !$0.isTab } : nil
    }
}
