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
        isIncognitoInUse && unopenedIncognito.isEmpty && !hasIncognitoTabs
    }

    /// Whether a tab off the record is in a window, or on its way to one.
    var hasIncognitoTabs: Bool {
        incognito.hasTravellers
            || windows.windows.contains { $0.isOffTheRecord && !$0.tabs.isEmpty }
    }

    private func deleteIncognitoIfEmpty() async {
        guard mayDeleteIncognito, phase == .running else { return }
        try? await deleteIncognito()
    }

    /// Deletes everything that is saved off the record, its key first, and closes the windows of that
    /// side. It happens by itself when the last off-the-record tab is closed.
    ///
    /// A window of that side that is opened meanwhile stays, and is saved when the old ones are gone.
    ///
    /// When it throws, windows and tabs of that side are gone from the model all the same. It is
    /// tried again; and if there are new tabs by then, the next save removes the old ones.
    public func deleteIncognito() async throws(SessionRestorationError) {
        try checkIsRunning()
        isIncognitoInUse = false
        unopenedIncognito = []
        for window in windows.windows where window.isOffTheRecord {
            trackers.removeValue(forKey: window.sessionID)?.stop()
            try? windows.close(window)
        }
        incognito.forgetAll()
        do {
            try await gate.pass {
                try await storage.current.deleteIncognito()
                saveIncognitoAnew()
            }
        } catch {
            let error = error as? StorageError ?? StorageError(.failed, "\(error)")
            logger.error("deleting incognito failed", metadata: ["error": "\(error)"])
            isIncognitoInUse = true
            retryDeletion()
            tell(.saveFailed(error))
            await removeIncognitoLeftovers()
            throw .storage(error)
        }
        if !windows.windows.contains(where: \.isOffTheRecord) { endOffTheRecord() }
        tell(.incognitoDeleted)
    }

    /// A save that was under way before the deletion may have had tabs of new windows with it.
    private func saveIncognitoAnew() {
        incognito.forgetAll()
        for tracker in trackers.values where tracker.window.isOffTheRecord {
            tracker.markEverything()
        }
    }

    private func removeIncognitoLeftovers() async {
        let saved = (try? await storage.current.sessions()) ?? []
        for id in saved where id.side == .incognito {
            if windows.window(id.window, id.kind) == nil { incognito.remove(id) }
        }
    }

    private func retryDeletion() {
        let wait = policy.retryDelays.last ?? policy.saveDelay
        weak let restorer = self
        _ = work.after(wait) { await restorer?.deleteIncognitoIfEmpty() }
    }
}
