import Synchronization

/// How the incognito side is sealed now; shared by the state of a store and its traits.
final class CurrentSealing: Sendable {
    private let storage = Mutex<StorageTraits.Sealing?>(nil)

    var value: StorageTraits.Sealing? {
        get { storage.withLock { $0 } }
        set { storage.withLock { $0 = newValue } }
    }
}

/// What an open store knows of its incognito side beside the records.
final class IncognitoKeeper {
    let vault: IncognitoVault
    private let sealing: CurrentSealing
    /// What the side is sealed with; `nil` if there is none, or it is not.
    private(set) var seal: IncognitoSeal?
    /// How many sides opening removed.
    var discardedSides = 0
    /// What opening did about the side.
    var notes: [String] = []

    init(_ vault: IncognitoVault, _ sealing: CurrentSealing) {
        self.vault = vault
        self.sealing = sealing
        use(nil)
    }

    /// What the side is read and written with from now on.
    func use(_ seal: IncognitoSeal?) {
        self.seal = seal
        sealing.value = seal?.traits ?? vault.sealing
    }
}

extension OrderedSessionStorage.State {
    /// Opens the incognito side if there is one, or removes it if nobody holds its key any more.
    ///
    /// - Parameter finding: what the vault found before anything was changed.
    func openIncognito(_ finding: IncognitoVault.Finding, in opened: Opened) throws {
        switch finding {
        case .nothing:
            if let note = opened.keeper.vault.tidy() { opened.keeper.notes.append(note) }
        case .unsealed: opened.incognito = try opened.opener(.incognito).open(isNew: false)
        case .sealed(let seal):
            opened.keeper.use(seal)
            opened.incognito = try opened.opener(.incognito)
                .open(isNew: !opened.home.holdsIncognito)
        case .lost(let reason):
            try opened.keeper.vault.discard()
            opened.keeper.discardedSides += 1
            opened.keeper.notes.append("an incognito side was removed: \(reason)")
        }
    }

    /// Makes an incognito side, with a key of its own.
    func makeIncognito(in opened: Opened) throws {
        let keeper = opened.keeper
        keeper.use(try keeper.vault.makeSeal())
        do {
            opened.incognito = try opened.opener(.incognito)
                .open(isNew: !opened.home.holdsIncognito)
        } catch {
            if keeper.seal != nil { try? keeper.vault.discard() }
            keeper.use(nil)
            throw error
        }
    }

    /// First the key, which is the moment of deletion, then the files. A key that cannot be
    /// destroyed keeps its header, so that the next call or opening tries again.
    mutating func deleteIncognito() throws {
        let vault = try open().keeper.vault
        try vault.home.requireOwnership()
        do {
            try vault.destroyKey()
        } catch var failure as StorageError {
            try vault.home.moveIncognitoAway()
            forgetIncognito()
            try vault.home.removeIncognitoRemains()
            failure.effect = .applied
            failure.message += "; its records were removed. Delete incognito again"
            throw failure
        }
        // Nobody can read it any more, even if its files cannot be removed.
        forgetIncognito()
        try vault.removeFiles()
    }

    /// The side is released without being closed: nothing of it is to be kept.
    private mutating func forgetIncognito() {
        opened?.incognito = nil
        opened?.keeper.use(nil)
    }
}
