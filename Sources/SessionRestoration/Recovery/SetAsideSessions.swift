public import BrowserModel
public import BrowserSessions
import RestorePlans

/// The sessions that were set aside and can be brought back: ``SessionRestorer/setAside``.
public struct SetAsideSessions: RestorerPart {
    let components: RestorerComponents

    private var records: SetAsideRecords { components.setAside }

    // MARK: For the host

    /// The sessions that were set aside at this launch, at an earlier one, or while the app runs;
    /// the newest first. They stay here until the host brings them back or discards them. Empty
    /// before windows were restored, and if there are none.
    public var sessions: [SetAsideSession] { records.sessions }

    /// Opens a window with the tabs of a session that was set aside. This is their former window,
    /// or a new one if that is open or saved with other tabs. The tabs keep their identifiers and
    /// are not realized, not even the active one, because one of them may crash the app.
    ///
    /// The tabs move in one change set with the store's greatest durability, so they are in one
    /// place at any moment. If it throws, nothing was opened.
    ///
    /// The tabs of spaces come back to these, in `WindowList.library`, by a plan as
    /// ``SessionHistory/apply(_:statesFrom:)`` does it; a space that is gone comes back with them.
    ///
    /// - Returns: the window, or the library.
    /// - Throws: ``SessionRestorationError/unknownSession(_:)`` if the session no longer exists;
    ///   ``SessionRestorationError/storage(_:)`` if the store fails;
    ///   ``SessionRestorationError/window(_:)`` if no window can be opened;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    @discardableResult
    public func bringBack(_ id: SessionID) async throws(SessionRestorationError) -> Window {
        try check(id)
        do {
            if records[id]?.originalSession?.kind == .library {
                return try await bringBackToLibrary(id)
            }
            try await context.store.saveBeforeReading()
            return try await context.store.inTurn(.regular) { try await moveBack(id) }
        } catch {
            throw SessionRestorationError(error)
        }
    }

    /// Notes that the user has seen that a session was set aside, and returns when this is saved.
    /// From now on, the session can be discarded because of its age or because there are too many.
    ///
    /// - Throws: ``SessionRestorationError/unknownSession(_:)`` if no session that was set aside
    ///   has this identifier; ``SessionRestorationError/storage(_:)`` if the store fails;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    public func acknowledge(_ id: SessionID) async throws(SessionRestorationError) {
        try check(id)
        guard var record = records[id], !record.isAcknowledged else { return }
        record.attributes.properties[SavedProperty.acknowledgedAt] = context.clock.now.savedText
        record.attributes.ageMark = context.age.next()
        records[id] = record
        context.saves.regular.mark(.content(record.attributes, for: id))
        try await context.save()
    }

    /// Permanently removes a session that was set aside, with its tabs, and returns when this is
    /// saved. If saving fails, it is tried again.
    ///
    /// - Throws: ``SessionRestorationError/unknownSession(_:)`` if no session that was set aside
    ///   has this identifier; ``SessionRestorationError/storage(_:)`` if the store fails;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    public func discard(_ id: SessionID) async throws(SessionRestorationError) {
        try check(id)
        records.forget(id)
        try await context.save()
    }

    private func check(_ id: SessionID) throws(SessionRestorationError) {
        try context.checkIsRunning()
        guard records[id] != nil else { throw .unknownSession(id) }
    }

    private func bringBackToLibrary(_ id: SessionID) async throws -> Window {
        guard let session = try await context.store.restore(id) else {
            records[id] = nil
            throw SessionRestorationError.unknownSession(id)
        }
        let library = session.backInLibrary
        _ = try await PlanWorkflow(components: components)
            .apply(RestorePlan(from: library, over: session))
        guard let library = context.windows.window(library.id),
            session.tabs.contains(where: { library.tabs.tab($0.id) != nil })
        else { throw SessionRestorationError.unknownSession(id) }
        records.forget(id)
        try await context.save()
        return library
    }

    private func moveBack(_ id: SessionID) async throws -> Window {
        guard var session = try await context.store.restore(id) else {
            records[id] = nil
            throw SessionRestorationError.unknownSession(id)
        }
        let reservation = try await place(for: session)
        let companions = try await opener.readCompanions(of: reservation.sessionID)
        guard records[id] != nil else { throw SessionRestorationError.unknownSession(id) }
        session.id = reservation.sessionID
        session.attributes = session.attributes.broughtBack
        session.attributes.activeTab = session.shownTab?.id
        var changes = SessionChanges()
        changes.put(session)
        changes.remove(id)
        try await context.store.apply(changes)
        guard records[id] != nil else {
            // The session was discarded while its tabs moved.
            context.saves.regular.mark(.removed(session.id, isAsked: true))
            throw SessionRestorationError.unknownSession(id)
        }
        records[id] = nil
        return try opener.open([session] + companions, as: session.id, reservation)
    }

    /// Reserves the window that the tabs came from, or a new one if that is in use.
    private func place(for session: RestoredSession) async throws(StorageError)
        -> WindowReservation
    {
        let ids = context.windows.ids
        let window = session.attributes.originalSession
        let kind = window.flatMap { $0.kind.isReopenable ? $0.kind : nil } ?? .regular
        guard let window, window.kind == kind,
            let reservation = try? ids.reserve(window.window, kind: kind)
        else { return ids.reserveNew(kind: kind) }
        do throws(StorageError) {
            if try await context.store.restore(window) == nil { return reservation }
        } catch {
            guard error.code == .corrupted else { throw error }
        }
        return ids.reserveNew(kind: kind)
    }
}
