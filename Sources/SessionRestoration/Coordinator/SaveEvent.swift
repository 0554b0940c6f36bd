import BrowserModel
import BrowserSessions

/// An event for a ``SaveCoordinator``.
enum SaveEvent {
    /// The model has changed.
    case marked(PendingChanges.Mark, StoragePartition)
    /// Windows were restored. Changes are saved from now on.
    case started
    case saveRequested(SaveRequest)
    /// A caller that cannot wait requests a save without the delay.
    case saveSoonRequested
    /// Pages have reported their state. The requested save without the delay can begin.
    case pagesFlushed
    /// A workflow requests a turn to change a partition in several calls.
    case turnRequested(Int, StoragePartition)
    case turnEnded(Int)
    /// The model was read for the save of a partition.
    case collected(StoragePartition, [CollectedRecord], StorageTraits)
    /// A workflow with the turn of the regular partition sends a change set.
    case transferRequested(Int, SessionChanges, Durability)
    case ownerChecked(Int, isReplaced: Bool)
    case saveAnswered(Int, Result<SaveReceipt, StorageError>, Duration)
    case deletionRequested(Int)
    case deletionAnswered(Int, Result<Void, StorageError>)
    /// The store has, or may have, a launch note that the next process reads for a pending deletion.
    case launchNoted(mayReportDeletion: Bool)
    /// The launch note was updated; `nil`, or the error if that failed.
    case deletionNoted(StorageError?)
    /// The previous process left a pending deletion, or none.
    case deletionInherited(Bool)
    /// A workflow calls the store.
    case callBegan(Int, changing: StoragePartition?)
    case callEnded(Int)
    case timerEnded(SaveTimer)
    case storageReplaced(maximumStateBytes: Int)
    /// Nothing is sent from now on except on request.
    case stopped
}

/// A request to save all pending changes.
struct SaveRequest {
    /// The caller to notify at the end; `nil` if there is none.
    var number: Int?
    /// The durability of the save; `nil` for the store's greatest.
    var durability: Durability?
    /// Whether the request comes from the end of the save delay.
    var isDelayed = false
}

/// An action that a ``SaveCoordinator`` requests.
enum SaveEffect {
    case setTimer(SaveTimer, Duration)
    case cancelTimer(SaveTimer)
    /// Wait for pages that have more to report, then answer with `SaveEvent.pagesFlushed`.
    case flushPages
    /// Read the records of `PendingChanges.toCollect` from the model, then answer with `SaveEvent.collected`.
    ///
    /// - Parameter isFirst: whether a save of the partition begins, so that observers are notified before.
    case collect(StoragePartition, only: SessionItem?, isFirst: Bool)
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
    /// Give up the call of a workflow, with an error for its caller.
    case giveUp(Int, StorageError)
    /// End a request; `nil` for success. The turn of a workflow begins with it.
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

/// A change set that is being sent to the store.
struct Transfer {
    enum Purpose {
        /// Pending changes, or one record of them.
        case pending(OutgoingChanges, SessionItem?)
        /// An empty set that makes earlier ones durable.
        case confirmation
        /// The change set of a workflow that has the turn.
        case workflow(Int)
    }

    let changes: SessionChanges
    let durability: Durability
    let purpose: Purpose
    /// The owner check or store call that it waits for.
    let waitsFor: Int
}

/// A pending record with its content from the model.
struct CollectedRecord {
    var record: SessionItem
    /// The pending version when the record was read. A record that has changed since is not sent.
    var version: Int
    /// Whether to send the record. A record that the store refused is read as well, because it must
    /// not be removed with its session.
    var isWanted = true
    /// The content of a session; `nil` if nothing had to be read, or the model does not have it.
    var session: SessionContent?
    /// The content of a tab; `nil` as with a session.
    var tab: TabMetadata?
    /// The state of the tab's page; `nil` if that need not be saved or is in the store.
    var state: TabState?
    /// The nodes above the tab, if the store may not have the nearest.
    var nodes: [StructureNode] = []
}
