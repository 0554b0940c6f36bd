public import BrowserSessions

/// Whether changes reach the store.
public enum SaveHealth: Sendable {
    /// The last save succeeded, or none was needed yet.
    case healthy
    /// Saves fail; the changes are kept and tried again.
    ///
    /// - Parameters:
    ///   - error: why the last try failed.
    ///   - attempts: how many failed, one after the other.
    ///   - retryIn: how long after the last failure the next one begins.
    case failing(StorageError, attempts: Int, retryIn: Duration)
    /// A save has not returned for longer than ``RestorationPolicy/stallLimit``. The changes are
    /// kept; nothing else of its side is sent until the store answers or another takes its place.
    case stalled(since: Timestamp)
    /// Another restorer began to use the store, so this one saves nothing any more, for good: see
    /// ``SessionRestorationError/superseded``.
    case superseded
}

/// One save that succeeded.
public struct SaveSummary: Hashable, Sendable {
    public var receipt: SaveReceipt
    public var side: StorageSide
    /// How many records changed.
    public var changes: Int
    /// Bytes of tab state among them.
    public var stateBytes: Int
    /// How long the store took.
    public var duration: Duration
}

/// What a restorer tells its observers.
public enum RestorationEvent: Sendable {
    /// Windows are about to be restored.
    case willRestore
    /// Windows were restored; from now on changes are saved.
    case didRestore(RestorationReport)
    /// What waits of a side is about to be taken from the model, as one set: all that has changed until
    /// now and nothing that changes later is in the next ``saved(_:)`` of that side.
    case willSave(StorageSide)
    case saved(SaveSummary)
    /// What was saved of the regular side until now survives even a power cut. Told after ``saved(_:)``,
    /// in order and without a gap; never by a store that cannot promise it.
    case becameDurable(DurableChanges)
    /// A save failed; its changes are kept and tried again.
    case saveFailed(StorageError)
    case healthChanged(SaveHealth)
    /// A tab cannot be saved as it is, because a part of it is too large or malformed; everything
    /// else was saved. It is tried again when the tab changes.
    case tabNotSaved(TabID, StorageError)
    /// A blob of a tab is larger than the store takes and was left out; told once, until it fits again.
    case stateLeftOut(TabID, StateName, bytes: Int)
    /// What was saved of a tab's history could not be read: it goes on with its last address.
    case historyLost(TabID)
    /// The store does not take all of a window's attributes: a part of them was left out, or they are not
    /// saved; its tabs are. It is tried again when the window changes.
    case windowNotSaved(SessionID, StorageError)
    /// Closed tabs, or what was set aside, went because a rule keeps them no longer.
    case dropped(DroppedItems)
    /// A window lost all its tabs without the user: they were set aside.
    case windowEmptied(WindowID, tabs: Int)
    /// The last off-the-record tab was closed, and everything saved of that side is gone.
    case incognitoDeleted
}

/// Hears what a restorer does. Called in the isolation of the model: a class of the main actor conforms as
/// `@MainActor SessionRestorerObserver`.
public protocol SessionRestorerObserver: AnyObject {
    func restorer(_ restorer: SessionRestorer, did event: RestorationEvent)
}
