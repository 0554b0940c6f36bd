import BrowserSessions

/// The words for sessions in lists and on the page.
enum Shown {
    /// Returns the user's name for a window, or its number, and the kind of session unless it is
    /// the window's open tabs.
    static func heading(_ kind: SessionKind, _ attributes: SessionAttributes, number: Int) -> String
    {
        let unnamed = number == 0 ? closedTabs : "\(window) \(number)"
        let name = attributes.title.isEmpty ? unnamed : attributes.title
        var words: [String] = attributes.closedAt == nil ? [] : [closedWindow]
        let open = kind.onTheRecord
        if open != .regular, open != .transit { words.append(kinds[open] ?? open.rawValue) }
        if kind.partition == .incognito { words.append(incognito) }
        return words.isEmpty ? name : name + " – " + words.joined(separator: ", ")
    }

    static let window = "Window"
    static let closedTabs = "Closed tabs"
    static let closedWindow = "closed window"
    static let incognito = "incognito"
    /// The words for sessions other than windows.
    static let kinds: [SessionKind: String] = [
        .backup: "closed together", .inactive: "inactive tabs", .library: "spaces",
        .setAside: "set aside after a crash", .recentlyClosed: "recently closed",
    ]

    /// Returns the title of a tab; its address if it has no title.
    static func title(of tab: TabMetadata) -> String {
        if !tab.title.isEmpty { return tab.title }
        return tab.url.isEmpty ? "Empty tab" : tab.url
    }

    static func title(of group: StructureNode) -> String {
        group.name.isEmpty ? unnamedGroup : group.name
    }

    static let unnamedGroup = "an unnamed group"
}

/// The numbers of windows in order. The sessions of one window share its number. Closed tabs that
/// belong to no such window have none.
struct WindowNumbers {
    private var numbers: [WindowID: Int] = [:]

    /// Returns the number; 0 for a session without a window.
    mutating func number(of session: SessionID) -> Int {
        let window = session.window
        if session.kind.onTheRecord == .recentlyClosed { return numbers[window] ?? 0 }
        let number = numbers[window] ?? numbers.count + 1
        numbers[window] = number
        return number
    }
}
