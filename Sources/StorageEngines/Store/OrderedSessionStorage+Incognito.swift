public import BrowserSessions
import Synchronization

/// The traits of a store. Its state sets what they report about the incognito partition.
final class CurrentTraits: Sendable {
    private let storage: Mutex<StorageTraits>

    init(_ traits: StorageTraits) { storage = Mutex(traits) }

    var value: StorageTraits { storage.withLock { $0 } }
    func edit(_ edit: (inout StorageTraits) -> Void) { storage.withLock { edit(&$0) } }
}

/// What an open store knows about its incognito partition, beside the records.
final class IncognitoKeeper {
    let vault: IncognitoVault
    private let traits: CurrentTraits
    /// What seals the partition; `nil` if there is no partition, or it is not sealed.
    private(set) var seal: IncognitoSeal?
    /// Why the existing partition is not open; `nil` if it is open, or there is none.
    var absence: Absence? {
        didSet {
            let error = absence?.error
            traits.edit {
                ($0.incognitoProblem, $0.incognitoProblemCode) = (error?.message, error?.code)
            }
        }
    }
    /// The number of partitions that opening removed.
    var discardedPartitions = 0 {
        didSet { traits.edit { $0.discardedIncognitoPartitions = discardedPartitions } }
    }
    /// What opening did to the partition.
    var notes: [String] = []

    /// Why a partition is not open.
    struct Absence {
        /// The error that its calls throw; `nil` until the key has been asked for.
        var error: StorageError?
        /// The search for the key; `nil` if no search would help.
        var search: KeySearch?
        /// Whether asking again, or another program, may open it.
        var mayReturn = true
    }

    init(_ vault: IncognitoVault, _ traits: CurrentTraits) {
        self.vault = vault
        self.traits = traits
        use(nil)
    }

    /// Reads and writes the partition with this seal from now on.
    func use(_ seal: IncognitoSeal?) {
        self.seal = seal
        traits.edit {
            ($0.incognitoSealing, $0.incognitoKeyOwner) = (seal?.traits ?? vault.sealing, nil)
        }
    }

    func noteKey(of owner: String) { traits.edit { $0.incognitoKeyOwner = owner } }
}

// MARK: - Under the lock

extension OrderedSessionStorage.State {
    /// Opens the incognito partition if that needs no key. Otherwise, keeps the search for the key.
    func examineIncognito(in opened: Opened) throws {
        switch try opened.keeper.vault.examine() {
        case .nothing: return
        case .unsealed: opened.incognito = try opened.opener(.incognito).open(isNew: false)
        case .sealed(let search): opened.keeper.absence = .init(error: nil, search: search)
        case .unavailable(let error, let mayReturn):
            opened.keeper.absence = .init(error: error, search: nil, mayReturn: mayReturn)
        }
    }

    /// Returns the search for the key of a partition that is not open.
    func keySearch() -> KeySearch? { opened?.keeper.absence?.search }

    /// Opens the partition with its key, or removes it if the key is lost. Returns which store the
    /// key belongs to, or `nil` if the partition is not open.
    func openIncognito(_ finding: KeySearch.Finding) throws -> KeyClaim? {
        guard let opened, let absence = opened.keeper.absence else { return nil }
        let keeper = opened.keeper
        switch finding {
        case .found(let seal, let claim):
            do {
                try beginIncognito(seal)
                keeper.absence = nil
                return claim
            } catch {
                keeper.absence = .init(
                    error: StorageError(ofEngine: error), search: absence.search)
            }
        case .deleted: try endDeletion(in: opened)
        case .lost(let reason) where opened.root.isReadOnly:
            keeper.absence?.error = StorageError(
                .keyUnavailable,
                """
                incognito sessions of '\(opened.root.location)' can never be read again, and the next opening \
                that may change the store removes them: \(reason)
                """)
        case .lost(let reason):
            try keeper.vault.removeFiles()
            keeper.absence = nil
            keeper.discardedPartitions += 1
            keeper.notes.append("an incognito partition was removed: \(reason)")
        case .unavailable(let error, let mayReturn):
            keeper.absence?.error = error
            keeper.absence?.mayReturn = mayReturn
        }
        return nil
    }

    /// Ends a deletion: the sessions are gone, and their records are moved away if possible.
    private func endDeletion(in opened: Opened) throws {
        let (root, keeper) = (opened.root, opened.keeper)
        keeper.absence = nil
        let isAway = try !root.isReadOnly && isDoneUnlessFenced { try root.moveIncognitoAway() }
        keeper.notes.append(
            "incognito sessions were deleted while their store could not be changed; their records "
                + (isAway ? "go now" : "go with an opening that can change it"))
    }

    /// Moves a partition that can never be opened into the quarantine.
    func setUnreadableIncognitoAside() throws {
        guard let opened, let absence = opened.keeper.absence, !absence.mayReturn,
            let error = absence.error
        else { return }
        try opened.root.setIncognitoAside(["found: \(error.message)"])
        opened.keeper.absence = nil
        opened.keeper.notes.append(
            "an incognito partition that could not be opened was set aside: \(error.message)")
    }

    /// Returns what destroys the key of an earlier partition, or `nil` if no such key is left.
    func leftKey() throws -> KeyRemoval? {
        let vault = try open().keeper.vault
        guard try vault.root.hasHeader else { return nil }
        if let removal = try vault.removal() { return removal }
        throw StorageError(
            .incompatibleFormat,
            """
            the key of an encrypted incognito partition of '\(vault.root.location)' was not destroyed yet; \
            delete incognito with the program that saved it
            """)
    }

    func noteLeftKey(_ error: StorageError) throws {
        try open().keeper.notes.append(
            "the key of a deleted incognito partition could not be destroyed: \(error)")
    }

    /// Opens the partition with its seal, or a new one.
    func beginIncognito(_ seal: IncognitoSeal?) throws {
        let opened = try open()
        opened.keeper.use(seal)
        do {
            opened.incognito = try opened.opener(.incognito)
                .open(isNew: !opened.root.holdsIncognito)
        } catch {
            opened.keeper.use(nil)
            throw error
        }
    }

    /// Ends all access to the partition, whatever happens to its files. It is released without
    /// being closed, because nothing of it is kept.
    func forgetIncognito() {
        opened?.incognito = nil
        opened?.keeper.absence = nil
        opened?.keeper.use(nil)
    }
}

// MARK: - Around the lock

extension OrderedSessionStorage {
    /// Finds the key of a partition that is not open, and opens it; otherwise its calls throw why.
    func findIncognitoKey(_ operation: String) throws(StorageError) {
        guard try withState(operation, { $0.keySearch() }) != nil else { return }
        try keyCalls.withLock { (_) throws(StorageError) in
            guard let search = try withState(operation, { $0.keySearch() }) else { return }
            let finding = search.run()
            switch try withState(operation, { try $0.openIncognito(finding) }) {
            case .moved(let record): try noteKeyPlace(record)
            case .copied(let location): try reseal(search.header.keyStore, copiedFrom: location)
            case .shared(let owner):
                try withState(operation) { try $0.open().keeper.noteKey(of: owner) }
            case .own, nil: break
            }
        }
    }

    /// Sets aside an existing partition that cannot be opened, so that a new one can be made.
    func setUnreadableIncognitoAside(_ operation: String) throws(StorageError) {
        try keyCalls.withLock { (_) throws(StorageError) in
            try withState(operation) { try $0.setUnreadableIncognitoAside() }
        }
    }

    /// Makes an incognito partition with a key of its own, unless another call just made one.
    func makeIncognito() throws(StorageError) {
        try keyCalls.withLock { (_) throws(StorageError) in
            guard try withState("save", { try $0.open().incognito == nil }) else { return }
            try destroyLeftKey("save")
            let draft = try withState("save") { try $0.open().keeper.vault.draft() }
            do throws(StorageError) {
                try draft?.keep()
                try withState("save") { try $0.beginIncognito(draft?.seal) }
            } catch {
                if draft != nil { try? destroyLeftKey("save") }
                throw error.during("save")
            }
        }
    }

    /// Destroys the key of a partition that is gone or being removed, and removes its headers.
    func destroyLeftKey(_ operation: String) throws(StorageError) {
        guard let removal = try withState(operation, { try $0.leftKey() }) else { return }
        let isAway = try withState(operation) { state in
            let root = try state.open().root
            return try isDoneUnlessFenced { try root.moveIncognitoAway() }
        }
        do throws(StorageError) {
            if let owner = try removal.run(leavingNote: !isAway) { try noteKept(owner) }
        } catch { throw error.during(operation) }
        try withState(operation) { try $0.open().keeper.vault.removeFiles() }
    }

    /// First the partition is moved away, so that the next opening recognizes and finishes an
    /// interrupted deletion. Then the key is destroyed, so that what is left cannot be read, and
    /// then the rest is removed. If the key cannot be destroyed, its header stays, so that the next
    /// call or opening tries again. If nothing can be moved, the key store notes the deletion.
    public func deleteIncognitoBlocking() throws(StorageError) {
        let operation = "delete incognito"
        try requireWritable(operation)
        try keyCalls.withLock { (_) throws(StorageError) in
            let (removal, isAway) = try withState(operation) { state in
                let vault = try state.open().keeper.vault
                _ = try isDoneUnlessFenced { try vault.root.confirmOwnership() }
                let removal = try vault.removal()
                state.forgetIncognito()
                // Other failures are reported when the rest is removed: the key goes first.
                return (
                    removal, try isDoneUnlessFenced { try vault.root.moveIncognitoAway() }
                )
            }
            do throws(StorageError) {
                if let owner = try removal?.run(leavingNote: !isAway) { try noteKept(owner) }
            } catch {
                let failure = error.during(operation).with(
                    .applied, adding: "; its records were removed. Delete incognito again")
                try withState(operation) { state in
                    let root = try state.open().root
                    try root.moveIncognitoAway()
                    try root.removeIncognitoRemains()
                }
                throw failure
            }
            if !isAway { try destroyLeftKey(operation) }
            try withState(operation) { state in
                let vault = try state.open().keeper.vault
                try vault.removeFiles()
                try vault.root.removeIncognitoSetAside()
            }
        }
    }
}

/// Does work that may fail, and returns whether it succeeded. Only `fenced` is thrown: once this
/// owner has been replaced, the key may be its successor's.
private func isDoneUnlessFenced(_ work: () throws -> Void) throws -> Bool {
    do {
        try work()
        return true
    } catch let error as StorageError where error.code == .fenced {
        throw error
    } catch { return false }
}

extension SessionChanges {
    /// Whether the first change is incognito; in a legal set, all changes then are.
    var isIncognito: Bool { changes.first?.partition == .incognito }
}

extension StorageError {
    /// Returns the same error with the name of an operation.
    func during(_ operation: String) -> StorageError {
        var error = self
        error.operation = operation
        return error
    }
}
