import BrowserModel
import BrowserSessions

extension Window {
    /// The attributes and nodes to save.
    var savedContent: SessionContent {
        SessionContent(attributes: savedAttributes, nodes: tabs.nodes)
    }

    /// The attributes to save: the window's own with the active tab of its list.
    var savedAttributes: SessionAttributes {
        var saved = attributes
        saved.activeTab = tabs.activeTab?.id
        if kind.role == .window {
            saved.closedAt = nil
            saved.ageMark = nil
        }
        return saved
    }
}

/// The names of the restorer's own properties, among those of a host; see `OwnProperty`.
enum SavedProperty {}

extension Timestamp {
    var savedText: String { String(microseconds) }

    init?(savedText: String?) {
        guard let microseconds = savedText.flatMap(Int64.init) else { return nil }
        self.init(microseconds: microseconds)
    }
}

extension Tab {
    /// The partition that the tab is saved in. A tab that was never in a list counts as regular.
    var partition: StoragePartition { isIncognito == true ? .incognito : .regular }
}
