import Synchronization

/// How the incognito side is sealed now; shared by the state of a store and its traits.
final class CurrentSealing: Sendable {
    private let storage = Mutex<StorageTraits.Sealing?>(nil)

    var value: StorageTraits.Sealing? {
        get { storage.withLock { $0 } }
        set { storage.withLock { $0 = newValue } }
    }
}

extension OrderedSessionStorage.State {
    /// Opens the incognito side if there is one, or removes it if nobody holds its key any more.
    ///
    /// - Parameter finding: what the vault found before anything was changed.
    func openIncognito(_ finding: IncognitoVault.Finding, in opened: inout Opened) throws {
        switch finding {
        case .nothing:
            if let note = opened.vault.tidy() { opened.incognitoNotes.append(note) }
        case .unsealed: opened.incognito = try opened.opener(.incognito).open(isNew: false)
        case .sealed(let seal):
            opened.use(seal)
            opened.incognito = try opened.opener(.incognito)
                .open(isNew: !opened.root.holdsIncognito)
        case .lost(let reason):
            try opened.vault.discard()
            opened.discardedIncognitoSides += 1
            opened.incognitoNotes.append("an incognito side was removed: \(reason)")
        }
    }

    /// Makes an incognito side, with a key of its own.
    func makeIncognito(in opened: inout Opened) throws {
        opened.use(try opened.vault.makeSeal())
        do {
            opened.incognito = try opened.opener(.incognito)
                .open(isNew: !opened.root.holdsIncognito)
        } catch {
            if opened.seal != nil { try? opened.vault.discard() }
            opened.use(nil)
            throw error
        }
    }

    /// First the key, which is the moment of deletion, then the files. A key that cannot be
    /// destroyed keeps its header, so that the next call or opening tries again.
    mutating func deleteIncognito() throws {
        let vault = try open().vault
        do {
            try vault.destroyKey()
        } catch var failure as StorageError {
            try vault.root.moveIncognitoAway()
            forgetIncognito()
            try vault.root.removeIncognitoRemains()
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
        opened?.use(nil)
    }
}
