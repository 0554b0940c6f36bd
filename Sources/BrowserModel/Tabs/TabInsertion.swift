public import BrowserSessions

/// The position and options for inserting a tab.
public struct TabInsertion: Hashable, Sendable {
    package var index: Int?
    package var opener: TabID?
    package var inheritsOpener: Bool
    package var activates: Bool
    package var isPinned: Bool
    package var group: NodeID?
    /// The exact place in the list's structure, which says more than the index, the pin and the group.
    package var target: NodeTarget?

    /// Creates options for an insertion; by default, the same as ``automatic``.
    ///
    /// - Parameters:
    ///   - index: the preferred index. With `nil`, the tab comes after the last tab that the opener opened from its
    ///     current page, otherwise directly after the opener, otherwise at the end; if the list's rules say so,
    ///     it branches from the opener. If pinned tabs and groups rule out an index, the nearest end of the
    ///     allowed range is used.
    ///   - opener: the tab that opens the new one.
    ///   - inheritsOpener: whether the active tab is the opener if none is given.
    ///   - activates: whether the tab becomes active.
    ///   - isPinned: whether the tab is pinned. Ignored if the opener is in a group and there is no index:
    ///     the tab then joins that group.
    ///   - group: the group that the tab joins.
    public init(
        at index: Int? = nil, opener: TabID? = nil, inheritsOpener: Bool = false,
        activates: Bool = false, isPinned: Bool = false, group: NodeID? = nil
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
