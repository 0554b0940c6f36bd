import BrowserSessions

/// An action that a ``SaveCoordinator`` requests.
enum SaveEffect {
    case setTimer(SaveTimer, Duration)
    case cancelTimer(SaveTimer)
    /// Wait for pages that have more to report, then answer with `SaveEvent.pagesFlushed`.
    case flushPages
    /// Read the records of `PendingChanges.toCollect` from the model, then answer with `SaveEvent.collected`.
    ///
    /// - Parameter isFirst: whether a save of the partition begins, so that observers are notified before.
    case collect(StoragePartition, only: PendingChanges.Record?, isFirst: Bool)
    /// Read the launch note, then answer with `SaveEvent.ownerChecked`.
    case checkOwner(Int)
    /// Call the store, then answer with `SaveEvent.saveAnswered`.
    case save(Int, SessionChanges, StoragePartition, Durability)
    /// Call the store, then answer with `SaveEvent.deletionAnswered`.
    case deleteIncognito(Int)
    /// Mark everything that is private and open, because the store no longer has it.
    case markIncognito
    /// Update the launch note, then answer with `SaveEvent.deletionNoted`.
    case noteDeletion
    /// A deletion became pending, or is not pending any more.
    case deletionChanged
    /// A pending deletion can be tried again.
    case deletionIsDue
    /// Begin the turn of a workflow.
    case beginTurn(Int)
    /// Give up the call of a workflow, with an error for its caller.
    case giveUp(Int, StorageError)
    /// End a request; `nil` for success.
    case finish(Int, StorageError?)
    case didSave
    /// Another restorer uses the store.
    case superseded
    case notify(RestorationEvent)
}

/// A timer of a ``SaveCoordinator``.
enum SaveTimer: Hashable {
    case saveDelay
    case retry
    case deletionRetry
    case stall(Int)
    case deadline(Int)
}
