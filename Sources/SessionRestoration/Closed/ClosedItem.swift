public import BrowserModel
public import BrowserSessions

/// One line of a menu of what was closed last: tabs that were closed in one go, or a window.
public struct ClosedItem: Hashable, Sendable, Identifiable {
    /// What it stands for.
    public enum Content: Hashable, Sendable {
        /// The tabs that were closed together, in the order in which they are kept; at least one.
        case tabs([ClosedTab])
        case window(StoredWindow)
    }

    public let content: Content
    public let closedAt: Timestamp

    public var id: Content.ID { content.id }

    /// How many tabs come back, those of a window without its inactive ones; `nil` for a window of which
    /// that is not known.
    public var tabs: Int? {
        switch content {
        case .tabs(let tabs): tabs.count
        case .window(let window): window.tabs
        }
    }

    /// The later closing has the greater one.
    var closingNumber: Int64 {
        switch content {
        case .tabs(let tabs): tabs.compactMap { $0.age?.value }.max() ?? .min
        case .window(let window): window.closingNumber ?? .min
        }
    }

    /// The name of the window or the group, else the title of the tab that stands for the others, else
    /// its address; empty if nothing is known.
    public var title: String {
        if let name, !name.isEmpty { return name }
        guard let shown = shownTab else { return "" }
        return shown.title.isEmpty ? shown.url : shown.title
    }

    /// The tab that was active, or used last; `nil` if it is not known.
    public var shownTab: TabGlance? {
        switch content {
        case .tabs(let tabs):
            (tabs.first { $0.wasActive }?.metadata ?? tabs.map(\.metadata).shownTab)
                .map { TabGlance($0) }
        case .window(let window): window.shownTab
        }
    }

    private var name: String? {
        switch content {
        case .tabs(let tabs):
            if let group = tabs.first?.group, tabs.count > 1,
                tabs.allSatisfy({ $0.group?.id == group.id })
            {
                group.title
            } else {
                nil
            }
        case .window(let window): window.title
        }
    }
}

extension ClosedItem.Content: Identifiable {
    public enum ID: Hashable, Sendable {
        case closing(ClosingID)
        case window(WindowID)
    }

    public var id: ID {
        switch self {
        case .tabs(let tabs): .closing(tabs.first?.closing ?? ClosingID(high: 0, low: 0))
        case .window(let window): .window(window.id)
        }
    }
}
