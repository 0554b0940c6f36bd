import BrowserSessions

/// Where one store lives: who has it open, what lies of each side, how far each came, what is set aside.
///
/// Opening, recovery and incognito are written against this and know neither paths nor engines. A side's
/// records are asked of the home, which asks the engine.
protocol StoreHome: AnyObject {
    /// Whether opening a side again tells what became of a write without an answer.
    var tellsOutcomes: Bool { get }
    var environment: StoreEnvironment { get }
    /// What the engine says of itself.
    var abilities: EngineAbilities { get }
    /// The store's location, for messages.
    var place: String { get }
    /// Whether this opening makes the store, or one that was interrupted made it in part.
    var isNew: Bool { get }
    /// Whether nothing of the store may change: what opening it does otherwise, a new generation above all,
    /// is left out, and what cannot be read without changes is changed in a copy.
    var isReadOnly: Bool { get }
    /// What an operator should know of it, in sentences.
    var notes: [String] { get throws(StorageError) }

    /// Ends what a killed process began: a removal, or the exchange of a repaired side; and sweeps what
    /// never got its name, and what was set aside for too long.
    func finishInterruptedWork() throws(StorageError)

    /// Notes who made the store. A new store gets that when everything else is there, so that an
    /// interrupted making is known from damage.
    func writeIdentity() throws(StorageError)

    /// Throws `StorageError.Code.fenced` once it is known that somebody else has taken the store.
    func requireOwnership() throws(StorageError)

    /// How often the engine was asked for something, which nobody but the owner gets.
    var requests: Int { get }

    /// Asks the engine whether the store is still this owner's; throws `StorageError.Code.fenced` if not.
    func confirmOwnership() throws(StorageError)

    /// Throws if nothing that is written to the store would last, because somebody removed it.
    func requirePresence() throws(StorageError)

    // MARK: Removal

    /// Whether somebody began to remove the store: it counts as gone, and what is left of it must go before
    /// anything else is done.
    var isBeingRemoved: Bool { get throws(StorageError) }

    /// From now on the store counts as gone, durably.
    func beginRemoval() throws(StorageError)

    /// Takes ``beginRemoval()`` back.
    func cancelRemoval() throws(StorageError)

    /// Removes everything of a store that counts as gone, that it does at last, and lets its place go:
    /// nothing else may be asked of the home.
    func remove() throws(StorageError)

    // MARK: Sides

    /// Whether anything lies of the side.
    func holds(_ side: StorageSide) throws(StorageError) -> Bool

    /// Opens a side's records; there are none if nothing lies of it.
    func open(_ side: StorageSide, wasClosed: Bool) throws -> any OrderedByteStore

    /// Visits whatever can be read of a damaged side, which is not open; see
    /// ``SalvagingFileEngine/salvage(_:_:)``.
    func salvage(_ side: StorageSide, _ visit: RecordVisitor) throws -> [String]

    /// Notes how far the side came at an orderly close, in a word of letters and digits.
    func markClosed(_ side: StorageSide, _ word: String) throws(StorageError)

    /// From now on the side may change.
    func markOpen(_ side: StorageSide) throws(StorageError)

    /// The side is known to be older than its mark, and that was written down.
    func forgetMark(of side: StorageSide) throws(StorageError)

    /// `nil` if there is none or it is damaged.
    func mark(of side: StorageSide) throws(StorageError) -> CloseMark?

    // MARK: Repair

    /// Opens a place without records in which a side is built anew.
    func openRepaired(_ side: StorageSide) throws -> any OrderedByteStore

    /// Gives up what ``openRepaired(_:)`` began.
    func discardRepaired(_ side: StorageSide) throws(StorageError)

    /// Puts the side that was built anew, which is durable and closed, in the place of the one that lies
    /// there, which is closed, too.
    ///
    /// With a report the replaced one goes to the quarantine as it is, which takes no space and leaves
    /// nothing out. Without one it is destroyed, and so is an incognito side in any case.
    func exchange(_ side: StorageSide, keepingReplaced report: [String]?) throws(StorageError)

    /// Keeps bytes in the quarantine, with a report.
    func setAside(_ bytes: [UInt8], reason: String, _ report: [String]) throws(StorageError)

    /// The places of everything in the quarantine, the oldest first.
    func quarantined() throws(StorageError) -> [String]

    /// Removes everything from the quarantine.
    func purgeQuarantine() throws(StorageError)

    // MARK: Incognito

    /// Makes the incognito side vanish at once and for good; its bytes are left to remove.
    func moveIncognitoAway() throws(StorageError)

    /// Removes what a deletion or an interrupted repair left and would otherwise take the place of
    /// a side that is gone.
    func removeIncognitoRemains() throws(StorageError)

    /// One of the copies of the header of a sealed side: `nil` if there is none, and not a header if it
    /// cannot be one.
    func header(_ name: String) throws(StorageError) -> [UInt8]?

    /// Writes a copy of the header, durably.
    func putHeader(_ name: String, _ bytes: [UInt8]) throws(StorageError)

    /// Removes the copies of the header. It is durable after ``syncRemovals()``.
    func removeHeaders() throws(StorageError)

    /// Makes removals survive a power cut.
    func syncRemovals() throws(StorageError)

    /// Puts an incognito side that cannot be opened in the quarantine as it is, with its headers and what
    /// keys lie with it. Afterwards the store has none.
    func setIncognitoAside(_ report: [String]) throws(StorageError)

    /// Removes the incognito sides from the quarantine.
    func removeIncognitoSetAside() throws(StorageError)

    /// Where the store is, for the record of its key; `nil` if its files are not copied as files, or it may
    /// not be changed.
    func keyPlace() throws(StorageError) -> KeyPlace?

    /// Puts the repaired side, which is durable, closed and has other headers and another key, in the place
    /// of the one that lies there. Once it has begun to, an opening ends it.
    func exchangeResealed() throws(StorageError)

    /// Removes the headers of a side that never took the place of the other.
    func removeResealingDrafts() throws(StorageError)

    /// Where a key store may keep a key with the store; `nil` if the store has no directory.
    var directoryForKeys: (any FileDirectory)? { get }
}

/// How far a side came, so that an older or shorter one is noticed.
struct CloseMark: Equatable {
    /// Tells the sequence number to whoever may know it.
    var word: String
    /// Whether the side had this number at its last change.
    var isLast: Bool
}

extension StoreHome {
    /// Whether there is an incognito side, or was one that nobody deleted.
    var holdsIncognito: Bool {
        get throws(StorageError) {
            if try holds(.incognito) { return true }
            return try mark(of: .incognito) != nil
        }
    }

    /// Whether there is a header, whatever its state.
    var hasHeader: Bool {
        get throws(StorageError) {
            for name in IncognitoHeader.fileNames where try header(name) != nil { return true }
            return false
        }
    }
}
