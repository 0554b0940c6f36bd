public import BrowserModel
import BrowserSessions

/// Closes all tabs of a window so that it can be undone: ``SessionRestorer/closeAll``.
///
/// ```swift
/// try sessions.closeAll(in: window)
/// try sessions.closeAll.undo(in: window)
/// ```
public final class CloseAll {
    private let context: RestorerContext

    init(_ context: RestorerContext) { self.context = context }

    /// Closes all tabs of a regular window so that it can be undone, also after the process was
    /// killed.
    ///
    /// They move to the hidden window of kind `backup` with the same identifier: realized ones stay
    /// alive, no other is realized, and one save moves all of them. They stay there until
    /// ``undo(in:)`` or ``confirm(in:)``; closing all once more confirms the first time.
    /// ``RestorationReport/backups`` names them at the next launch, and ``SavedWindows/purge()``
    /// confirms those older than a day.
    ///
    /// - Parameters:
    ///   - window: whose tabs are closed.
    ///   - keepingPinned: whether pinned tabs stay.
    /// - Returns: how many tabs were closed; 0 changes nothing.
    ///
    /// Throws ``SessionRestorationError/notRegular(_:)``, ``SessionRestorationError/window(_:)`` if
    /// the window is not open, or ``SessionRestorationError/notRestored``.
    @discardableResult
    public func callAsFunction(
        in window: some WindowReference, keepingPinned: Bool = false
    ) throws(SessionRestorationError) -> Int {
        let window = try context.regularWindow(window)
        let list = window.tabs
        let indexes = Array((keepingPinned ? list.pinnedCount : 0)..<list.count)
        guard !indexes.isEmpty else { return 0 }
        if context.windows.window(window.id, .backup) != nil { try confirm(in: window.id) }
        var attributes = SessionAttributes(createdAt: context.now(), lastActiveAt: context.now())
        attributes.ageMark = context.age.next()
        BackupNotes(list, leaving: indexes).save(in: &attributes)
        let backup = try context.openCompanion(.backup, of: window, attributes)
        do throws(TabListError) { try list.transfer(at: indexes, to: backup.tabs) } catch {
            try? context.windows.close(backup)
            throw .tabList(error)
        }
        return indexes.count
    }

    /// Brings the tabs back that ``callAsFunction(in:keepingPinned:)`` closed: in their places, pinned,
    /// in their groups, with their openers, and the active one active. Tabs opened meanwhile stay
    /// behind them.
    ///
    /// Throws ``SessionRestorationError/noBackup(_:)`` if there is nothing to undo,
    /// ``SessionRestorationError/window(_:)`` if the window is not open (see
    /// ``SavedWindows/open(_:kind:)``), or ``SessionRestorationError/notRestored``.
    ///
    /// - Returns: the tabs, in order.
    @discardableResult
    public func undo(in window: some WindowReference) throws(SessionRestorationError) -> [Tab] {
        let backup = try backup(of: window.windowID)
        let window = try context.regularWindow(window)
        let notes = BackupNotes(backup.attributes)
        let active = backup.tabs.activeTab
        let tabs: [Tab]
        do throws(TabListError) {
            tabs = try backup.tabs.transfer(
                at: Array(backup.tabs.tabs.indices), to: window.tabs, .front)
        } catch {
            throw .tabList(error)
        }
        for (tab, opener) in notes.openers {
            guard let index = window.tabs.index(of: tab) else { continue }
            if window.tabs[index].metadata.opener == nil {
                try? window.tabs.setOpener(opener, at: index)
            }
        }
        if let active { window.tabs.activate(at: window.tabs.index(of: active.id)) }
        try? context.windows.close(backup)
        return tabs
    }

    /// Gives up the undo of ``callAsFunction(in:keepingPinned:)``: the tabs join the recently closed
    /// ones, as many as there are kept of, from the first on, and are one closing there.
    ///
    /// Throws ``SessionRestorationError/noBackup(_:)`` if there is none, or
    /// ``SessionRestorationError/notRestored``.
    public func confirm(in window: some WindowReference) throws(SessionRestorationError) {
        let backup = try backup(of: window.windowID)
        backup.tabs.closeAll(.user)
        try? context.windows.close(backup)
    }

    private func backup(of id: WindowID) throws(SessionRestorationError) -> Window {
        try context.checkIsRunning()
        guard let backup = context.windows.window(id, .backup), !backup.tabs.isEmpty else {
            throw .noBackup(id)
        }
        return backup
    }
}
