import BrowserSessions

/// Which tab opened which. Each tab holds the tabs that it opened.
extension TabForest {
    /// If there are fewer than one in this many, their indexes are looked up one by one; otherwise
    /// all tabs are scanned.
    static let fewOf = 8

    /// Returns the tabs that a tab opened, in any order.
    func children(ofOpener opener: TabID) -> [Tab] { known.tab(opener)?.children ?? [] }

    /// Returns the index of the last tab that a page of a tab opened; `nil` if there is none.
    func lastChild(of opener: TabOpener) -> Int? {
        let fits = { (tab: Tab) in
            tab.metadata.opener?.tab == opener.tab
                && tab.metadata.opener?.navigationIndex == opener.navigationIndex
        }
        let children = children(ofOpener: opener.tab)
        guard children.count < tabs.count / Self.fewOf else { return tabs.lastIndex(where: fits) }
        return children.lazy.filter(fits).compactMap { index(of: $0) }.max()
    }

    /// Notes the opener of a tab that has come in.
    func noteOpener(of tab: Tab) {
        if let opener = tab.metadata.opener?.tab { known.tab(opener)?.children.append(tab) }
    }

    /// Forgets the opener of a tab that has left.
    func forgetOpener(of tab: Tab) {
        if let opener = tab.metadata.opener?.tab { removeChild(tab, of: opener) }
    }

    /// Forgets the openers of tabs that have left together.
    func forgetOpeners(ofLeaving leaving: [Tab]) {
        guard leaving.count > 1 else { return leaving.forEach { forgetOpener(of: $0) } }
        let gone = Set(leaving.map(ObjectIdentifier.init))
        for opener in Set(leaving.compactMap { $0.metadata.opener?.tab }) {
            known.tab(opener)?.children.removeAll { gone.contains(ObjectIdentifier($0)) }
        }
    }

    func setOpener(_ opener: TabOpener?, of tab: Tab) {
        forgetOpener(of: tab)
        tab.metadata.opener = opener
        noteOpener(of: tab)
    }

    /// Notes the openers of all tabs, which came in at once. Removes those that are not here.
    ///
    /// - Returns: the indexes of the tabs that lost their opener.
    func noteOpeners() -> [Int] {
        tabs.indices.filter { index in
            let tab = tabs[index]
            guard let opener = tab.metadata.opener else { return false }
            if let found = known.tab(opener.tab), found !== tab, isHere(found) {
                found.children.append(tab)
                return false
            }
            tab.metadata.opener = nil
            return true
        }
    }

    /// Returns whether a tab is at its last known index.
    private func isHere(_ tab: Tab) -> Bool {
        tabs.indices.contains(Int(tab.indexHint)) && tabs[Int(tab.indexHint)] === tab
    }

    /// Removes openers that have left from the tabs that they opened.
    ///
    /// - Returns: the indexes of these tabs, ascending.
    func forgetOpeners(_ gone: some Sequence<Tab>) -> [Int] {
        var orphans: [Int] = []
        for opener in gone {
            for tab in opener.children {
                tab.metadata.opener = nil
                if let index = index(of: tab) { orphans.append(index) }
            }
            opener.forgetChildren()
        }
        return orphans.sorted()
    }

    private func removeChild(_ tab: Tab, of opener: TabID) {
        guard let opener = known.tab(opener),
            let index = opener.children.lastIndex(where: { $0 === tab })
        else { return }
        let last = opener.children.popLast()
        if let last, last !== tab { opener.children[index] = last }
    }
}
