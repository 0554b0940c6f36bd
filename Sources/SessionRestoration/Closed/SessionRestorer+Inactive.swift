public import BrowserModel
import BrowserSessions

extension SessionRestorer {
    /// Moves tabs that were not used for longer than ``RestorationPolicy/inactiveAge`` out of
    /// sight: to the window of kind `inactive` with the same identifier, all of them with the next
    /// save.
    ///
    /// It happens by itself to the windows that are open when restoring has finished; a host that
    /// opens its windows later calls it then.
    ///
    /// Pinned tabs, the active one and blank pages stay. Inactive tabs that are not that old, since
    /// the policy changed, come back; without an age, all do.
    ///
    /// - Returns: how many tabs became inactive.
    @discardableResult
    public func moveInactiveTabs() throws(SessionRestorationError) -> Int {
        try checkIsRunning()
        var moved = 0
        for window in windows.windows(of: .regular) { moved += try moveInactiveTabs(of: window) }
        return moved
    }

    func moveInactiveTabs(of window: Window) throws(SessionRestorationError) -> Int {
        if let inactive = windows.window(window.id, .inactive) {
            let fresh = inactive.tabs.tabs.indices.filter { !isUnused(inactive.tabs[$0]) }
            try bring(fresh, of: inactive, to: window)
        }
        let list = window.tabs
        let spared = list.activeTab ?? list.tabs.max { lastUse($0) < lastUse($1) }
        let leaving = list.tabs.indices.filter { index in
            let tab = list[index]
            return isUnused(tab) && !tab.metadata.isPinned && tab !== spared
                && !policy.isBlank(tab.metadata)
        }
        guard !leaving.isEmpty else { return 0 }
        let inactive = try openCompanion(.inactive, of: window)
        do throws(TabListError) {
            return try list.transfer(at: leaving, to: inactive.tabs).count
        } catch {
            throw .tabList(error)
        }
    }

    /// Brings an inactive tab back to its window, right behind the pinned tabs or to its group, and
    /// activates it.
    ///
    /// Throws ``SessionRestorationError/notInactive(_:)`` if it is not an inactive tab of an open
    /// window, or ``SessionRestorationError/notRestored``.
    public func reactivate(_ tab: Tab) throws(SessionRestorationError) {
        try checkIsRunning()
        guard
            let inactive = windows.windows(of: .inactive).first(where: { $0.tabs === tab.list }),
            let window = windows.window(inactive.id), let index = inactive.tabs.index(of: tab.id)
        else { throw .notInactive(tab.id) }
        try bring([index], of: inactive, to: window)
        window.tabs.activate(at: window.tabs.index(of: tab.id))
    }

    /// Brings all inactive tabs of a regular window back. They count as used now, so that they do
    /// not go again at the next launch.
    ///
    /// - Returns: how many there were.
    ///
    /// Throws ``SessionRestorationError/notRegular(_:)``, ``SessionRestorationError/window(_:)`` if
    /// the window is not open, or ``SessionRestorationError/notRestored``.
    @discardableResult
    public func reactivateAll(in window: Window) throws(SessionRestorationError) -> Int {
        try checkIsOpen(window)
        guard let inactive = windows.window(window.id, .inactive) else { return 0 }
        let tabs = inactive.tabs.tabs
        try bring(Array(tabs.indices), of: inactive, to: window)
        for tab in tabs { tab.wasShown(at: now()) }
        return tabs.count
    }

    private func bring(
        _ indexes: [Int], of inactive: Window, to window: Window
    ) throws(SessionRestorationError) {
        do throws(TabListError) {
            try inactive.tabs.transfer(at: indexes, to: window.tabs, .front)
        } catch {
            throw .tabList(error)
        }
        if inactive.tabs.isEmpty { try? windows.close(inactive) }
    }

    /// A tab of which nobody knows when it was used is not unused.
    private func isUnused(_ tab: Tab) -> Bool {
        guard let age = policy.inactiveAge, lastUse(tab) != .unknown else { return false }
        return now().timeSince(lastUse(tab)) > age
    }

    private func lastUse(_ tab: Tab) -> Timestamp {
        let metadata = tab.metadata
        return metadata.lastActiveAt == .unknown ? metadata.createdAt : metadata.lastActiveAt
    }
}

extension SessionRestorer {
    /// What is due when windows were restored.
    func tidyAfterRestoring() {
        let isOpen = { self.windows.registry.contains($0, offTheRecord: false) }
        keepOneOfEach(closedTabs.tabs.filter { isOpen($0.id) }.map(\.metadata))
        closedTabs.reopened(Set(closedTabs.tabs.map(\.id).filter(isOpen)))
        closedTabs.didRestore(isSuspicious: report?.isSuspicious ?? true)
        _ = try? moveInactiveTabs()
    }

    /// Damage may leave a tab in two sessions. It stays where it was opened first: saved there
    /// again, it is nowhere else.
    func keepOneOfEach(_ tabs: [TabMetadata]) {
        let ids = Set(tabs.map(\.id))
        for window in windows.windows {
            let side = ledger.side(window.kind.side)
            for tab in window.tabs.tabs where ids.contains(tab.id) {
                side.mark(tab, in: window.sessionID, state: false)
            }
        }
    }
}
