import BrowserSessions

/// The stateful components of one restorer, and their handling of events.
final class RestorerComponents {
    let context: RestorerContext
    let launch: Launch
    let incognito: IncognitoTabs
    let closedTabs: ClosedTabRecords
    let setAside: SetAsideRecords
    let unsavedPages: UnsavedPages
    let realized: RealizedTabs
    let trackers: WindowTrackers

    init(_ context: RestorerContext) {
        self.context = context
        launch = Launch(context)
        incognito = IncognitoTabs(context)
        closedTabs = ClosedTabRecords(
            policy: context.policy, saves: context.saves.regular, age: context.age,
            clock: context.clock)
        setAside = SetAsideRecords(context)
        unsavedPages = UnsavedPages(context)
        realized = RealizedTabs(context, unsavedPages: unsavedPages)
        trackers = WindowTrackers(context, closedTabs: closedTabs)
        context.regularDetachedTabs.delegate = self
        context.incognitoDetachedTabs.delegate = self
        context.saves.delegate = self
        trackers.start(self)
    }

    /// Continues with another store, which does not have anything that is open yet.
    func replaceStorage(_ storage: any SessionStorage) {
        context.saves.replaceStorage(with: storage)
        trackers.markEverything()
        closedTabs.saveAnew()
        context.saves.send(.saveSoonRequested)
        launch.note.writeAgain()
    }

    /// Saves everything, notes an orderly end of the process, and stops observing.
    func close() async throws(SessionRestorationError) {
        guard context.phase != .closed else { return }
        // Changes that would never be saved are not lost silently at the end.
        let end = context.age.now
        if !context.wasAskedToRestore, !context.saves.isClean { throw .notRestored }
        if context.phase == .running {
            try await context.save()
            do throws(StorageError) { try await launch.end(at: end) } catch {
                throw SessionRestorationError(error)
            }
        } else if context.phase != .superseded {
            // What is still being restored opens nothing more.
            context.phase = .closed
            try? await launch.end(at: end)
        }
        context.saves.stop()
        launch.note.stop()
        context.phase = .closed
        trackers.stop()
    }
}

extension RestorerComponents: SaveDelegate {
    func didSave() {
        setAside.discardOld()
        realized.letGoOfSavedStates()
    }

    func notify(_ event: RestorationEvent) { context.report(event) }

    func flushPages() async { await unsavedPages.flush() }

    func isReplaced() async -> Bool { await launch.note.isReplaced() }

    func superseded() {
        context.phase = .superseded
        launch.note.stop()
        trackers.stop()
    }

    func markIncognito() { incognito.markEverything() }

    func deletionChanged() { launch.note.writeSoon() }

    func deletionIsDue() async { await incognito.deleteIfEmpty() }

    func noteDeletion() async throws(StorageError) { try await launch.note.noteDeletion() }
}

extension RestorerComponents: DetachedTabsDelegate {
    func detachedTabWasLost(_ tab: TabMetadata, from session: SessionID) {
        if session.partition == .regular {
            closedTabs.lost(tab, from: session)
        } else {
            context.saves.incognito.close(tab.id)
        }
    }

    func detachedTabEnded(in partition: StoragePartition) {
        if partition == .incognito { incognito.emptied() }
    }
}
