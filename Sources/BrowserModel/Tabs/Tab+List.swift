import BrowserSessions

/// What lists keep in their tabs.
extension Tab: ListItem {
    var tab: Tab? { self }
    var parent: NodeID? { metadata.parent }
    var edge: NodeEdge { metadata.edge }
    var zone: NodeZone { metadata.zone }
    var place: OrderKey { metadata.place }
    var weight: Int32 {
        get { metadata.rare?.fields.weight ?? 0 }
        set { if newValue != weight { metadata.weight = newValue } }
    }
    var closedFrom: FormerPlace? {
        get { metadata.rare?.fields.closedFrom }
        set { if newValue != closedFrom { metadata.closedFrom = newValue } }
    }
    var kind: StructureNode.Kind? { nil }
    var isGroup: Bool { false }
    var hasZones: Bool { false }
    var isCollapsed: Bool { false }

    func children(_ edge: NodeEdge) -> SiblingItems { branches }

    func change(_ edge: NodeEdge, _ work: (inout SiblingItems) -> Void) { work(&branches) }

    func setPlace(_ parent: NodeID?, _ edge: NodeEdge, _ zone: NodeZone, _ place: OrderKey) {
        (metadata.parent, metadata.edge) = (parent, edge)
        (metadata.zone, metadata.place) = (zone, place)
    }

    func enter(_ membership: TabMembership) {
        self.membership = membership
        isInList = true
    }

    func leaveList() { isInList = false }

    /// The tabs of its list that this tab opened, in any order. ``TabForest`` maintains them.
    var children: [Tab] {
        get { extras?.children ?? [] }
        _modify { yield &ownExtras.children }
    }

    func forgetChildren() { extras?.children = [] }

    /// What branches from the tab, in order. ``TabForest`` maintains it.
    var branches: SiblingItems {
        get { extras?.branches ?? SiblingItems() }
        _modify { yield &ownExtras.branches }
    }

    var tabsBelow: Int {
        get { extras?.tabsBelow ?? 0 }
        set { if newValue != 0 || extras != nil { ownExtras.tabsBelow = newValue } }
    }

    func forgetBranches() {
        extras?.branches = SiblingItems()
        extras?.tabsBelow = 0
    }

    /// An object that lives as long as the tab, unless it is removed earlier. Its release shows
    /// that a tab that is not in a list was released.
    package var lifetimeToken: AnyObject? {
        get { extras?.lifetimeToken }
        set { if newValue != nil || extras != nil { ownExtras.lifetimeToken = newValue } }
    }

    var ownExtras: TabExtras {
        let made = extras ?? TabExtras()
        extras = made
        return made
    }
}
