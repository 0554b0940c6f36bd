/// The key of a store's incognito side and the header that tells where it is.
///
/// The key decides: it is made before the first record, and destroying it is the moment of deletion.
/// Whatever else of a side is left when it is gone is rubbish.
struct IncognitoVault {
    let home: any StoreHome
    /// `nil` if new sides are not sealed.
    let protection: IncognitoProtection?

    /// What opening a store finds.
    enum Finding {
        /// There is no side.
        case nothing
        /// A side in the clear, as its opener wants it.
        case unsealed
        case sealed(IncognitoSeal)
        /// Nobody holds the key any more; says why.
        case lost(String)
    }

    private enum Header {
        case absent
        case damaged
        case sound(IncognitoHeader)
    }

    /// The header is in two files, so that one that is damaged or gone loses nothing.
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

    // MARK: Opening

    /// Looks for the key of the side that is there. Changes nothing.
    func examine() throws -> Finding {
        try protection?.checkNames()
        guard try home.holdsIncognito else { return .nothing }
        switch (try readHeader(), protection) {
        case (.absent, nil): return .unsealed
        case (_, nil):
            throw StorageError(
                .incompatibleFormat,
                """
                the incognito side of '\(home.place)' is encrypted, and this program opens stores \
                without encryption; open it as it was saved. \(givingUp)
                """)
        case (.absent, _): return .lost("it has no header that tells where its key is")
        case (.damaged, _): return .lost("the header that tells where its key is is damaged")
        case (.sound(let header), let protection?): return try examine(header, protection)
        }
    }

    private func examine(_ header: IncognitoHeader, _ protection: IncognitoProtection) throws
        -> Finding
    {
        guard header.cipher == protection.cipher.name else {
            throw StorageError(
                .incompatibleFormat,
                """
                the incognito side of '\(home.place)' is encrypted with \(header.cipher), which \
                this program has not; open it with the program that saved it. \(givingUp)
                """)
        }
        let keyStore = try keyStore(of: header, protection)
        let key = try ask(keyStore, "be asked for") {
            try $0.key(for: header.id, of: home.directoryForKeys)
        }
        guard let key else {
            return .lost("its key is not held any more by key store '\(header.keyStore)'")
        }
        guard let sealer = try sealer(key, protection), try header.matches(sealer) else {
            throw StorageError(
                .keyUnavailable,
                """
                key store '\(header.keyStore)' gave another key than that of the incognito side of \
                '\(home.place)'. \(givingUp)
                """)
        }
        let traits = StorageTraits.Sealing(cipher: protection.cipher, keyStore: keyStore)
        return .sealed(IncognitoSeal(sealer: sealer, traits: traits))
    }

    /// `nil` if it is no key of the cipher. A cipher that does not work says nothing of the key.
    private func sealer(_ key: [UInt8], _ protection: IncognitoProtection) throws
        -> (any IncognitoSealer)?
    {
        do {
            return try protection.cipher.sealer(key: key)
        } catch let error as StorageError where error.code == .keyUnavailable {
            return nil
        }
    }

    private func keyStore(of header: IncognitoHeader, _ protection: IncognitoProtection)
        throws(StorageError) -> any IncognitoKeyStore
    {
        if let keyStore = protection.keyStore(named: header.keyStore) { return keyStore }
        let known = protection.keyStores.map(\.name).joined(separator: ", ")
        throw StorageError(
            .keyUnavailable,
            """
            the key of the incognito side of '\(home.place)' is in key store \
            '\(header.keyStore)', which this program has not (it has: \(known)); open the store \
            with the program that saved it. \(givingUp)
            """)
    }

    private var givingUp: String {
        "Nothing was removed; to give the incognito sessions up, remove 'incognito' and "
            + "'\(IncognitoHeader.fileNames.joined(separator: "', '"))' there"
    }

    /// A key store's own errors, in one form.
    private func ask<Success>(
        _ keyStore: any IncognitoKeyStore, _ what: String,
        _ work: (any IncognitoKeyStore) throws -> Success
    ) throws(StorageError) -> Success {
        do {
            return try work(keyStore)
        } catch {
            let cause = error as? StorageError
            throw StorageError(
                cause?.code == .outOfSpace ? .outOfSpace : .keyUnavailable,
                """
                the key of the incognito side cannot \(what) in key store '\(keyStore.name)': \
                \(cause?.message ?? "\(error)")
                """, underlying: error)
        }
    }

    // MARK: Making and destroying

    /// Makes the key of a new side, and before it the header, so that no key is ever forgotten.
    /// Returns `nil` if new sides are not sealed.
    func makeSeal() throws -> IncognitoSeal? {
        guard let protection, let sealing else {
            if case .absent = try readHeader() { return nil }
            throw StorageError(
                .incompatibleFormat,
                """
                the key of an encrypted incognito side of '\(home.place)' was not destroyed yet; \
                delete incognito with the program that saved it
                """)
        }
        try discard()  // What a deletion that failed left.
        let (id, key) = (IncognitoKeyID.random(), try protection.cipher.makeKey())
        let sealer = try protection.cipher.sealer(key: key)
        do {
            let header = try IncognitoHeader(sealing, id, sealer).bytes
            for name in IncognitoHeader.fileNames {
                try home.putHeader(name, header)
            }
            try ask(protection.keyStore, "be kept") {
                try $0.save(key, for: id, of: home.directoryForKeys)
            }
        } catch {
            try? discard()
            throw error
        }
        return IncognitoSeal(sealer: sealer, traits: sealing)
    }

    /// Destroys the key that the header names. Afterwards nobody can read the side.
    func destroyKey() throws {
        switch try readHeader() {
        case .absent, .damaged:
            // Its id is not known, so only a key that lies in the store can be found.
            guard home.directoryForKeys != nil else { return }
            for keyStore in protection?.keyStores ?? [] where keyStore.keepsKeysInStore {
                try ask(keyStore, "be destroyed") {
                    try $0.destroy(.random(), of: home.directoryForKeys)
                }
            }
        case .sound(let header):
            guard let protection else { return }
            let keyStore = try keyStore(of: header, protection)
            try ask(keyStore, "be destroyed") {
                try $0.destroy(header.id, of: home.directoryForKeys)
            }
        }
    }

    /// Removes the side and the header. The key, which only the header names, must be destroyed.
    func removeFiles() throws {
        try home.moveIncognitoAway()
        try removeHeader()
        try home.removeIncognitoRemains()
        try home.syncRemovals()
    }

    private func removeHeader() throws(StorageError) {
        // Without protection the key was not destroyed.
        guard protection != nil else { return }
        try home.removeHeaders()
    }

    /// Destroys the key, then removes the side and the header.
    func discard() throws {
        try destroyKey()
        try removeFiles()
    }

    /// Destroys the key of a side that is gone already; returns what kept it from that.
    func tidy() -> String? {
        do {
            if case .absent = try readHeader() { return nil }
            if protection == nil { return nil }
            try destroyKey()
            try removeHeader()
            try home.syncRemovals()
            return nil
        } catch { return "the key of a deleted incognito side could not be destroyed: \(error)" }
    }
}
