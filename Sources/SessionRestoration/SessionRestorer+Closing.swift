public import BrowserModel
public import BrowserSessions

extension SessionRestorer {
    /// Saves everything, notes that the app ended in order, and stops to watch. The store stays
    /// open: whoever opened it closes it.
    ///
    /// When it throws, the restorer is still in use, and it may be called again. Closing twice is
    /// fine.
    public func close() async throws(SessionRestorationError) {
        guard phase != .closed else { return }
        if phase == .running {
            try await save()
            do throws(StorageError) { try await endLaunch() } catch { throw .storage(error) }
        }
        stopTimers()
        phase = .closed
        windows.removeObserver(self)
        for tracker in trackers.values { tracker.stop() }
        trackers = [:]
    }

    /// Opens a window with what is saved of it: one that was closed, one that could not be read at
    /// launch, or any when ``WindowsToRestore/none`` were opened. Nothing is saved of it: it is new.
    ///
    /// The active tab is realized when it returns.
    @discardableResult
    public func openWindow(_ id: WindowID, kind: SessionKind = .regular)
        async throws(SessionRestorationError) -> Window
    {
        guard phase == .running else { throw phase == .closed ? .closed : .notRestored }
        if let window = windows.window(id, kind) { return window }
        let session = SessionID(window: id, kind: kind)
        do throws(StorageError) {
            try await saveBeforeReading()
            guard let stored = try await storage.current.restore(session) else {
                do throws(WindowListError) { return try windows.open(id, kind: kind) } catch {
                    throw StorageError(.invalidConfiguration, "\(error)")
                }
            }
            let window = try openStored(stored)
            if kind == .regular { try await openCompanions(of: id) }
            await realizeActiveTab(of: window, report?.launch ?? LaunchAssessment())
            return window
        } catch {
            throw .storage(error)
        }
    }

    private func openCompanions(of id: WindowID) async throws(StorageError) {
        for kind in [SessionKind.inactive, .backup] {
            let session = SessionID(window: id, kind: kind)
            guard windows.window(id, kind) == nil,
                let stored = try await storage.current.restore(session), !stored.tabs.isEmpty
            else { continue }
            _ = try openStored(stored)
        }
    }

    private func openStored(_ session: RestoredSession) throws(StorageError) -> Window {
        do throws(WindowListError) { return try open(session) } catch {
            throw StorageError(.invalidConfiguration, "\(error)")
        }
    }

    /// What waits to be saved must be in the store before it is read from there.
    func saveBeforeReading() async throws(StorageError) {
        guard !isSaved else { return }
        do throws(SessionRestorationError) { try await save() } catch {
            if case .storage(let error) = error { throw error }
        }
    }
}
