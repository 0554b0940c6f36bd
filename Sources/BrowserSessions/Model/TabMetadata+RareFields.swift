extension TabMetadata: CustomReflectable {
    /// All fields by their names, wherever they are kept.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "id": id, "place": place, "parent": parent as Any, "edge": edge, "zone": zone,
                "url": url, "title": title, "faviconURL": faviconURL, "createdAt": createdAt,
                "lastActiveAt": lastActiveAt, "navigationItemCount": navigationItemCount,
                "opener": opener as Any, "properties": properties, "name": name,
                "container": container as Any, "weight": weight, "isFolded": isFolded,
                "isHidden": isHidden, "pinnedPage": pinnedPage as Any,
                "closedFrom": closedFrom as Any, "unknownFields": unknownFields,
            ], displayStyle: .struct)
    }
}

extension TabMetadata {
    /// The name that the user gave the tab; empty if there is none.
    public var name: String {
        get { rareFields.name }
        set { rareFields.name = newValue }
    }

    /// The container that the tab is in: an identity with cookies and logins of its own; `nil` if it
    /// is in none.
    public var container: NodeID? {
        get { rareFields.container }
        set { rareFields.container = newValue }
    }

    /// The share in a split; 0 for that of the mean.
    public var weight: Int32 {
        get { rareFields.weight }
        set { rareFields.weight = newValue }
    }

    /// Whether the branches below the tab are hidden.
    public var isFolded: Bool {
        get { rareFields.isFolded }
        set { rareFields.isFolded = newValue }
    }

    /// Whether the tab is hidden by the user or a program.
    public var isHidden: Bool {
        get { rareFields.isHidden }
        set { rareFields.isHidden = newValue }
    }

    /// The page that a pinned tab returns to; `nil` if that was not recorded.
    public var pinnedPage: PinnedPage? {
        get { rareFields.pinnedPage }
        set { rareFields.pinnedPage = newValue }
    }

    /// Where the tab was before it was closed, archived or saved; `nil` if it was not, or went with
    /// a node above it.
    public var closedFrom: FormerPlace? {
        get { rareFields.closedFrom }
        set { rareFields.closedFrom = newValue }
    }
}
