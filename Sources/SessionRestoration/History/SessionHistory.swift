public import BrowserSessions
public import RestorePlans

/// What was saved earlier, and how a host goes back to it or removes it: ``SessionRestorer/history``.
public struct SessionHistory: RestorerPart {
    let components: RestorerComponents

    /// Returns the restore points that the store keeps, newest first; `[]` if there are none.
    ///
    /// - Throws: ``SessionRestorationError/storage(_:)`` if the store fails;
    ///   ``SessionRestorationError/closed``. It does not require that windows were restored.
    public func restorePoints() async throws(SessionRestorationError) -> [RestorePoint] {
        guard context.phase != .closed else { throw .closed }
        return try await context.call { try await $0.restorePoints() }
    }

    /// Returns the newest restore point that was taken at a time or before it; `nil` if there is none.
    ///
    /// - Throws: the errors of ``restorePoints()``.
    public func restorePoint(
        at time: Timestamp
    ) async throws(SessionRestorationError) -> RestorePoint? {
        try await restorePoints().first { $0.takenAt <= time }
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
        return try await context.callChanging {
            try await $0.takeRestorePoint(name: name, pinned: pinned)
        }
    }

    /// Gives up a restore point. Does nothing if the store does not keep it.
    ///
    /// - Throws: ``SessionRestorationError/storage(_:)`` if the store fails, or takes no restore points;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    public func releaseRestorePoint(_ id: RestorePointID) async throws(SessionRestorationError) {
        try context.checkIsRunning()
        try await context.callChanging { try await $0.releaseRestorePoint(id) }
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
        return try await context.call { try await $0.restorePlan(at: point, mode: mode) }
    }

    /// Saves what is pending, and looks for tabs by words in open, inactive, closed and set-aside tabs and in all
    /// restore points. Each tab is found once, with where it is or when it was seen last. `[]` if nothing has
    /// all the words. Private tabs are never found. See `SessionStorage.find(_:includingEarlier:)`.
    ///
    /// - Parameters:
    ///   - words: what the user types.
    ///   - includingEarlier: whether to look in restore points, too.
    /// - Throws: ``SessionRestorationError/storage(_:)`` if the store fails;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    public func find(
        _ words: String, includingEarlier: Bool = true
    ) async throws(SessionRestorationError) -> [FoundTab] {
        try await context.save()
        return try await context.call {
            try await $0.find(words, includingEarlier: includingEarlier)
        }
    }
}
