import BrowserModel
import BrowserSessions
import Logging

extension SessionRestorer {
    /// Off-the-record sessions of an earlier process go now, unless the policy restores them and that
    /// process owed no deletion. One that is owed and fails does not keep other windows away.
    func dropIncognitoIfAsked() async throws(StorageError) -> Int {
        if ledger.owesDeletion {
            isIncognitoInUse = true
            do throws(StorageError) { try await ledger.deleteIncognito {} } catch {
                ledger.retryDeletion()
            }
            return 0
        }
        guard policy.incognito != .restore else { return 0 }
        var tabs = 0
        let saved = try await ledger.sessions().filter { $0.side == .incognito }
        for id in saved { tabs += (try? await ledger.restore(id))?.tabs.count ?? 0 }
        if !saved.isEmpty { try await ledger.deleteIncognito {} }
        return tabs
    }

    /// An off-the-record window has no tabs any more, or is gone, or a tab on its way has ended. If it
    /// was the last one with tabs, everything of that side is deleted; but first everybody gets a turn.
    func incognitoWindowEmptied() {
        guard phase == .running, mayDeleteIncognito else { return }
        weak let restorer = self
        work.enqueue { await restorer?.deleteIncognitoIfEmpty() }
    }

    private var mayDeleteIncognito: Bool {
        isIncognitoInUse && unopenedIncognito.isEmpty && !hasIncognitoTabs
    }

    /// Whether a tab off the record is in a window, or on its way to one.
    var hasIncognitoTabs: Bool {
        !ledger.incognitoTransit.isEmpty
            || windows.offTheRecord.contains { !$0.tabs.isEmpty }
    }

    /// Also what ``SessionLedger/deletionIsDue`` is.
    func deleteIncognitoIfEmpty() async {
        guard mayDeleteIncognito || ledger.owesDeletion, !hasIncognitoTabs, phase == .running else {
            return
        }
        try? await deleteIncognito()
    }

    /// Deletes everything that is saved off the record, its key first, and closes the windows of that
    /// side. It happens by itself when the last off-the-record tab is closed.
    ///
    /// A window of that side that is opened meanwhile stays, and is saved when the old ones are gone.
    ///
    /// When it throws, windows and tabs of that side are gone from the model all the same. It is owed
    /// from then on: tried again while the process runs, and at the next launch before anything is
    /// restored. If there are new tabs by then, the next save removes the old ones.
    public func deleteIncognito() async throws(SessionRestorationError) {
        try checkIsRunning()
        isIncognitoInUse = false
        for id in unopenedIncognito { ledger.incognito.remove(id) }
        unopenedIncognito = []
        for window in windows.offTheRecord { try? windows.offTheRecord.close(window) }
        do throws(StorageError) {
            try await ledger.deleteIncognito {
                for tracker in trackers.values where tracker.window.isOffTheRecord {
                    tracker.markEverything()
                }
            }
        } catch {
            isIncognitoInUse = true
            ledger.retryDeletion()
            throw .storage(error)
        }
        if windows.offTheRecord.isEmpty { endOffTheRecord() }
        tell(.incognitoDeleted)
    }
}
