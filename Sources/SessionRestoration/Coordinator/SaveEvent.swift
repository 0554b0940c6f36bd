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
    case collected(StoragePartition, [CollectedRecord], StorePromises)
    /// A workflow with the turn of the regular partition sends a change set.
    case transferRequested(TransferRequest)
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

/// A change set of a workflow.
struct TransferRequest {
    var number: Int
    var changes: SessionChanges
    var durability: Durability
}

/// The durability that saves of each partition can reach.
struct StorePromises: Hashable {
    var regular: Durability
    var incognito: Durability
    /// The durability of a delayed save unless the policy overrides it.
    var usual: Durability

    func greatest(of partition: StoragePartition) -> Durability {
        partition == .regular ? regular : min(regular, incognito)
    }
}
