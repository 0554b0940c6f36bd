import BrowserModel
import BrowserSessions
import Logging

/// Deletes private tabs without leaving a trace: ``SessionRestorer/incognito``.
public final class IncognitoTabs {
    private let context: RestorerContext
    /// Whether an incognito window or session existed since the partition was last deleted.
    private var isInUse = false
    /// The sessions with tabs that were not opened in a window yet.
    private var unopened: Set<SessionID> = []

    private var saves: SaveDriver { context.saves }
    /// The incognito windows and their companions.
    private var windows: [Window] { context.windows.windows.filter(\.isIncognito) }

    init(_ context: RestorerContext) { self.context = context }

    // MARK: For the host

    /// Deletes everything that is saved in incognito, its key first, and closes the partition's windows
    /// and tabs between two of them. The restorer does this itself when the last incognito tab closes.
    ///
    /// A window of the partition that is opened in the meantime stays, and is saved after the deletion.
    ///
    /// If it throws, the windows and tabs are removed from the model all the same. The deletion is then
    /// pending: the restorer tries again while the process runs, and at the next launch before anything is
    /// restored. If there are new tabs by then, the next save removes the old ones.
    ///
    /// - Throws: ``SessionRestorationError/storage(_:)`` if the store fails;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    public func delete() async throws(SessionRestorationError) {
        try context.checkIsRunning()
        isInUse = false
        for id in unopened { saves.incognito.mark(.removed(id)) }
        unopened = []
        context.incognitoDetachedTabs.closeAll()
        for window in windows where !window.isClosed { try? context.windows.close(window) }
        do throws(StorageError) {
            try await saves.deleteIncognito()
        } catch {
            isInUse = true
            throw SessionRestorationError(error)
        }
        if windows.isEmpty, context.incognitoDetachedTabs.isEmpty {
            context.profile?.destroyIncognito()
        }
        context.report(.incognitoDeleted)
    }

    /// Marks everything that is open, because the store no longer has any of it.
    func markEverything() {
        for window in windows { saves.incognito.markEverything(of: window) }
        context.incognitoDetachedTabs.markEverything()
    }

    // MARK: At launch

    /// Deletes the sessions of an earlier process, unless the policy restores them and no deletion
    /// is pending. If a pending deletion fails, other windows are restored all the same.
    ///
    /// - Returns: the number of tabs that were dropped because of the policy.
    func dropIfAsked() async throws(StorageError) -> Int {
        if saves.isDeletionPending {
            isInUse = true
            try? await saves.deleteIncognito()
            return 0
        }
        guard context.policy.incognito != .restore else { return 0 }
        var tabs = 0
        let saved = try await saves.store.sessions().filter { $0.partition == .incognito }
        for id in saved { tabs += (try? await saves.store.restore(id))?.tabs.count ?? 0 }
        if !saved.isEmpty { try await saves.deleteIncognito() }
        return tabs
    }

    /// Notes the partition's sessions that were read and not opened yet.
    func found(_ sessions: [RestoredSession]) {
        isInUse = isInUse || !sessions.isEmpty
        unopened = Set(
            sessions.filter { !$0.tabs.isEmpty && $0.id.kind.role == .window }.map(\.id))
    }

    /// Notes that the session's window closed because the app ends: its tabs are saved and in no window.
    func wasKept(_ session: SessionID) {
        if session.kind.role == .window { unopened.insert(session) }
    }

    /// Notes that the session's tabs are in a window or deleted.
    func opened(_ session: SessionID) { unopened.remove(session) }

    // MARK: After the last tab closes

    /// Notes that a window of this partition is tracked.
    func began() {
        isInUse = true
        _ = try? context.profile?.createIncognito()
    }

    /// Whether a tab is in a window or between two windows.
    var hasTabs: Bool {
        !context.incognitoDetachedTabs.isEmpty
            || windows.contains { $0.kind.role == .window && !$0.tabs.isEmpty }
    }

    private var mayBeDeleted: Bool { isInUse && unopened.isEmpty && !hasTabs }

    /// Deletes the partition if its last tab is gone. Called when a window is empty or closed, or a
    /// detached tab has ended. All other waiting work runs first.
    func emptied() {
        guard context.phase == .running, mayBeDeleted else { return }
        weak let tabs = self
        context.work.enqueue { await tabs?.deleteIfEmpty() }
    }

    /// Deletes the partition if it has no tabs. Also called when a pending deletion can be tried again.
    func deleteIfEmpty() async {
        guard mayBeDeleted || saves.isDeletionPending, !hasTabs, context.phase == .running else {
            return
        }
        try? await delete()
    }
}
