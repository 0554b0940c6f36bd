/// What lists keep in their tabs.
extension Tab {
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

    /// Whether anything branches from the tab.
    var hasBranches: Bool { extras?.branches.items.isEmpty == false }

    /// How many tabs are below the tab, at any depth.
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
