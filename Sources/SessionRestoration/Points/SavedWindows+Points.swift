public import BrowserSessions

extension SavedWindows {
    /// Returns the restore points that the store keeps, newest first; `[]` if there are none.
    ///
    /// - Throws: ``SessionRestorationError/storage(_:)`` if the store fails;
    ///   ``SessionRestorationError/closed``. It does not require that windows were restored.
    public func restorePoints() async throws(SessionRestorationError) -> [RestorePoint] {
        guard context.phase != .closed else { throw .closed }
        do throws(StorageError) { return try await store.restorePoints() } catch {
            throw SessionRestorationError(error)
        }
    }

    /// Saves what is pending, and keeps the present state of all regular windows as a restore point.
    ///
    /// - Parameters:
    ///   - name: what the user calls it; empty if nothing.
    ///   - pinned: whether it stays until ``releaseRestorePoint(_:)``. One with a name stays in any case.
    /// - Throws: ``SessionRestorationError/storage(_:)`` if the store fails, has losses that were not accepted,
    ///   or takes no restore points; ``SessionRestorationError/notRestored``,
    ///   ``SessionRestorationError/superseded`` or ``SessionRestorationError/closed`` if the restorer is not
    ///   running.
    @discardableResult
    public func takeRestorePoint(
        name: String = "", pinned: Bool = false
    ) async throws(SessionRestorationError) -> RestorePoint {
        try await context.save()
        do throws(StorageError) {
            return try await store.changing {
                try await $0.takeRestorePoint(name: name, pinned: pinned)
            }
        } catch {
            throw SessionRestorationError(error)
        }
    }

    /// Gives up a restore point. Does nothing if the store does not keep it.
    ///
    /// - Throws: ``SessionRestorationError/storage(_:)`` if the store fails, or takes no restore points;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    public func releaseRestorePoint(_ id: RestorePointID) async throws(SessionRestorationError) {
        try context.checkIsRunning()
        do throws(StorageError) {
            try await store.changing { try await $0.releaseRestorePoint(id) }
        } catch {
            throw SessionRestorationError(error)
        }
    }

    /// Saves what is pending, and returns what it takes to go back to a restore point. Changes nothing else.
    ///
    /// - Parameters:
    ///   - point: the point.
    ///   - mode: what becomes of what is there now; by default all of it stays.
    /// - Throws: ``SessionRestorationError/storage(_:)`` if the store fails or does not keep the point, or if
    ///   everything is to be replaced and part of the point cannot be read;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    public func plan(
        at point: RestorePointID, mode: RestorePlan.Mode = .merge
    ) async throws(SessionRestorationError) -> RestorePlan {
        try await context.save()
        do throws(StorageError) {
            return try await store.call { try await $0.restorePlan(at: point, mode: mode) }
        } catch {
            throw SessionRestorationError(error)
        }
    }

    private var store: StoreCalls { context.saves.store }
}
