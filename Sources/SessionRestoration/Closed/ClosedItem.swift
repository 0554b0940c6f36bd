public import BrowserModel
public import BrowserSessions

/// An entry in a menu of recently closed items: tabs that were closed together, or a window.
public struct ClosedItem: Hashable, Sendable, Identifiable {
    /// The closed tabs or window.
    public enum Content: Hashable, Sendable {
        /// Tabs that were closed together, in the order in which they are kept; at least one.
        case tabs([ClosedTab])
        /// A closed window with its tabs.
        case window(StoredWindow)
    }

    /// The tabs or the window that come back when the item is reopened.
    public let content: Content
    /// The group, folder or split that was closed with all of the tabs in it; `nil` if there was none.
    public let node: StructureNode?
    /// The time of the closing; `Timestamp.unknown` if it is not known.
    public let closedAt: Timestamp

    /// The identifier of a closing or of a closed window.
    public enum ID: Hashable, Sendable {
        /// The closing of tabs.
        case closing(ClosingID)
        /// The window, for ``SavedWindows/open(_:kind:)``.
        case window(WindowID)
    }

    /// The closing of the tabs, or the identifier of the window.
    public var id: ID {
        switch content {
        case .tabs(let tabs): .closing(tabs.first?.closing ?? ClosingID(high: 0, low: 0))
        case .window(let window): .window(window.id)
        }
    }

    /// The number of tabs that come back, without a window's inactive tabs; `nil` if it is not
    /// known for a window.
    public var tabs: Int? {
        switch content {
        case .tabs(let tabs): tabs.count
        case .window(let window): window.tabs
        }
    }

    /// The number that orders closings. A later closing has a greater number.
    var closingNumber: Int64 {
        switch content {
        case .tabs(let tabs): tabs.compactMap { $0.age?.value }.max() ?? .min
        case .window(let window): window.closingNumber ?? .min
        }
    }

    /// The name of the window, group or folder, otherwise the title of the tab that represents the others,
    /// otherwise its address; empty if nothing is known.
    public var title: String {
        if let name, !name.isEmpty { return name }
        guard let shown = shownTab else { return "" }
        return shown.title.isEmpty ? shown.url : shown.title
    }

    /// The tab that was active or most recently used; `nil` if it is not known.
    public var shownTab: TabMetadata? {
        switch content {
        case .tabs(let tabs):
            tabs.first { $0.wasActive }?.metadata ?? tabs.map(\.metadata).shownTab
        case .window(let window): window.shownTab
        }
    }

    private var name: String? {
        switch content {
        case .tabs(let tabs):
            if let node {
                node.name
            } else if let group = tabs.first?.group, tabs.count > 1,
                tabs.allSatisfy({ $0.group?.id == group.id })
            {
                group.name
            } else {
                nil
            }
        case .window(let window): window.title
        }
    }
}
