public import BrowserModel
public import BrowserSessions

extension SessionRestorer {
    /// What was set aside at this launch, an earlier one, or while the app runs; the newest first.
    /// It stays here until the host brings it back or discards it. Empty before windows were
    /// restored, and when there is nothing.
    public var setAside: [SetAsideSession] {
        launch.setAside.map { SetAsideSession($0.key, $0.value) }
            .sorted { ($0.date, $0.id) > ($1.date, $1.id) }
    }

    /// Opens a window with the tabs of a session that was set aside: the one that they were in, or
    /// a new one if that is open or saved with other tabs by now. The tabs keep their identifiers
    /// and are not realized, not even the active one, because one of them may crash the app.
    ///
    /// They are moved in one set of changes that survives all that the store can promise: at any
    /// moment they are in one place. When it throws, nothing was opened;
    /// ``SessionRestorationError/unknownSession(_:)`` means that there is no such session any more.
    @discardableResult
    public func restoreSetAside(_ id: SessionID) async throws(SessionRestorationError) -> Window {
        try checkIsSetAside(id)
        do {
            try await ledger.saveBeforeReading()
            return try await ledger.door.inTurn(.regular) { try await moveBack(id) }
        } catch {
            throw asRestorationError(error)
        }
    }

    /// Notes that the user has seen that a session was set aside: from now on it may be discarded
    /// for its age, or because there are too many. Returns when that is saved.
    public func acknowledgeSetAside(_ id: SessionID) async throws(SessionRestorationError) {
        try checkIsSetAside(id)
        guard launch.setAside[id]?.attributes.acknowledgedAt == nil else { return }
        launch.setAside[id]?.attributes.properties[SavedProperty.acknowledgedAt] = now().savedText
        if let attributes = launch.setAside[id]?.attributes {
            ledger.regular.put(attributes, for: id)
        }
        try await save()
    }

    /// Removes a session that was set aside with its tabs, for good. Returns when that is saved;
    /// when saving fails it is tried again.
    public func discardSetAside(_ id: SessionID) async throws(SessionRestorationError) {
        try checkIsSetAside(id)
        launch.setAside[id] = nil
        ledger.regular.remove(id)
        try await save()
    }

    private func checkIsSetAside(_ id: SessionID) throws(SessionRestorationError) {
        try checkIsRunning()
        guard launch.setAside[id] != nil else { throw .unknownSession(id) }
    }

    private func moveBack(_ id: SessionID) async throws -> Window {
        guard var session = try await ledger.restore(id) else {
            launch.setAside[id] = nil
            throw SessionRestorationError.unknownSession(id)
        }
        let reservation = try await place(for: session)
        let companions = try await read(companions(of: reservation.id))
        session.id = SessionID(window: reservation.id)
        session.attributes = session.attributes.broughtBack
        let latest = session.tabs.max { $0.lastActiveAt < $1.lastActiveAt }
        session.attributes.activeTab = session.attributes.activeTab ?? latest?.id
        var changes = SessionChanges()
        changes.put(session.attributes, for: session.id)
        for tab in session.tabs { changes.put(tab, in: session.id) }
        changes.remove(id)
        try await ledger.apply(changes)
        launch.setAside[id] = nil
        return try open([session] + companions, as: session.id, reservation)
    }

    /// The identifier of the window from which the tabs came, unless it is in use.
    private func place(for session: RestoredSession) async throws(StorageError)
        -> WindowReservation
    {
        guard let window = session.attributes.originalWindow,
            let reservation = try? windows.ids.reserve(window)
        else { return windows.ids.reserveNew() }
        do throws(StorageError) {
            if try await ledger.restore(SessionID(window: window)) == nil {
                return reservation
            }
        } catch {
            guard error.code == .corrupted else { throw error }
        }
        return windows.ids.reserveNew()
    }

    func asRestorationError(_ error: any Error) -> SessionRestorationError {
        if let error = error as? SessionRestorationError { return error }
        if let error = error as? WindowListError { return .window(error) }
        return .storage(error as? StorageError ?? StorageError(.failed, "\(error)"))
    }
}
