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
    case close([TabNumber])
    case move(TabNumber, to: Int)
    case send(TabNumber, toWindow: Int)
    case pin(TabNumber, Bool)
    case group(String, [TabNumber])
    case ungroup([TabNumber])
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
        case back
        case forward
        case scroll(Int)
    }
}

/// A tab as the user names it: `3` is the third tab of the window, and `i3` the third incognito tab.
struct TabNumber: Hashable {
    var number: Int
    var isIncognito = false
}

extension TabNumber: LosslessStringConvertible {
    init?(_ text: String) {
        let digits = text.hasPrefix("i") ? text.dropFirst() : text[...]
        guard let number = Int(digits), number > 0, digits.allSatisfy(\.isNumber) else {
            return nil
        }
        self.init(number: number, isIncognito: text.hasPrefix("i"))
    }

    var description: String { (isIncognito ? "i" : "") + "\(number)" }
}

/// A mistake in a command, and its correction.
enum CommandMistake: Error, Equatable {
    /// - Parameter suggestion: the likely intended command, as the end of a sentence.
    case unknown(String, suggestion: String)
    case usage(String)
    case noTab(TabNumber, count: Int)
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
                + counted(count, tab.isIncognito ? "incognito tab" : "tab") + ", see 'tabs'"
        case .noWindow(let number, let count):
            "there is no window \(number): \(counted(count, "is", "are")) open, see 'windows'"
        case .notNow(let reason): reason
        }
    }
}
