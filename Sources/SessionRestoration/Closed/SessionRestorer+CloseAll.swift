public import BrowserModel
public import BrowserSessions

extension SessionRestorer {
    /// Closes all tabs of a regular window so that it can be undone, also after the process was
    /// killed.
    ///
    /// They move to the hidden window of kind `backup` with the same identifier: realized ones stay
    /// alive, no other is realized, and one save moves all of them. They stay there until
    /// ``undoCloseAll(in:)`` or ``confirmCloseAll(in:)``; closing all once more confirms the first
    /// time. ``RestorationReport/backups`` names them at the next launch, and ``purge()`` confirms
    /// those older than a day.
    ///
    /// - Parameters:
    ///   - window: whose tabs are closed.
    ///   - keepingPinned: whether pinned tabs stay.
    /// - Returns: how many tabs were closed; 0 changes nothing.
    ///
    /// Throws ``SessionRestorationError/notRegular(_:)``, ``SessionRestorationError/window(_:)`` if
    /// the window is not open, or ``SessionRestorationError/notRestored``.
    @discardableResult
    public func closeAll(
        in window: Window, keepingPinned: Bool = false
    ) throws(SessionRestorationError) -> Int {
        try checkIsOpen(window)
        let list = window.tabs
        let indexes = Array((keepingPinned ? list.pinnedCount : 0)..<list.count)
        guard !indexes.isEmpty else { return 0 }
        if windows.window(window.id, .backup) != nil { try confirmCloseAll(in: window.id) }
        var attributes = SessionAttributes(createdAt: now(), lastActiveAt: now())
        BackupNotes(list, leaving: indexes).save(in: &attributes)
        let backup = try openCompanion(.backup, of: window, attributes)
        do throws(TabListError) { try list.transfer(at: indexes, to: backup.tabs) } catch {
            try? windows.close(backup)
            throw .tabList(error)
        }
        return indexes.count
    }

    /// Brings the tabs back that ``closeAll(in:keepingPinned:)`` closed: in their places, pinned,
    /// in their groups, with their openers, and the active one active. Tabs opened meanwhile stay
    /// behind them.
    ///
    /// Throws ``SessionRestorationError/noBackup(_:)`` if there is nothing to undo,
    /// ``SessionRestorationError/window(_:)`` if the window is not open (see
    /// ``openWindow(_:kind:)``), or ``SessionRestorationError/notRestored``.
    ///
    /// - Returns: the tabs, in order.
    @discardableResult
    public func undoCloseAll(in id: WindowID) throws(SessionRestorationError) -> [Tab] {
        let backup = try backup(of: id)
        guard let window = windows.window(id) else {
            throw .window(.notOpen(SessionID(window: id)))
        }
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
        try? windows.close(backup)
        return tabs
    }

    /// Gives up the undo of ``closeAll(in:keepingPinned:)``: the tabs join the recently closed
    /// ones, as many as there are kept of, from the first on, and are one closing there.
    ///
    /// Throws ``SessionRestorationError/noBackup(_:)`` if there is none, or
    /// ``SessionRestorationError/notRestored``.
    public func confirmCloseAll(in id: WindowID) throws(SessionRestorationError) {
        let backup = try backup(of: id)
        backup.tabs.closeAll(.user)
        try? windows.close(backup)
    }

    private func backup(of id: WindowID) throws(SessionRestorationError) -> Window {
        try checkIsRunning()
        guard let backup = windows.window(id, .backup), !backup.tabs.isEmpty else {
            throw .noBackup(id)
        }
        return backup
    }

    func checkIsOpen(_ window: Window) throws(SessionRestorationError) {
        try checkIsRunning()
        guard window.kind == .regular else { throw .notRegular(window.sessionID) }
        guard windows.window(window.id) === window else {
            throw .window(.notOpen(window.sessionID))
        }
    }

    /// The window of a kind that belongs to a regular one; it is opened if it is not open yet.
    func openCompanion(
        _ kind: SessionKind, of window: Window, _ attributes: SessionAttributes? = nil
    ) throws(SessionRestorationError) -> Window {
        if let companion = windows.window(window.id, kind) { return companion }
        do throws(WindowListError) {
            return try windows.open(
                window.id, kind: kind,
                attributes: attributes ?? SessionAttributes(createdAt: now(), lastActiveAt: now()))
        } catch {
            throw .window(error)
        }
    }
}
