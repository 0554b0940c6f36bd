import BrowserModel
import BrowserSessions
import Logging

/// Sees to it that private tabs go without a trace: ``SessionRestorer/incognito``.
public final class IncognitoTabs {
    private let context: RestorerContext
    /// Whether there was an off-the-record window or session since that side was deleted last.
    private var isInUse = false
    /// Sessions with tabs whose windows were not opened yet.
    private var unopened: Set<SessionID> = []
    /// Told when there is a window of that side, and when there is nothing left of it.
    var onBegin: () -> Void = {}
    var onEnd: () -> Void = {}

    private var ledger: SessionLedger { context.ledger }
    /// Those that are off the record, and what belongs to them.
    private var windows: [Window] { context.windows.windows.filter(\.isOffTheRecord) }

    init(_ context: RestorerContext) { self.context = context }

    // MARK: For the host

    /// Deletes everything that is saved off the record, its key first, and closes the windows of that
    /// side and tabs that are between two of them. It happens by itself when the last off-the-record
    /// tab is closed.
    ///
    /// A window of that side that is opened meanwhile stays, and is saved when the old ones are gone.
    ///
    /// When it throws, windows and tabs of that side are gone from the model all the same. It is owed
    /// from then on: tried again while the process runs, and at the next launch before anything is
    /// restored. If there are new tabs by then, the next save removes the old ones.
    public func delete() async throws(SessionRestorationError) {
        try context.checkIsRunning()
        isInUse = false
        for id in unopened { ledger.incognito.remove(id) }
        unopened = []
        ledger.incognitoTransit.closeAll()
        for window in windows where !window.isClosed { try? context.windows.close(window) }
        do throws(StorageError) {
            try await ledger.deleteIncognito {
                for window in windows { ledger.incognito.markEverything(of: window) }
                ledger.incognitoTransit.markEverything()
            }
        } catch {
            isInUse = true
            ledger.debt.retry()
            throw SessionRestorationError(error)
        }
        if windows.isEmpty, ledger.incognitoTransit.isEmpty { onEnd() }
        context.tell(.incognitoDeleted)
    }

    // MARK: At launch

    /// Sessions of an earlier process go now, unless the policy restores them and that process owed no
    /// deletion. One that is owed and fails does not keep other windows away.
    ///
    /// - Returns: how many tabs were dropped because the policy says so.
    func dropIfAsked() async throws(StorageError) -> Int {
        if ledger.debt.isOwed {
            isInUse = true
            do throws(StorageError) { try await ledger.deleteIncognito {} } catch {
                ledger.debt.retry()
            }
            return 0
        }
        guard context.policy.incognito != .restore else { return 0 }
        var tabs = 0
        let saved = try await ledger.sessions().filter { $0.side == .incognito }
        for id in saved { tabs += (try? await ledger.restore(id))?.tabs.count ?? 0 }
        if !saved.isEmpty { try await ledger.deleteIncognito {} }
        return tabs
    }

    /// What the store has of this side, read and not opened yet.
    func found(_ sessions: [RestoredSession]) {
        isInUse = isInUse || !sessions.isEmpty
        unopened = Set(
            sessions.filter { !$0.tabs.isEmpty && $0.id.kind.role == .window }.map(\.id))
    }

    /// The session's window closed as the app ends: its tabs are saved and in no window.
    func wasKept(_ session: SessionID) {
        if session.kind.role == .window { unopened.insert(session) }
    }

    /// The session's tabs are in a window, or gone.
    func opened(_ session: SessionID) { unopened.remove(session) }

    // MARK: When the last tab goes

    /// A window of this side is watched.
    func began() {
        isInUse = true
        onBegin()
    }

    /// Whether a tab is in a window, or on its way to one.
    var hasTabs: Bool {
        !ledger.incognitoTransit.isEmpty
            || windows.contains { $0.kind.role == .window && !$0.tabs.isEmpty }
    }

    private var mayBeDeleted: Bool { isInUse && unopened.isEmpty && !hasTabs }

    /// A window has no tabs any more, or is gone, or a tab on its way has ended. If it was the last one
    /// with tabs, everything of this side is deleted; but first everybody gets a turn.
    func emptied() {
        guard context.phase == .running, mayBeDeleted else { return }
        weak let tabs = self
        context.work.enqueue { await tabs?.deleteIfEmpty() }
    }

    /// Also what ``DeletionDebt/isDue`` is.
    func deleteIfEmpty() async {
        guard mayBeDeleted || ledger.debt.isOwed, !hasTabs, context.phase == .running else {
            return
        }
        try? await delete()
    }
}
