import BrowserSessions

/// The words in which lists and the page speak of sessions.
enum Shown {
    /// What the user named a window, or its number, and what kind of place it is unless those are its
    /// open tabs.
    static func heading(_ kind: SessionKind, _ attributes: SessionAttributes, number: Int) -> String
    {
        let unnamed = number == 0 ? closedTabs : "\(window) \(number)"
        let name = attributes.title.isEmpty ? unnamed : attributes.title
        var words: [String] = attributes.closedAt == nil ? [] : [closedWindow]
        switch kind.onTheRecord {
        case .regular, .transit: break
        case .backup: words.append("closed together")
        case .inactive: words.append("inactive tabs")
        case .setAside: words.append("set aside after a crash")
        case .recentlyClosed: words.append("recently closed")
        case let other: words.append(other.rawValue)
        }
        if kind.side == .incognito { words.append("incognito") }
        return words.isEmpty ? name : name + " – " + words.joined(separator: ", ")
    }

    static let window = "Window"
    static let closedTabs = "Closed tabs"
    static let closedWindow = "closed window"

    /// The title of a tab, or its address.
    static func title(of tab: TabMetadata) -> String {
        if !tab.title.isEmpty { return tab.title }
        return tab.url.isEmpty ? "Empty tab" : tab.url
    }

    static func title(of group: TabGroup) -> String {
        group.title.isEmpty ? unnamedGroup : group.title
    }

    static let unnamedGroup = "an unnamed group"
}

/// The numbers of windows, in the order in which they come: the sessions of one have the same, and
/// closed tabs of no such window have none.
struct WindowNumbers {
    private var numbers: [WindowID: Int] = [:]

    /// 0 for what is of no window.
    mutating func number(of session: SessionID) -> Int {
        let window = session.window
        if session.kind.onTheRecord == .recentlyClosed { return numbers[window] ?? 0 }
        let number = numbers[window] ?? numbers.count + 1
        numbers[window] = number
        return number
    }
}
