import BrowserSessions

/// Where one store is: a directory, or a server that a connection leads to.
///
/// Opening, recovery and incognito use this protocol and know neither paths nor engines. They ask
/// the root for a partition's records, and the root asks the engine.
protocol StoreRoot: OwnedStore, StorePartitions, StoreQuarantine {}

/// The identity of one store, who owns it, and its removal.
protocol OwnedStore: AnyObject {
    /// Whether reopening a partition shows what happened to a write without an answer.
    var canResolveUnknownWrites: Bool { get }
    var environment: StoreEnvironment { get }
    /// What the engine guarantees.
    var abilities: EngineAbilities { get }
    /// The store's location, for messages.
    var location: String { get }
    /// Whether this opening makes the store, or finishes making it.
    var isNew: Bool { get }
    /// Whether nothing of the store may change. Opening then omits its changes, above all a
    /// restore point, and uses a copy for what cannot be read without changes.
    var isReadOnly: Bool { get }
    /// Whether opening throws `StorageError.Code.corrupted` where it would repair: what looks like
    /// damage may come from copying files that were changed meanwhile.
    var refusesDamage: Bool { get }
    /// What an operator should know about it, in sentences.
    var notes: [String] { get throws(StorageError) }

    /// Finishes what a killed process began: a removal, or the exchange of a repaired partition.
    /// Also removes unfinished files, and what was set aside for too long.
    func finishInterruptedWork() throws(StorageError)

    /// Writes the store's identity. A new store gets it after everything else, so that an
    /// unfinished store can be distinguished from a damaged one.
    func writeIdentity() throws(StorageError)

    /// Throws `StorageError.Code.fenced` once another owner is known to have taken the store.
    func requireOwnership() throws(StorageError)

    /// The number of requests to the engine that only the owner gets an answer to.
    var requests: Int { get }

    /// Asks the engine whether this owner has the store; throws `StorageError.Code.fenced` if not.
    func confirmOwnership() throws(StorageError)

    /// Throws if a partition was removed or replaced, so that nothing written to it would last, if another
    /// owner has the store, or if what was found in it could not be made durable.
    func requirePresence(of partition: StoragePartition) throws(StorageError)

    // MARK: Removal

    /// Whether the removal of the store has begun: it counts as removed, and what is left must be
    /// removed before anything else is done.
    var isBeingRemoved: Bool { get throws(StorageError) }

    /// Makes the store count as removed, durably.
    func beginRemoval() throws(StorageError)

    /// Takes ``beginRemoval()`` back.
    func cancelRemoval() throws(StorageError)

    /// Removes everything of a store that counts as removed, this note last, and releases it. The
    /// root cannot be used afterwards.
    func remove() throws(StorageError)
}
