public import BrowserSessions

/// The position and options for inserting a tab.
public struct TabInsertion: Hashable, Sendable {
    /// The preferred index. With `nil`, the list inserts the tab after the last tab that the opener
    /// opened from its current page, otherwise directly after the opener, otherwise at the end; if the list's
    /// rules say so, it branches from the opener. If pinned tabs and groups rule out an index, the
    /// nearest end of the allowed range is used.
    package var index: Int?
    /// The tab that opens the new one.
    package var opener: TabID?
    /// Whether the active tab is the opener if ``opener`` is `nil`.
    package var inheritsOpener: Bool
    /// Whether the tab becomes active.
    package var activates: Bool
    /// Whether the tab is pinned. Ignored if the opener is in a group and there is no ``index``:
    /// the tab then joins that group.
    package var isPinned: Bool
    /// The group that the tab joins.
    package var group: TabGroupID?
    /// The exact place in the list's structure; with one, ``index``, ``isPinned`` and ``group`` are
    /// ignored.
    package var target: NodeTarget?

    /// Creates options for an insertion; by default, the same as ``automatic``.
    public init(
        at index: Int? = nil, opener: TabID? = nil, inheritsOpener: Bool = false,
        activates: Bool = false, isPinned: Bool = false, group: TabGroupID? = nil
    ) {
        self.index = index
        self.opener = opener
        self.inheritsOpener = inheritsOpener
        self.activates = activates
        self.isPinned = isPinned
        self.group = group
    }

    /// Creates options for an insertion at a place in the list's structure.
    public init(_ target: NodeTarget, opener: TabID? = nil, activates: Bool = false) {
        self.init(opener: opener, activates: activates)
        self.target = target
    }

    /// Inserts at the default position, in the background.
    public static let automatic = TabInsertion()
    /// Inserts at the default position and activates the tab.
    public static let active = TabInsertion(activates: true)
}
