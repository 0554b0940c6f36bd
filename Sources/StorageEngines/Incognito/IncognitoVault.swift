import BrowserSessions

/// The header of a store's incognito partition, which says where its key is, and the removal of the
/// partition.
///
/// The key decides: it is made before the first record, and destroying it is the moment of
/// deletion. Without it, the rest of a partition is useless. This type makes ``KeySearch``,
/// ``KeyDraft`` and ``KeyRemoval``, which call the key stores.
struct IncognitoVault {
    let root: any StoreRoot
    /// `nil` if new partitions are not sealed.
    let protection: IncognitoProtection?

    /// What exists of a partition.
    enum Finding {
        /// There is no partition, though the key of an earlier one may still exist.
        case nothing
        /// An unencrypted partition, as its opener wants it.
        case unsealed
        case sealed(KeySearch)
        /// A partition that no key opens in this program; `mayReturn` if another program may open
        /// it.
        case unavailable(StorageError, mayReturn: Bool)
    }

    private enum Header {
        case absent
        case damaged
        case sound(IncognitoHeader)
    }

    /// Reads the header from two copies, so that one that is damaged or gone loses nothing.
    private func readHeader() throws(StorageError) -> Header {
        var result = Header.absent
        for name in IncognitoHeader.fileNames {
            guard let bytes = try root.header(name) else { continue }
            if let header = try IncognitoHeader(bytes) { return .sound(header) }
            result = .damaged
        }
        return result
    }

    /// The sealing of new partitions; `nil` if they are not sealed.
    var sealing: StorageTraits.Sealing? {
        protection.map { StorageTraits.Sealing(cipher: $0.cipher, keyStore: $0.keyStore) }
    }

    static let givingUp =
        "Nothing was removed; delete incognito to give the incognito sessions up"

    private var unprotected: StorageError {
        StorageError(
            .incompatibleFormat,
            """
            the incognito partition of '\(root.location)' is encrypted, and this program opens stores \
            without encryption; open it as it was saved. \(Self.givingUp)
            """)
    }

    // MARK: Opening

    /// Examines what exists of the partition, without changing it.
    func examine() throws(StorageError) -> Finding {
        try protection?.checkNames()
        let header: Header
        do throws(StorageError) {
            header = try readHeader()
        } catch {
            guard error.code == .incompatibleFormat else { throw error }
            return .unavailable(error, mayReturn: true)
        }
        guard try root.holdsIncognito else { return .nothing }
        switch (header, protection) {
        case (.absent, nil): return .unsealed
        case (.sound(let header), let protection?):
            return .sealed(
                KeySearch(
                    header: header, protection: protection, directory: root.directoryForKeys,
                    location: root.location, keyLocation: try? root.keyLocation()))
        case (_, nil):
            return .unavailable(unprotected, mayReturn: true)
        case (.absent, _), (.damaged, _):
            return .unavailable(
                StorageError(
                    .corrupted,
                    """
                    both copies of the header of the incognito partition of '\(root.location)', which tell where \
                    its key is, are damaged or gone. \(Self.givingUp)
                    """), mayReturn: false)
        }
    }

    /// Throws if the partition would stay readable: this program cannot destroy its key.
    func requireRemovable() throws(StorageError) {
        guard try root.holdsIncognito, case .sound(let header) = try readHeader() else { return }
        if let protection {
            _ = try protection.keyStore(of: header, at: root.location)
        } else {
            throw unprotected
        }
    }

    // MARK: Making and destroying

    /// Writes the header of a new partition before its key is kept, so that no key is ever
    /// forgotten. Returns `nil` if new ones are not sealed. Nothing may be left of an older one.
    func draft() throws -> KeyDraft? {
        guard let protection else { return nil }
        return try draft(keptIn: protection.keyStore, protection, as: IncognitoHeader.fileNames)
    }

    /// Writes the header of the partition that is to replace the existing one.
    ///
    /// - Parameter name: the name of the key store that the partition has and keeps.
    func resealingDraft(keptIn name: String) throws -> KeyDraft? {
        guard let protection, let keyStore = protection.keyStore(named: name) else { return nil }
        return try draft(keptIn: keyStore, protection, as: ResealingFiles.drafts)
    }

    private func draft(
        keptIn keyStore: any IncognitoKeyStore, _ protection: IncognitoProtection,
        as names: [String]
    ) throws -> KeyDraft {
        let id: IncognitoKeyID = root.environment.identifier()
        let key = try protection.cipher.makeKey()
        let sealer = try protection.cipher.sealer(key: key)
        let sealing = StorageTraits.Sealing(cipher: protection.cipher, keyStore: keyStore)
        let header = try IncognitoHeader(sealing, id, sealer, keyScope: keyStore.keyScope)
        for name in names { try root.putHeader(name, header.bytes) }
        return KeyDraft(
            record: KeyRecord(
                protection: protection, keyStore: keyStore, id: id, key: key,
                place: root.directoryForKeys == nil
                    ? Redaction.location(root.location) : (try? root.keyLocation())?.path,
                directory: root.directoryForKeys),
            seal: IncognitoSeal(sealer: sealer, traits: sealing))
    }

    /// Returns what destroys the partition's key; `nil` without a key that this program could find.
    func removal() throws(StorageError) -> KeyRemoval? {
        guard let protection else { return nil }
        var header: IncognitoHeader?
        if case .sound(let sound) = try readHeader() { header = sound }
        return try removal(of: header, protection)
    }

    /// Whether a replacement was begun and not finished.
    var hasDrafts: Bool {
        get throws(StorageError) {
            for name in ResealingFiles.headers where try root.header(name) != nil { return true }
            return false
        }
    }

    /// Returns what destroys the key of an unfinished replacement; `nil` if there is none.
    func abandonedKey() throws(StorageError) -> KeyRemoval? {
        guard let protection else { return nil }
        for name in ResealingFiles.headers {
            guard let bytes = try root.header(name), let header = try IncognitoHeader(bytes)
            else { continue }
            return try removal(of: header, protection)
        }
        return nil
    }

    /// Throws if the store's own location is unknown, because the key may be another store's.
    private func removal(
        of header: IncognitoHeader?, _ protection: IncognitoProtection
    ) throws(StorageError) -> KeyRemoval {
        KeyRemoval(
            protection: protection, header: header, directory: root.directoryForKeys,
            location: root.location, keyLocation: try root.keyLocation())
    }

    /// Removes the partition and its header. The key that only the header names is already gone.
    func removeFiles() throws(StorageError) {
        if try root.holdsIncognito { try root.moveIncognitoAway() }
        // Without protection the key was not destroyed.
        if protection != nil { try root.removeHeaders() }
        try root.removeIncognitoRemains()
        try root.syncRemovals()
    }
}
