public import BrowserSessions
import Synchronization

/// What the traits say of the incognito side now; shared with the state of a store.
final class CurrentSealing: Sendable {
    /// How it is sealed, and why it cannot be read.
    struct Value {
        var sealing: StorageTraits.Sealing?
        var problem: StorageError?
        /// How many sides opening removed.
        var discardedSides = 0
    }

    private let storage = Mutex(Value())

    var value: Value { storage.withLock { $0 } }
    func edit(_ edit: (inout Value) -> Void) { storage.withLock { edit(&$0) } }
}

/// What an open store knows of its incognito side beside the records.
final class IncognitoKeeper {
    let vault: IncognitoVault
    private let sealing: CurrentSealing
    /// What the side is sealed with; `nil` if there is none, or it is not.
    private(set) var seal: IncognitoSeal?
    /// Why the side that is there is not open; `nil` if it is, or there is none.
    var absence: Absence? {
        didSet { sealing.edit { $0.problem = absence?.error } }
    }
    /// How many sides opening removed.
    var discardedSides = 0 {
        didSet { sealing.edit { $0.discardedSides = discardedSides } }
    }
    /// What opening did about the side.
    var notes: [String] = []

    /// Why a side is not open.
    struct Absence {
        /// What its calls throw; `nil` as long as nobody has asked for the key.
        var error: StorageError?
        /// What looks for the key; `nil` if none would help.
        var search: KeySearch?
        /// Whether asking again, or another program, may open it.
        var mayReturn = true
    }

    init(_ vault: IncognitoVault, _ sealing: CurrentSealing) {
        self.vault = vault
        self.sealing = sealing
        use(nil)
    }

    /// What the side is read and written with from now on.
    func use(_ seal: IncognitoSeal?) {
        self.seal = seal
        sealing.edit { $0.sealing = seal?.traits ?? vault.sealing }
    }
}

// MARK: - Under the lock

extension OrderedSessionStorage.State {
    /// Opens the incognito side if that needs no key; else remembers what does.
    func examineIncognito(in opened: Opened) throws {
        switch try opened.keeper.vault.examine() {
        case .nothing, .remains: return
        case .unsealed: opened.incognito = try opened.opener(.incognito).open(isNew: false)
        case .sealed(let search): opened.keeper.absence = .init(error: nil, search: search)
        case .unavailable(let error, let mayReturn):
            opened.keeper.absence = .init(error: error, search: nil, mayReturn: mayReturn)
        }
    }

    /// What would find the key of a side that is not open.
    func keySearch() -> KeySearch? { opened?.keeper.absence?.search }

    /// Opens the side with its key, or removes it if that is not held any more. Returns which store the key
    /// belongs to, if the side is open.
    func openIncognito(_ finding: KeySearch.Finding) throws -> KeyClaim? {
        guard let opened, let absence = opened.keeper.absence else { return nil }
        let keeper = opened.keeper
        switch finding {
        case .found(let seal, let claim):
            keeper.use(seal)
            do {
                opened.incognito = try opened.opener(.incognito)
                    .open(isNew: !opened.home.holdsIncognito)
                keeper.absence = nil
                return claim
            } catch {
                keeper.use(nil)
                keeper.absence = .init(
                    error: StorageError(ofEngine: error), search: absence.search)
            }
        case .deleted: try endDeletion(in: opened)
        case .lost(let reason) where opened.home.isReadOnly:
            keeper.absence?.error = StorageError(
                .keyUnavailable,
                """
                incognito sessions of '\(opened.home.place)' can never be read again, and the next opening \
                that may change the store removes them: \(reason)
                """)
        case .lost(let reason):
            try keeper.vault.removeFiles()
            keeper.absence = nil
            keeper.discardedSides += 1
            keeper.notes.append("an incognito side was removed: \(reason)")
        case .unavailable(let error, let mayReturn):
            keeper.absence?.error = error
            keeper.absence?.mayReturn = mayReturn
        }
        return nil
    }

    /// The sessions are gone for everybody; what is left of them gets out of the way if it can.
    private func endDeletion(in opened: Opened) throws {
        let (home, keeper) = (opened.home, opened.keeper)
        keeper.absence = nil
        let isAway = try !home.isReadOnly && isDoneUnlessFenced { try home.moveIncognitoAway() }
        keeper.notes.append(
            "incognito sessions were deleted while their store could not be changed; their records "
                + (isAway ? "go now" : "go with an opening that can change it"))
    }

    /// Puts a side that cannot be opened in the quarantine, unless it may be opened another time.
    func setUnreadableIncognitoAside() throws {
        guard let opened, let absence = opened.keeper.absence, !absence.mayReturn,
            let error = absence.error
        else { return }
        try opened.home.setIncognitoAside(["found: \(error.message)"])
        opened.keeper.absence = nil
        opened.keeper.notes.append(
            "an incognito side that could not be opened was set aside: \(error.message)")
    }

    /// What destroys a key that an earlier side has left; `nil` if there is none.
    func leftKey() throws -> KeyRemoval? {
        let vault = try open().keeper.vault
        guard try vault.home.hasHeader else { return nil }
        if let removal = try vault.removal() { return removal }
        throw StorageError(
            .incompatibleFormat,
            """
            the key of an encrypted incognito side of '\(vault.home.place)' was not destroyed yet; \
            delete incognito with the program that saved it
            """)
    }

    func noteLeftKey(_ error: StorageError) throws {
        try open().keeper.notes.append(
            "the key of a deleted incognito side could not be destroyed: \(error)")
    }

    /// Opens a new side.
    func beginIncognito(_ seal: IncognitoSeal?) throws {
        let opened = try open()
        opened.keeper.use(seal)
        do {
            opened.incognito = try opened.opener(.incognito)
                .open(isNew: !opened.home.holdsIncognito)
        } catch {
            opened.keeper.use(nil)
            throw error
        }
    }

    /// Whatever happens to the files, nobody gets at the side any more. It is released without being
    /// closed: nothing of it is to be kept.
    func forgetIncognito() {
        opened?.incognito = nil
        opened?.keeper.absence = nil
        opened?.keeper.use(nil)
    }
}

// MARK: - Around the lock

extension OrderedSessionStorage {
    /// Asks for the key of a side that is there and not open, and opens it; else its calls will say what
    /// kept it from that.
    func findIncognitoKey(_ operation: String) throws(StorageError) {
        guard try withState(operation, { $0.keySearch() }) != nil else { return }
        try keyCalls.withLock { (_) throws(StorageError) in
            guard let search = try withState(operation, { $0.keySearch() }) else { return }
            let finding = search.run()
            switch try withState(operation, { try $0.openIncognito(finding) }) {
            case .moved(let record): try noteKeyPlace(record)
            case .copied(let place): try reseal(search.header.keyStore, copiedFrom: place)
            case .own, nil: break
            }
        }
    }

    /// Makes way for a new side, if the one that is there cannot be opened.
    func setUnreadableIncognitoAside(_ operation: String) throws(StorageError) {
        try keyCalls.withLock { (_) throws(StorageError) in
            try withState(operation) { try $0.setUnreadableIncognitoAside() }
        }
    }

    /// Makes an incognito side, with a key of its own, unless somebody else just did.
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

    /// Destroys the key of a side that is gone already, or is to go, and removes what named it.
    func destroyLeftKey(_ operation: String) throws(StorageError) {
        guard let removal = try withState(operation, { try $0.leftKey() }) else { return }
        let isAway = try withState(operation) { state in
            let home = try state.open().home
            return try isDoneUnlessFenced { try home.moveIncognitoAway() }
        }
        do throws(StorageError) {
            if let owner = try removal.run(leavingNote: !isAway) { try noteKept(owner) }
        } catch { throw error.during(operation) }
        try withState(operation) { try $0.open().keeper.vault.removeFiles() }
    }

    /// First the side gets out of the way, so that an interrupted deletion is known and ended by the
    /// next opening; then the key is destroyed, and nobody can read what is left; then that goes. A key
    /// that cannot be destroyed keeps its header, so that the next call or opening tries again. If
    /// nothing can be moved, the key store notes that it was deleted.
    public func deleteIncognitoBlocking() throws(StorageError) {
        let operation = "delete incognito"
        try requireWritable(operation)
        try keyCalls.withLock { (_) throws(StorageError) in
            let (removal, isAway) = try withState(operation) { state in
                let vault = try state.open().keeper.vault
                _ = try isDoneUnlessFenced { try vault.home.confirmOwnership() }
                let removal = try vault.removal()
                state.forgetIncognito()
                // Whatever else keeps it from that is told when the rest is removed: the key goes first.
                return (
                    removal, try isDoneUnlessFenced { try vault.home.moveIncognitoAway() }
                )
            }
            do throws(StorageError) {
                if let owner = try removal?.run(leavingNote: !isAway) { try noteKept(owner) }
            } catch {
                var failure = error.during(operation)
                try withState(operation) { state in
                    let home = try state.open().home
                    try home.moveIncognitoAway()
                    try home.removeIncognitoRemains()
                }
                failure.effect = .applied
                failure.message += "; its records were removed. Delete incognito again"
                throw failure
            }
            if !isAway { try destroyLeftKey(operation) }
            try withState(operation) { state in
                let vault = try state.open().keeper.vault
                try vault.removeFiles()
                try vault.home.removeIncognitoSetAside()
            }
        }
    }
}

/// Does what may fail, and tells whether it did. Only an owner that was replaced is stopped by it: the key
/// may be the next one's.
private func isDoneUnlessFenced(_ work: () throws -> Void) throws -> Bool {
    do {
        try work()
        return true
    } catch let error as StorageError where error.code == .fenced {
        throw error
    } catch { return false }
}

extension SessionID {
    var isIncognito: Bool { side == .incognito }
}

extension SessionChanges {
    /// Whether the first change is one of the incognito side; all of a set that is legal are.
    var isIncognito: Bool { changes.first?.side == .incognito }
}

extension StorageError {
    /// The same as the error of a call.
    func during(_ operation: String) -> StorageError {
        var error = self
        error.operation = operation
        return error
    }
}
