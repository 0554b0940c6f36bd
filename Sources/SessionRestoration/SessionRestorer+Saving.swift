public import BrowserSessions

extension SessionRestorer {
    /// Saves everything that has changed and returns when it survives all that the store can
    /// promise. A delayed save that waits is not needed any more.
    ///
    /// When nothing has changed, nothing is written. When it throws, the changes are kept and tried
    /// again. It is done whatever becomes of the task that asks for it.
    public func save() async throws(SessionRestorationError) {
        try checkIsRunning()
        do throws(StorageError) { try await ledger.save() } catch { throw .storage(error) }
    }

    /// Whether everything that has changed was acknowledged by the store.
    public var isSaved: Bool { ledger.isClean }

    /// The tabs that are not saved as they are, because a part of them is too large or malformed, and
    /// why; empty if there are none. Everything else of them is saved. A tab is tried again when it
    /// changes.
    public var unsavedTabs: [TabID: StorageError] { ledger.refusals }

    /// Whether changes reach the store.
    public var health: SaveHealth { ledger.health }

    /// Returns once nothing is under way or due of what the restorer does by itself: delayed saves and
    /// those of windows that close or leave the screen, tries after a failure, deletions of the
    /// off-the-record side, notes of the launch, and tabs that become realized because they were
    /// activated. What these ask for is waited for, too.
    ///
    /// For tests, and for whoever wants to look at the store between two changes. Afterwards what was
    /// going to happen has happened: if nothing was saved, nothing was to be saved.
    ///
    /// It does not wait for a delay to pass: a change that waits for ``RestorationPolicy/saveDelay``,
    /// or a try that waits for its turn, is none of it, so ``isSaved`` may be `false`; ``save()`` does
    /// not wait for delays. Nor does it wait for what others await, such as ``save()`` in another
    /// task. While the store does not answer a save it does not return, unless its task is cancelled.
    /// Before windows are restored it returns at once, because nothing happens by itself then.
    public func waitUntilIdle() async { await work.waitUntilIdle() }

    /// The store in use: the one that was given, or the last that took its place.
    public var currentStorage: any SessionStorage { ledger.door.storage }

    /// Goes on with another store, after the first has failed for good or does not answer: the same one
    /// opened again, or one elsewhere. Everything that is open is saved there, and the recently closed
    /// tabs; state of tabs that are not realized is there only if the store has it. Whoever waits for
    /// the first one is told that it was replaced; saves go on with the new one.
    public func replaceStorage(with storage: any SessionStorage) {
        ledger.replaceStorage(with: storage)
        for tracker in trackers.values { tracker.markEverything() }
        closedTabs.saveAnew()
        ledger.saveSoon()
        noteLaunchAgain()
    }
}
