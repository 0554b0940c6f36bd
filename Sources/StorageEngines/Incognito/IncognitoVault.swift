import BrowserSessions

/// The header of a store's incognito side, which tells where its key is, and the removal of the side.
///
/// The key decides: it is made before the first record, and destroying it is the moment of deletion.
/// Whatever else of a side is left when it is gone is rubbish. Key stores are called elsewhere, by what
/// this makes: ``KeySearch``, ``KeyDraft`` and ``KeyRemoval``.
struct IncognitoVault {
    let home: any StoreHome
    /// `nil` if new sides are not sealed.
    let protection: IncognitoProtection?

    /// What lies of a side.
    enum Finding {
        case nothing
        /// There is none, but the key of one may not have been destroyed.
        case remains
        /// A side in the clear, as its opener wants it.
        case unsealed
        case sealed(KeySearch)
        /// One that this program cannot open, whatever key there is; `mayReturn` if another one may.
        case unavailable(StorageError, mayReturn: Bool)
    }

    private enum Header {
        case absent
        case damaged
        case sound(IncognitoHeader)
    }

    /// The header is in two copies, so that one that is damaged or gone loses nothing.
    private func readHeader() throws(StorageError) -> Header {
        var result = Header.absent
        for name in IncognitoHeader.fileNames {
            guard let bytes = try home.header(name) else { continue }
            if let header = try IncognitoHeader(bytes) { return .sound(header) }
            result = .damaged
        }
        return result
    }

    /// What new sides are sealed with; `nil` if they are not.
    var sealing: StorageTraits.Sealing? {
        protection.map { StorageTraits.Sealing(cipher: $0.cipher, keyStore: $0.keyStore) }
    }

    static let givingUp =
        "Nothing was removed; delete incognito to give the incognito sessions up"

    private var unprotected: StorageError {
        StorageError(
            .incompatibleFormat,
            """
            the incognito side of '\(home.place)' is encrypted, and this program opens stores \
            without encryption; open it as it was saved. \(Self.givingUp)
            """)
    }

    // MARK: Opening

    /// Looks at what lies of the side. Changes nothing.
    func examine() throws(StorageError) -> Finding {
        try protection?.checkNames()
        let header: Header
        do throws(StorageError) {
            header = try readHeader()
        } catch {
            guard error.code == .incompatibleFormat else { throw error }
            return .unavailable(error, mayReturn: true)
        }
        guard try home.holdsIncognito else {
            if case .absent = header { return .nothing }
            return .remains
        }
        switch (header, protection) {
        case (.absent, nil): return .unsealed
        case (.sound(let header), let protection?):
            return .sealed(
                KeySearch(
                    header: header, protection: protection, directory: home.directoryForKeys,
                    place: home.place, keyPlace: try? home.keyPlace()))
        case (_, nil):
            return .unavailable(unprotected, mayReturn: true)
        case (.absent, _), (.damaged, _):
            return .unavailable(
                StorageError(
                    .corrupted,
                    """
                    both copies of the header of the incognito side of '\(home.place)', which tell where \
                    its key is, are damaged or gone. \(Self.givingUp)
                    """), mayReturn: false)
        }
    }

    /// Throws if the side would stay readable: its key is where nothing of this program could destroy it.
    func requireRemovable() throws(StorageError) {
        guard try home.holdsIncognito, case .sound(let header) = try readHeader() else { return }
        if let protection {
            _ = try protection.keyStore(of: header, at: home.place)
        } else {
            throw unprotected
        }
    }

    // MARK: Making and destroying

    /// Writes the header of a new side, before its key is kept, so that no key is ever forgotten.
    /// Returns `nil` if new sides are not sealed. Nothing may be left of an older one.
    func draft() throws -> KeyDraft? {
        guard let protection else { return nil }
        return try draft(keptIn: protection.keyStore, protection, as: IncognitoHeader.fileNames)
    }

    /// Writes the header of the side that is to take the place of the one that is there.
    ///
    /// - Parameter name: of the key store: the side keeps the one that it has.
    func resealingDraft(keptIn name: String) throws -> KeyDraft? {
        guard let protection, let keyStore = protection.keyStore(named: name) else { return nil }
        return try draft(keptIn: keyStore, protection, as: ResealingFiles.drafts)
    }

    private func draft(
        keptIn keyStore: any IncognitoKeyStore, _ protection: IncognitoProtection,
        as names: [String]
    ) throws -> KeyDraft {
        let id: IncognitoKeyID = home.environment.identifier()
        let key = try protection.cipher.makeKey()
        let sealer = try protection.cipher.sealer(key: key)
        let sealing = StorageTraits.Sealing(cipher: protection.cipher, keyStore: keyStore)
        let header = try IncognitoHeader(sealing, id, sealer, era: keyStore.era)
        for name in names { try home.putHeader(name, header.bytes) }
        return KeyDraft(
            record: KeyRecord(
                protection: protection, keyStore: keyStore, id: id, key: key,
                keyPlace: try? home.keyPlace(), directory: home.directoryForKeys),
            seal: IncognitoSeal(sealer: sealer, traits: sealing))
    }

    /// What destroys the key of the side; `nil` if it has none, or none that this program could find.
    func removal() throws(StorageError) -> KeyRemoval? {
        guard let protection else { return nil }
        var header: IncognitoHeader?
        if case .sound(let sound) = try readHeader() { header = sound }
        return try removal(of: header, protection)
    }

    /// Whether a side was to take another's place and never did.
    var hasDrafts: Bool {
        get throws(StorageError) {
            for name in ResealingFiles.headers where try home.header(name) != nil { return true }
            return false
        }
    }

    /// What destroys the key of what was to take another's place and has not yet; `nil` if there is
    /// none.
    func abandonedKey() throws(StorageError) -> KeyRemoval? {
        guard let protection else { return nil }
        for name in ResealingFiles.headers {
            guard let bytes = try home.header(name), let header = try IncognitoHeader(bytes)
            else { continue }
            return try removal(of: header, protection)
        }
        return nil
    }

    /// Throws if the store's own place cannot be found out: the key may be another's.
    private func removal(
        of header: IncognitoHeader?, _ protection: IncognitoProtection
    ) throws(StorageError) -> KeyRemoval {
        KeyRemoval(
            protection: protection, header: header, directory: home.directoryForKeys,
            place: home.place, keyPlace: try home.keyPlace())
    }

    /// Removes the side and the header. The key, which only the header names, must be destroyed.
    func removeFiles() throws(StorageError) {
        if try home.holdsIncognito { try home.moveIncognitoAway() }
        // Without protection the key was not destroyed.
        if protection != nil { try home.removeHeaders() }
        try home.removeIncognitoRemains()
        try home.syncRemovals()
    }
}
