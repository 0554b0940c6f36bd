public import BrowserModel
import BrowserSessions

extension SavedWindows {
    /// Moves the tabs of all other regular windows to the end of one window, with their pins and
    /// groups, and closes these windows, which cannot be reopened. No tab is realized.
    ///
    /// The windows' inactive tabs join those of the target, and an open "close all" in them is
    /// confirmed. Off-the-record windows stay. All of this is one change set.
    ///
    /// - Returns: the number of tabs that moved to the window, without inactive tabs.
    /// - Throws: ``SessionRestorationError/notRegular(_:)`` if the window is not a regular one;
    ///   ``SessionRestorationError/window(_:)`` if it is not open;
    ///   ``SessionRestorationError/tabList(_:)`` if a tab list refuses the change;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running. If a list refuses, tabs
    ///   that moved before stay moved, and no tab is lost.
    @discardableResult
    public func mergeAll(
        into target: some WindowReference
    ) throws(SessionRestorationError) -> Int {
        let target = try context.regularWindow(target)
        var moved = 0
        for window in context.windows.windows(of: .regular) where window !== target {
            closeAll.giveUpBackup(of: window.id)
            if let inactive = context.windows.window(window.id, kind: .inactive) {
                let home = try context.openCompanion(.inactive, of: target)
                _ = try moveAll(inactive.tabs, to: home.tabs)
                try? context.windows.close(inactive)
            }
            moved += try moveAll(window.tabs, to: target.tabs)
            try? context.windows.close(window)
            context.saves.regular.remove(window.sessionID, isAsked: true)
            try? context.windows.ids.forget(sessions: [window.sessionID])
        }
        return moved
    }

    private func moveAll(
        _ list: TabList, to other: TabList
    ) throws(SessionRestorationError) -> Int {
        do throws(TabListError) {
            return try list.transfer(indexes: Array(list.tabs.indices), to: other).count
        } catch {
            throw .tabList(error)
        }
    }
}
