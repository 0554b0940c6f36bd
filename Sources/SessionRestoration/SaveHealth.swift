public import BrowserSessions

/// The health of saving: whether changes reach the store.
public enum SaveHealth: Sendable {
    /// The last save succeeded, or none was needed yet.
    case healthy
    /// Saves fail. The changes are kept and saved later.
    ///
    /// - Parameters:
    ///   - error: the reason why the last attempt failed.
    ///   - attempts: the number of consecutive failures.
    ///   - retryIn: the time from the last failure to the next attempt.
    case failing(StorageError, attempts: Int, retryIn: Duration)
    /// A call to the store has not returned for longer than ``RestorationPolicy/stallLimit``. Changes are
    /// kept. If it is a save, its partition sends nothing else until the store answers or is replaced.
    case stalled(since: Timestamp)
    /// Another restorer began to use the store, so this one does not save any more. See
    /// ``SessionRestorationError/superseded``.
    case superseded
}

/// A successful save.
public struct SaveSummary: Hashable, Sendable {
    /// The sequence number and the durability that the store acknowledged.
    public var receipt: SaveReceipt
    /// The partition that the changes are in.
    public var partition: StoragePartition
    /// The number of changed records.
    public var changes: Int
    /// The number of bytes of tab state among them.
    public var stateBytes: Int
    /// The time that the store took.
    public var duration: Duration
}

/// An event that a restorer reports to its observers.
public enum RestorationEvent: Sendable {
    /// Windows are about to be restored.
    case willRestore
    /// Windows were restored. Changes are saved from now on.
    case didRestore(RestorationReport)
    /// The changes of a partition are about to be read from the model, as one set. The partition's
    /// next ``saved(_:)`` contains all changes until now and none of the later ones.
    case willSave(StoragePartition)
    /// The store acknowledged changes of one partition.
    case saved(SaveSummary)
    /// Data of the regular partition now survives even a power cut. Reported after ``saved(_:)``,
    /// in order and without gaps. A store that cannot promise this never reports it.
    case becameDurable(DurableChanges)
    /// A save failed. Its changes are kept and saved later.
    case saveFailed(StorageError)
    /// The health of saving changed. While saves fail, this follows each failed attempt.
    case healthChanged(SaveHealth)
    /// A tab cannot be saved as it is, because part of it is too large or malformed. Everything
    /// else was saved. The restorer tries again when the tab changes.
    case tabNotSaved(TabID, StorageError)
    /// A blob of a tab exceeds the store's limit and was left out. Reported once, until it fits again.
    case stateLeftOut(TabID, StateName, bytes: Int)
    /// A tab's saved history could not be read. The tab continues with its last address.
    case historyLost(TabID)
    /// The store refuses some of a window's attributes, which were left out, or all of them. The
    /// window's tabs are saved. The restorer tries again when the window changes.
    case windowNotSaved(SessionID, StorageError)
    /// Closed tabs or sessions that were set aside were removed because no rule keeps them any longer.
    case dropped(DroppedItems)
    /// Many tabs left the windows at once, and the user did not ask for all of that: the store keeps the state
    /// before it as a restore point. `RestorePoint.lostTabCount` says how many tabs it was. Reported after
    /// ``saved(_:)`` of the set that took them away; see <doc:Recovery>.
    case tookPointBeforeLoss(RestorePoint)
    /// What can be brought back has changed: ``SessionRestorer/closed``, ``SessionRestorer/setAside``, or the
    /// restore points by a call of ``SessionRestorer/history``. Reported once for what changes together, when
    /// the lists show it.
    case savedItemsChanged
    /// The last incognito tab was closed, and all saved data of that partition was deleted.
    case incognitoDeleted
}

/// The sequences that receive the events of a restorer.
struct EventStreams {
    private var continuations: [AsyncStream<RestorationEvent>.Continuation] = []

    /// Returns a new sequence of the events from now on.
    mutating func make(isFinished: Bool) -> AsyncStream<RestorationEvent> {
        let (events, continuation) = AsyncStream<RestorationEvent>.makeStream()
        if isFinished { continuation.finish() } else { continuations.append(continuation) }
        return events
    }

    /// Sends an event to all sequences that are still read.
    mutating func send(_ event: RestorationEvent) {
        continuations.removeAll { continuation in
            if case .terminated = continuation.yield(event) { true } else { false }
        }
    }

    /// Ends all sequences.
    mutating func finish() {
        for continuation in continuations { continuation.finish() }
        continuations = []
    }
}

/// Passes a restorer's events to the host.
protocol RestorationEventReceiver: AnyObject {
    func receive(_ event: RestorationEvent)
}
