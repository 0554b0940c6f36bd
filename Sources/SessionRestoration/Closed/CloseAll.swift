public import BrowserModel
import BrowserSessions

/// Closes all tabs of a window in a way that can be undone: ``SessionRestorer/closeAll``.
///
/// ```swift
/// try sessions.closeAll(in: window)
/// try sessions.closeAll.undo(in: window)
/// ```
public struct CloseAll {
    private let context: RestorerContext

    init(_ context: RestorerContext) { self.context = context }

    /// Closes all tabs of a regular window in a way that can be undone, even after the process was killed.
    ///
    /// The tabs move to the hidden window of kind `backup` with the same identifier. Realized tabs stay
    /// alive, no other tab is realized, and one save moves all of them. They stay there until ``undo(in:)``
    /// or ``confirm(in:)``; closing all tabs again confirms the first time. At the next launch,
    /// ``RestorationReport/backups`` contains the window. After a day, ``SavedWindows/purge()`` confirms it.
    ///
    /// - Parameters:
    ///   - window: the window to close the tabs of.
    ///   - keepingPinned: whether pinned tabs stay.
    /// - Returns: the number of closed tabs; if it is 0, nothing changes.
    /// - Throws: ``SessionRestorationError/notRegular(_:)`` if the window is not a regular one;
    ///   ``SessionRestorationError/window(_:)`` if it is not open;
    ///   ``SessionRestorationError/tabList(_:)`` if a tab list refuses the change;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running. If a list refuses, the
    ///   tabs stay where they are.
    @discardableResult
    public func callAsFunction(
        in window: some WindowReference, keepingPinned: Bool = false
    ) throws(SessionRestorationError) -> Int {
        let window = try context.regularWindow(window)
        let list = window.tabs
        let indexes = (keepingPinned ? list.pinnedCount : 0)..<list.count
        guard !indexes.isEmpty else { return 0 }
        giveUpBackup(of: window.id)
        var attributes = SessionAttributes(
            createdAt: context.clock.now, lastActiveAt: context.clock.now)
        attributes.ageMark = context.age.next()
        BackupNotes(list, leaving: Array(indexes)).save(in: &attributes)
        let backup = try context.openCompanion(.backup, of: window, attributes)
        do throws(TabListError) { try list.transfer(list[indexes], to: backup.tabs) } catch {
            try? context.windows.close(backup)
            throw .tabList(error)
        }
        return indexes.count
    }

    /// Brings back the tabs that ``callAsFunction(in:keepingPinned:)`` closed, with their places, pins,
    /// groups and openers. The tab that was active is active again. Tabs that were opened in the meantime
    /// follow them.
    ///
    /// - Returns: the tabs, in order.
    /// - Throws: ``SessionRestorationError/noBackup(_:)`` if there is nothing to undo;
    ///   ``SessionRestorationError/notRegular(_:)`` or ``SessionRestorationError/window(_:)`` if
    ///   the window itself is not open (see ``SavedWindows/open(_:kind:)``);
    ///   ``SessionRestorationError/tabList(_:)`` if a tab list refuses the change;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running. The tabs can then still
    ///   be brought back.
    @discardableResult
    public func undo(in window: some WindowReference) throws(SessionRestorationError) -> [Tab] {
        let backup = try backup(of: window.windowID)
        let window = try context.regularWindow(window)
        let notes = BackupNotes(backup.attributes)
        let active = backup.tabs.activeTab
        let tabs = try SessionRestorationError.converting {
            try backup.tabs.transfer(backup.tabs, to: window.tabs, at: .front)
        }
        for (tab, opener) in notes.openers {
            if window.tabs.tab(tab)?.opener == nil { try? window.tabs.setOpener(opener, of: tab) }
        }
        if let active { try? window.tabs.activate(active) }
        try? context.windows.close(backup)
        return tabs
    }

    /// Gives up the undo of ``callAsFunction(in:keepingPinned:)``. The tabs join the recently
    /// closed tabs as one closing.
    ///
    /// - Throws: ``SessionRestorationError/noBackup(_:)`` if there is nothing to undo;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    public func confirm(in window: some WindowReference) throws(SessionRestorationError) {
        giveUpBackup(of: try backup(of: window.windowID).id)
    }

    /// Closes the backup of a window and its tabs, if there is one.
    func giveUpBackup(of id: WindowID) {
        guard let backup = context.windows.window(id, kind: .backup) else { return }
        backup.tabs.closeAll(reason: .user)
        try? context.windows.close(backup)
    }

    private func backup(of id: WindowID) throws(SessionRestorationError) -> Window {
        try context.checkIsRunning()
        guard let backup = context.windows.window(id, kind: .backup), !backup.tabs.isEmpty else {
            throw .noBackup(id)
        }
        return backup
    }
}
