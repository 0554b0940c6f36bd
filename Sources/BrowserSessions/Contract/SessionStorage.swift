/// Keeps sessions: the one interface between a browser and whatever stores its tabs.
///
/// Everything that changes a store is a ``SessionChanges`` set given to ``save(_:durability:)``;
/// one set is visible and durable as a whole or not at all. A store has two physically separate
/// sides, see ``StorageSide``; a set changes one of them. A store has one writer: a second opener,
/// in this or another process, gets ``StorageError/Code/locked``.
///
/// All calls may come from any task or thread. None blocks Swift's cooperative pool. After
/// ``close()`` every other call throws ``StorageError/Code/closed``. A task that was cancelled
/// before its call began gets ``StorageError/Code/cancelled`` and nothing was done; a call that has
/// begun is finished, but for ``check()``. ``close()`` and ``deleteIncognito()`` are what a host does
/// at the end, when its tasks may be cancelled: they run all the same.
///
/// The protocol may grow. What is added has a default, made of the other calls where that is possible and
/// throwing ``StorageError/Code/unsupported`` where it is not, so that a storage that was written before
/// goes on working and a host that asks for the new call gets an answer from it. Enums that may grow are
/// `@nonexhaustive`; ``SessionChanges/Change`` is not, since no storage may leave a change out.
public protocol SessionStorage: Sendable {
    /// What this store promises.
    var traits: StorageTraits { get }

    /// The sessions of both sides, ascending; `[]` for a new store.
    ///
    /// Incognito sessions that cannot be read now are not among them, so that all others can be listed:
    /// ``StorageTraits/incognitoProblem`` says why, and its code, and what asks for one of them throws it.
    func sessions() async throws(StorageError) -> [SessionID]

    /// What a menu shows of the sessions that ``sessions()`` lists, in the same order. No tab is read.
    func summaries() async throws(StorageError) -> [SessionSummary]

    /// The earlier versions of all regular sessions that are kept, the newest first; `[]` if there are none.
    func generations() async throws(StorageError) -> [KeptGeneration]

    /// The attributes of sessions and the metadata of their tabs, all as they were at one moment; no
    /// state is read.
    ///
    /// In the order of the ids. A session that was never saved, or was removed, is left out. One that
    /// could not be read is not: what is left of it comes back with its
    /// ``RestoredSession/provenance`` and ``RestoredSession/losses``, or the call throws.
    func restore(_ ids: [SessionID], generation: SessionGeneration) async throws(StorageError)
        -> [RestoredSession]

    /// The blobs of the given keys, in one go. A key without a blob is absent from the result.
    ///
    /// Throws ``StorageError/Code/corrupted`` if a blob was saved but cannot be read; use
    /// ``history(of:in:)`` to fall back to the tab's address.
    func state(of keys: [TabStateKey]) async throws(StorageError) -> [TabStateKey: [UInt8]]

    /// The keys of all blobs of a session's tabs, by tab and name; `[]` if there are none, also
    /// for a session that does not exist.
    func stateKeys(in session: SessionID) async throws(StorageError) -> [TabStateKey]

    /// Applies a change set: all of it or nothing.
    ///
    /// After it returns, this set **and every earlier one** of its side survive what `durability`
    /// names, and no later set ever survives without the earlier ones. Applying the same set twice
    /// equals applying it once. A set without changes only raises the durability of earlier ones.
    /// A level above all of the ``traits`` is refused as ``StorageError/Code/unsupported``.
    ///
    /// A set of incognito sessions over a side that cannot be opened, because its key or its headers are gone,
    /// puts that one in the quarantine and begins another; one that may be opened another time, because its key
    /// store does not answer or is not here, is left, and the call throws.
    ///
    /// When it throws, ``StorageError/effect`` tells whether the set was applied; the store is then
    /// as before and usable, or refuses every later write until it is opened again.
    @discardableResult
    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt

    /// Removes every incognito session: the side gets out of the way, its key is destroyed, its files
    /// are removed. Needs no free disk space. When there is none, nothing happens. After it returns, also
    /// at the next opening, there is none, nor one that was set aside. A key that belongs to another store,
    /// which this one was copied from, stays; copies that were never opened for writing share the key of this
    /// one and cannot be read any more. If it was interrupted, the next opening ends it. If the key
    /// cannot be destroyed, it removes the files all the same and throws
    /// ``StorageError/Code/keyUnavailable``; call it again then.
    func deleteIncognito() async throws(StorageError)

    /// Reads everything and reports what cannot be read; changes nothing.
    ///
    /// As it may take long, it also ends when its task is cancelled after it began, between two
    /// records, as ``StorageError/Code/cancelled``.
    func check() async throws(StorageError) -> RecoveryReport

    /// Reads everything, repairs what is damaged, after setting damaged bytes aside in the quarantine, and
    /// gives up what is lost. Repairing twice equals repairing once.
    ///
    /// When it returns, all that is left can be read, and the report says what was given up.
    @discardableResult
    func repair() async throws(StorageError) -> RecoveryReport

    /// Removes all damaged bytes that were set aside for inspection: they hold addresses and titles, so
    /// they must not be forgotten; ``eraseRemoved()`` removes them, too. Afterwards
    /// ``RecoveryReport/quarantined`` is empty.
    ///
    /// Without it they go after thirty days. A store that sets nothing aside need not write this.
    func purgeQuarantine() async throws(StorageError)

    /// Leaves nothing of what was removed or replaced before the call: no earlier generation, nothing
    /// that was set aside, no byte in a file of the store, as far as ``StorageTraits/removalErasure``
    /// goes. Whoever clears browsing data calls it after the removals.
    ///
    /// What is current stays as it is, on both sides and with its numbers, and is durable when it returns.
    /// ``generations()`` is `[]` until a later opening takes one. It takes as long as reading and writing all
    /// that is current, and as much free space.
    ///
    /// When it throws or is interrupted, all that is current is there, and some of the rest may be; call it
    /// again. It throws ``StorageError/Code/corrupted`` and changes nothing if something was lost that nobody
    /// accepted, or cannot be read: call ``repair()`` first, as what is left may still be needed. If the
    /// incognito side cannot be opened, it throws why and changes nothing: ``deleteIncognito()`` gives that
    /// up. A store that cannot do it throws ``StorageError/Code/unsupported``.
    func eraseRemoved() async throws(StorageError)

    /// Makes everything saved survive a power cut, and releases the store. Closing twice is fine.
    func close() async throws(StorageError)
}
