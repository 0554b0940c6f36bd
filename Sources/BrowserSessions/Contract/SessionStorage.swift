/// The one interface between a browser and the store that keeps its sessions.
///
/// Every change to a store is a ``SessionChanges`` set passed to ``save(_:durability:)``. A set is
/// visible and durable as a whole or not at all. A store has two physically separate partitions,
/// see ``StoragePartition``; a set changes one of them. A store has one writer: a second opener, in this
/// or another process, gets ``StorageError/Code/locked``.
///
/// All calls may come from any task or thread. None blocks Swift's cooperative pool. After
/// ``close()``, every other call throws ``StorageError/Code/closed``. If a task was canceled before
/// its call began, the call does nothing and throws ``StorageError/Code/cancelled``. A call that
/// has begun is finished, except for a check that only reports. ``close()`` and ``deleteIncognito()``
/// run even in a canceled task, because hosts call them at the end.
///
/// Calls with a version read the present, or a restore point. A point that is not kept is
/// ``StorageError/Code/notFound``, and any point ``StorageError/Code/unsupported`` if
/// ``StorageTraits/keepsRestorePoints`` says so.
///
/// The protocol may grow. Each addition has a default implementation, made of the other calls where
/// possible, and throwing ``StorageError/Code/unsupported`` otherwise, so older storages continue
/// to work. Enums that may grow are `@nonexhaustive`; ``SessionChanges/Change`` is not, because a
/// storage must handle every change.
public protocol SessionStorage: Sendable {
    /// What this store promises.
    var traits: StorageTraits { get }

    // MARK: - Read

    /// Returns the sessions that were there at a version, in ascending order; `[]` if there were none.
    ///
    /// The present has the sessions of both partitions, without incognito sessions that cannot be read
    /// now. Calls that request one throw the reason that ``StorageTraits/incognitoProblem`` gives. A restore
    /// point has regular sessions only, also those that were removed since. If some of the point cannot be
    /// read, the result has the sessions that have something left, and ``StorageError/Code/corrupted`` is
    /// thrown if there are none.
    func sessions(at version: SessionVersion) async throws(StorageError) -> [SessionID]

    /// Returns what a menu shows of the present sessions, in the order of their IDs. Reads no tab.
    func summaries() async throws(StorageError) -> [SessionSummary]

    /// Returns the attributes of sessions and the metadata of their tabs, all from one moment,
    /// without reading any state.
    ///
    /// The result is in the order of the IDs. A session that was never saved, or was removed, is
    /// left out. A session that could not be read is never left out: what is left of it is returned
    /// with its ``RestoredSession/provenance`` and ``RestoredSession/losses``, or the call throws.
    func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
        -> [RestoredSession]

    /// Returns the blobs of the given keys in one call. A key without a blob is absent.
    ///
    /// Throws ``StorageError/Code/corrupted`` if a blob was saved but cannot be read. Use
    /// ``SessionStorage/history(of:in:)`` to fall back to the tab's address.
    func states(of keys: [TabStateKey], at version: SessionVersion) async throws(StorageError)
        -> [TabStateKey: [UInt8]]

    /// Returns the keys of all blobs of a session's tabs, ordered by tab and name; `[]` if there
    /// are none or the session does not exist.
    func stateKeys(in session: SessionID, at version: SessionVersion) async throws(StorageError)
        -> [TabStateKey]

    // MARK: - Save

    /// Applies a change set: all of it or nothing.
    ///
    /// After it returns, this set **and every earlier one** of its partition survive what
    /// `durability` names, and no later set ever survives without the earlier ones. Applying the
    /// same set twice equals applying it once. A set without changes only raises the durability of
    /// earlier ones. A level above all levels in ``traits`` is refused as
    /// ``StorageError/Code/unsupported``.
    ///
    /// If the incognito partition cannot be opened because its key or its headers are gone, an
    /// incognito set moves it to the quarantine and starts a new one. If its key store is absent or
    /// does not answer, it may be opened later, so it is left in place and the call throws.
    ///
    /// When the call throws, ``StorageError/effect`` says whether the set was applied. The store is
    /// then as before and usable, or refuses every later write until it is opened again.
    @discardableResult
    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt

    /// Removes every incognito session: moves the partition out of the way, destroys its key and
    /// removes its files. Needs no free disk space. Without incognito sessions, does nothing.
    ///
    /// After it returns, and at the next opening, no incognito session is left, nor one that was
    /// set aside. A key that belongs to the store that this one was copied from stays. Copies that
    /// were never opened for writing share this store's key and can no longer be read. The next
    /// opening completes an interrupted call. If the key cannot be destroyed, the call still
    /// removes the files and throws ``StorageError/Code/keyUnavailable``; call it again then.
    func deleteIncognito() async throws(StorageError)

    // MARK: - Restore points

    /// Returns the restore points that the store keeps, newest first; `[]` if there are none. See
    /// ``RestorePoint`` for when it takes them, and which ones it keeps.
    func restorePoints() async throws(StorageError) -> [RestorePoint]

    /// Returns how many bytes restore points take beside the present state; ``RestorePointBytes/none`` if
    /// there are none. Reads the records of all points, and no state.
    ///
    /// Records that cannot be read count with the bytes that are there, and such states with those that
    /// were saved.
    func restorePointBytes() async throws(StorageError) -> RestorePointBytes

    /// Returns the tabs that restore points have and no session has any more, each as at the newest point
    /// that has it, newest points first, and ordered by session and tab within one; `[]` if there are none.
    ///
    /// Tabs that cannot be read are left out, and ``SessionStorage/check()`` reports them. If that leaves
    /// nothing, the call throws ``StorageError/Code/corrupted``.
    func earlierTabs() async throws(StorageError) -> [EarlierTab]

    /// Takes the present state of all regular sessions as a restore point. When it returns, the point
    /// is as durable as the store can make it, with everything that was saved before.
    ///
    /// A point with this state that has no name gets this one. If the state has a point with another
    /// name, the new one gets a number of its own: later receipts count one set more.
    /// The name `before restoring` is reserved for points that are kept for 30 days.
    ///
    /// Throws ``StorageError/Code/corrupted`` while the store has losses that were not accepted, and
    /// ``StorageError/Code/unsupported`` if ``StorageTraits/takesRestorePoints`` says so.
    ///
    /// - Parameter name: what the user calls it; empty if nothing.
    /// - Parameter pinned: whether it stays until ``releaseRestorePoint(_:)``.
    func takeRestorePoint(name: String, pinned: Bool) async throws(StorageError) -> RestorePoint

    /// Gives up a restore point. Does nothing if it is not kept (any more). Throws
    /// ``StorageError/Code/unsupported`` if ``StorageTraits/takesRestorePoints`` says so.
    func releaseRestorePoint(_ id: RestorePointID) async throws(StorageError)

    // MARK: - Maintenance

    /// Reads everything, and reports or repairs what cannot be read, as ``CheckMode`` says.
    @discardableResult
    func check(_ mode: CheckMode) async throws(StorageError) -> RecoveryReport

    /// Erases what ``ErasureScope`` says, and returns what that was, in numbers alone.
    @discardableResult
    func erase(_ scope: ErasureScope) async throws(StorageError) -> ForgettingReceipt

    /// Makes everything saved survive a power cut, and releases the store. Closing twice is fine.
    func close() async throws(StorageError)
}
