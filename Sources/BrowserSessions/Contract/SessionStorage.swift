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
/// has begun is finished, except for ``check()``. ``close()`` and ``deleteIncognito()`` run even in
/// a canceled task, because hosts call them at the end.
///
/// The protocol may grow. Each addition has a default implementation, made of the other calls where
/// possible, and throwing ``StorageError/Code/unsupported`` otherwise, so older storages continue
/// to work. Enums that may grow are `@nonexhaustive`; ``SessionChanges/Change`` is not, because a
/// storage must handle every change.
public protocol SessionStorage: Sendable {
    /// What this store promises.
    var traits: StorageTraits { get }

    /// Returns the sessions of both partitions in ascending order; `[]` for a new store.
    ///
    /// Incognito sessions that cannot be read now are left out, so that all others can be listed.
    /// Calls that request one throw the reason that ``StorageTraits/incognitoProblem`` gives.
    func sessions() async throws(StorageError) -> [SessionID]

    /// Returns the sessions that were there at a version, in ascending order; `[]` if there were none.
    ///
    /// A restore point has regular sessions only, also those that were removed since. If some of the
    /// point cannot be read, the result has the sessions that have something left, and
    /// ``StorageError/Code/corrupted`` is thrown if there are none.
    ///
    /// - Parameter version: when. `.current` is ``sessions()``; a restore point that is not kept is
    ///   ``StorageError/Code/notFound``, and any point ``StorageError/Code/unsupported`` if
    ///   ``StorageTraits/keepsRestorePoints`` says so.
    func sessions(at version: SessionVersion) async throws(StorageError) -> [SessionID]

    /// Returns what a menu shows of the sessions of ``sessions()``, in that order. Reads no tab.
    func summaries() async throws(StorageError) -> [SessionSummary]

    /// Returns the restore points that the store keeps, newest first; `[]` if there are none. See
    /// ``RestorePoint`` for when it takes them, and which ones it keeps.
    func restorePoints() async throws(StorageError) -> [RestorePoint]

    /// Returns how many bytes restore points take beside the present state; ``RestorePointBytes/none`` if there are
    /// none. Reads the records of all points, and no state.
    ///
    /// Records that cannot be read count with the bytes that are there, and states that cannot be read with
    /// those that were saved.
    func restorePointBytes() async throws(StorageError) -> RestorePointBytes

    /// Returns the tabs that restore points have and no session has any more, each as at the newest point
    /// that has it, newest points first, and ordered by session and tab within one; `[]` if there are none.
    ///
    /// Tabs that cannot be read are left out, and ``SessionStorage/check()`` reports them. If that leaves nothing, the call
    /// throws ``StorageError/Code/corrupted``.
    func earlierTabs() async throws(StorageError) -> [EarlierTab]

    /// Takes the present state of all regular sessions as a restore point. When it returns, the point
    /// is as durable as the store can make it, with everything that was saved before.
    ///
    /// A point with this state that has no name gets this one. If the state has a point with another
    /// name, the new one gets a number of its own: later receipts count one set more.
    /// The name ``RestorePoint/nameBeforeRestoring`` is reserved for points that are kept for 30 days.
    ///
    /// Throws ``StorageError/Code/corrupted`` while the store has losses that were not accepted, and ``StorageError/Code/unsupported`` if ``StorageTraits/takesRestorePoints`` says so.
    ///
    /// - Parameter name: what the user calls it; empty if nothing.
    /// - Parameter pinned: whether it stays until ``releaseRestorePoint(_:)``.
    func takeRestorePoint(name: String, pinned: Bool) async throws(StorageError) -> RestorePoint

    /// Gives up a restore point. Does nothing if it is not kept (any more).
    ///
    /// Throws ``StorageError/Code/unsupported`` if ``StorageTraits/takesRestorePoints`` says so.
    func releaseRestorePoint(_ id: RestorePointID) async throws(StorageError)

    /// Returns the attributes of sessions and the metadata of their tabs, all from one moment,
    /// without reading any state.
    ///
    /// The result is in the order of the IDs. A session that was never saved, or was removed, is
    /// left out. A session that could not be read is never left out: what is left of it is returned
    /// with its ``RestoredSession/provenance`` and ``RestoredSession/losses``, or the call throws.
    ///
    /// - Parameters:
    ///   - ids: the sessions.
    ///   - version: when. A restore point that is not kept is ``StorageError/Code/notFound``, and any
    ///     point ``StorageError/Code/unsupported`` if ``StorageTraits/keepsRestorePoints`` says so.
    func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
        -> [RestoredSession]

    /// Returns the blobs of the given keys in one call. A key without a blob is absent.
    ///
    /// Throws ``StorageError/Code/corrupted`` if a blob was saved but cannot be read. Use
    /// ``SessionStorage/history(of:in:)`` to fall back to the tab's address.
    ///
    /// - Parameters:
    ///   - keys: the keys of the blobs.
    ///   - version: when, as for ``restore(_:at:)``.
    func states(of keys: [TabStateKey], at version: SessionVersion) async throws(StorageError)
        -> [TabStateKey: [UInt8]]

    /// Returns the keys of all blobs of a session's tabs, ordered by tab and name; `[]` if there
    /// are none or the session does not exist.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - version: when, as for ``restore(_:at:)``.
    func stateKeys(in session: SessionID, at version: SessionVersion) async throws(StorageError)
        -> [TabStateKey]

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

    /// Reads everything and reports what cannot be read. Changes nothing.
    ///
    /// As it may take long, it also stops between two records when its task is canceled, with
    /// ``StorageError/Code/cancelled``.
    func check() async throws(StorageError) -> RecoveryReport

    /// Reads everything, moves damaged bytes to the quarantine, repairs the store and gives up what
    /// is lost. Repairing twice equals repairing once.
    ///
    /// When it returns, everything left can be read, and the report lists what was given up.
    @discardableResult
    func repair() async throws(StorageError) -> RecoveryReport

    /// Removes all damaged bytes that were set aside for inspection. They hold addresses and
    /// titles, so they must not be forgotten. ``eraseRemoved()`` removes them, too. Afterwards,
    /// ``RecoveryReport/quarantined`` is empty.
    ///
    /// Otherwise, they are removed after thirty days. Stores that set nothing aside can omit this.
    func purgeQuarantine() async throws(StorageError)

    /// Erases what was removed or replaced before the call: restore points, what was set
    /// aside, and bytes in the store's files, as far as ``StorageTraits/removalErasure`` goes. Call
    /// it after the removals when you clear browsing data.
    ///
    /// Current data of both partitions, with their sequence numbers, stays as it is, and is durable
    /// when the call returns. ``SessionStorage/restorePoints()`` is `[]` until a later opening takes
    /// one. The call takes as long as reading and writing all current data, and needs as much free
    /// space.
    ///
    /// If the call throws or is interrupted, all current data is there, and some of the rest may
    /// be; call it again. It throws ``StorageError/Code/corrupted`` and changes nothing if data
    /// cannot be read or a loss is not accepted yet, other than of restore points. Call ``repair()`` first, because
    /// what is left may still be needed. If the incognito partition cannot be opened, the call throws the reason
    /// and changes nothing; ``deleteIncognito()`` gives it up. A store that cannot erase throws
    /// ``StorageError/Code/unsupported``.
    func eraseRemoved() async throws(StorageError)

    /// Forgets sites: removes the tabs on them that are closed, alone or with their window, inactive or kept
    /// for later, what leads back to them in the histories of other tabs, and the same from all restore points,
    /// which stay otherwise. Also removes everything that was set aside, and bytes in the store's files, as
    /// ``eraseRemoved()`` does.
    ///
    /// The tabs of open windows and of the library stay, also those that show a site; close them first if they
    /// are to go. States that are no histories go as a whole if their tab had a site, or if they name one, and
    /// so do icons, properties, page states and fields of newer versions that name one; see
    /// ``ForgottenSites`` for how a name is found. Addresses and titles of pages elsewhere stay,
    /// and so do titles that a user gave to windows and groups, and the sessions of the incognito partition.
    /// When the call returns, everything is durable. The numbers of change sets go up; those of restore points
    /// stay.
    ///
    /// If the call throws or is interrupted, some of it may be done; call it again. It throws
    /// ``StorageError/Code/corrupted`` and changes nothing if something cannot be read: call
    /// ``repair()`` first. A store that cannot erase throws ``StorageError/Code/unsupported``.
    ///
    /// - Parameters:
    ///   - sites: what to forget, and since when.
    ///   - isDryRun: whether nothing is changed.
    /// - Returns: what was forgotten, or would be, in numbers alone.
    func forget(_ sites: ForgottenSites, isDryRun: Bool) async throws(StorageError)
        -> ForgettingReceipt

    /// Makes everything saved survive a power cut, and releases the store. Closing twice is fine.
    func close() async throws(StorageError)
}
