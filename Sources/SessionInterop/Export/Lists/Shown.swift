import BrowserSessions

/// The words in which lists and the page speak of sessions.
enum Shown {
    /// What the user named a window, or its number, and what kind of place it is unless those are its
    /// open tabs.
    static func heading(_ kind: SessionKind, _ attributes: SessionAttributes, number: Int) -> String
    {
        let name = attributes.title.isEmpty ? "Window \(number)" : attributes.title
        var words: [String] = []
        switch kind.onTheRecord {
        case .regular: break
        case .inactive: words.append("inactive tabs")
        case .setAside: words.append("set aside after a crash")
        case .recentlyClosed: words.append("recently closed")
        case let other: words.append(other.rawValue)
        }
        if kind.side == .incognito { words.append("incognito") }
        return words.isEmpty ? name : name + " – " + words.joined(separator: ", ")
    }

    /// The title of a tab, or its address.
    static func title(of tab: TabMetadata) -> String {
        if !tab.title.isEmpty { return tab.title }
        return tab.url.isEmpty ? "Empty tab" : tab.url
    }

    static func title(of group: TabGroup) -> String {
        group.title.isEmpty ? "an unnamed group" : group.title
    }
}

/// The numbers of windows, in the order in which they come: the sessions of one have the same.
struct WindowNumbers {
    private var numbers: [WindowID: Int] = [:]

    mutating func number(of window: WindowID) -> Int {
        let number = numbers[window] ?? numbers.count + 1
        numbers[window] = number
        return number
    }
}
