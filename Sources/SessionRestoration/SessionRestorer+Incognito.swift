import BrowserModel
import BrowserSessions
import Logging

extension SessionRestorer {
    /// Off-the-record sessions of an earlier process go now, unless the policy restores them.
    func dropIncognitoIfAsked() async throws(StorageError) -> Int {
        guard policy.incognito != .restore else { return 0 }
        var tabs = 0
        let saved = try await storage.current.sessions().filter { $0.side == .incognito }
        for id in saved { tabs += (try? await storage.current.restore(id))?.tabs.count ?? 0 }
        if !saved.isEmpty { try await storage.current.deleteIncognito() }
        return tabs
    }

    /// An off-the-record window has no tabs any more, or is gone. If it was the last one with tabs,
    /// everything of that side is deleted; but first everybody gets a turn, because a tab that moves
    /// from one window to another is in none for a moment.
    func incognitoWindowEmptied() {
        guard phase == .running, mayDeleteIncognito else { return }
        weak let restorer = self
        work.enqueue { await restorer?.deleteIncognitoIfEmpty() }
    }

    private var mayDeleteIncognito: Bool {
        isIncognitoInUse && unopenedIncognito.isEmpty && !incognito.hasTravellers
            && windows.windows.allSatisfy { !$0.isOffTheRecord || $0.tabs.isEmpty }
    }

    private func deleteIncognitoIfEmpty() async {
        guard mayDeleteIncognito, phase == .running else { return }
        try? await deleteIncognito()
    }

    /// Deletes everything that is saved off the record, its key first, and closes the windows of that
    /// side. It happens by itself when the last off-the-record tab is closed.
    ///
    /// When it throws it is tried again, as saves are; windows and tabs of that side are gone from
    /// the model all the same.
    public func deleteIncognito() async throws(SessionRestorationError) {
        guard phase != .closed else { throw .closed }
        guard phase == .running else { throw .notRestored }
        isIncognitoInUse = false
        unopenedIncognito = []
        for window in windows.windows where window.isOffTheRecord {
            trackers.removeValue(forKey: window.sessionID)?.stop()
            try? windows.close(window)
        }
        incognito.forgetAll()
        do {
            try await gate.pass { try await storage.current.deleteIncognito() }
        } catch {
            let error = error as? StorageError ?? StorageError(.failed, "\(error)")
            logger.error("deleting incognito failed", metadata: ["error": "\(error)"])
            tell(.saveFailed(error))
            isIncognitoInUse = true
            retryDeletion()
            throw .storage(error)
        }
        endOffTheRecord()
        tell(.incognitoDeleted)
    }

    private func retryDeletion() {
        let wait = policy.retryDelays.last ?? policy.saveDelay
        weak let restorer = self
        _ = work.after(wait) { await restorer?.deleteIncognitoIfEmpty() }
    }
}
