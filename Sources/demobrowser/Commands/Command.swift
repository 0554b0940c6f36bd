import BrowserSessions

/// A command of the browser, one for each line.
enum Command: Equatable {
    case help
    case windows
    case tabs
    case newWindow
    case showWindow(Int)
    case closeWindow
    case open(String)
    case openIncognito(String)
    case go(Step)
    case select(TabNumber)
    case close([NodeNumber])
    case move(TabNumber, to: Int)
    case send(TabNumber, toWindow: Int)
    case pin(NodeNumber, Bool)
    case group(String, [TabNumber])
    case ungroup([TabNumber])
    case folder(String, [NodeNumber])
    case split([NodeNumber])
    case into(NodeNumber, [NodeNumber])
    case below(NodeNumber, [NodeNumber])
    case out([NodeNumber])
    case rename(NodeNumber, String)
    case collapse(NodeNumber, Bool)
    case dissolve(NodeNumber)
    case spaces
    case space(String?)
    case share([TabNumber])
    case undo
    case closed
    case closeAll
    case undoCloseAll
    case confirmCloseAll
    case closeUnused(Int)
    case clear
    case inactive
    case reactivate
    case setAside
    case restoreSetAside(Int)
    case points
    case keep(String)
    case release(String)
    /// Goes back to a restore point; `nil` for the newest.
    case goBack(String?)
    case undoGoBack
    /// Applies the plan in a file.
    case apply(String)
    case find(String)
    case forget([String])
    case state(TabNumber)
    case visited
    case suggest(String)
    case background
    case foreground
    case save
    case crash
    case quit

    /// A move of the active tab.
    enum Step: Equatable {
        case to(String)
        /// Follows a link of the page by its number.
        case link(Int)
        case back
        case forward
        case scroll(Int)
    }
}

/// A tab as the user names it: `3` is the third tab of the window, `i3` the third incognito tab, and `s3`
/// the third tab of the space that the window shows.
struct TabNumber: Hashable {
    var number: Int
    var isIncognito = false
    var isOfSpace = false
}

extension TabNumber: LosslessStringConvertible {
    init?(_ text: String) {
        let (isIncognito, isOfSpace) = (text.hasPrefix("i"), text.hasPrefix("s"))
        let digits = isIncognito || isOfSpace ? text.dropFirst() : text[...]
        guard let number = Int(digits), number > 0, digits.allSatisfy(\.isNumber) else {
            return nil
        }
        self.init(number: number, isIncognito: isIncognito, isOfSpace: isOfSpace)
    }

    var description: String { (isIncognito ? "i" : isOfSpace ? "s" : "") + "\(number)" }
}

/// A tab or another node as the user names it: a tab by its number, and `n2` for the second folder,
/// group or split of the window's outline. `in2` is the second one of the incognito tabs.
struct NodeNumber: Hashable {
    var number: Int
    var isIncognito = false
    var isTab = true
    var isOfSpace = false

    /// The number of the tab; `nil` if it is another node.
    var tab: TabNumber? {
        isTab ? TabNumber(number: number, isIncognito: isIncognito, isOfSpace: isOfSpace) : nil
    }
}

extension NodeNumber: LosslessStringConvertible {
    init?(_ text: String) {
        let mark = text.hasPrefix("in") ? "in" : text.hasPrefix("n") ? "n" : ""
        guard let tab = TabNumber((mark == "in" ? "i" : "") + text.dropFirst(mark.count)),
            mark.isEmpty || tab.isIncognito == (mark == "in") && !tab.isOfSpace
        else { return nil }
        self.init(
            number: tab.number, isIncognito: tab.isIncognito, isTab: mark.isEmpty,
            isOfSpace: tab.isOfSpace)
    }

    var description: String {
        tab?.description ?? (isIncognito ? "i" : "") + "n\(number)"
    }
}

/// A mistake in a command, and its correction.
enum CommandMistake: Error, Equatable {
    /// - Parameter suggestion: the likely intended command, as the end of a sentence.
    case unknown(String, suggestion: String)
    case usage(String)
    case noTab(TabNumber, count: Int)
    case noNode(NodeNumber, count: Int)
    case noWindow(Int, count: Int)
    /// The command makes no sense now, for the given reason.
    case notNow(String)
}

extension CommandMistake: CustomStringConvertible {
    var description: String {
        switch self {
        case .unknown(let word, let suggestion):
            "there is no command '\(word)'\(suggestion.isEmpty ? ": 'help' lists all" : suggestion)"
        case .usage(let usage): "write: \(usage)"
        case .noTab(let tab, let count):
            "there is no tab \(tab): the window has "
                + counted(
                    count,
                    tab.isIncognito ? "incognito tab" : tab.isOfSpace ? "tab in a space" : "tab",
                    tab.isOfSpace ? "tabs in a space" : nil) + ", see 'tabs'"
        case .noNode(let node, let count):
            "there is no \(node): the window has "
                + counted(count, "folder, group or split", "folders, groups and splits")
                + ", see 'tabs'"
        case .noWindow(let number, let count):
            "there is no window \(number): \(counted(count, "is", "are")) open, see 'windows'"
        case .notNow(let reason): reason
        }
    }
}
