import BrowserSessions
import Dispatch
import Synchronization

// Calls to key stores. Nothing here touches the store or its lock: a key store that is slow, or
// does not answer, delays only callers that need the incognito partition.

/// Searches for the key of an existing partition.
struct KeySearch: Sendable {
    let header: IncognitoHeader
    let protection: IncognitoProtection
    let directory: (any FileDirectory)?
    /// The store's location, for messages.
    let location: String
    /// `nil` if the store has no files that could be copied, or if it may not be changed.
    let keyLocation: KeyLocation?

    enum Finding: Sendable {
        case found(IncognitoSeal, KeyClaim)
        /// The sessions were deleted, and what is left of them is to be removed.
        case deleted
        /// The key is not held any more; the text says why.
        case lost(String)
        /// The search failed; `mayReturn` if asking again may help.
        case unavailable(StorageError, mayReturn: Bool)
    }

    func run() -> Finding {
        do throws(StorageError) {
            return try search()
        } catch { return .unavailable(error, mayReturn: true) }
    }

    private func search() throws(StorageError) -> Finding {
        guard header.cipher == protection.cipher.name else {
            throw StorageError(
                .incompatibleFormat,
                """
                the incognito partition of '\(location)' is encrypted with \(header.cipher), which this program \
                has not; open it with the program that saved it. \(IncognitoVault.givingUp)
                """)
        }
        let keyStore = try protection.keyStore(of: header, at: location)
        let id = header.id
        let found = try protection.call(keyStore, "be asked for") { [directory] in
            try $0.key(for: id, of: directory).map(KeptKey.init)
        }
        guard let kept = found else {
            if keyStore.keepsKeysInStore { return gone }
            if let keyScope = header.keyScope, keyScope == keyStore.keyScope {
                return .unavailable(unseen(by: self), mayReturn: false)
            }
            return .lost("its key is not held any more by key store '\(header.keyStore)'")
        }
        if kept.isDestroyed {
            if case .copied = KeyClaim(of: kept, in: keyStore, self) {
                return .unavailable(unseen(by: self), mayReturn: false)
            }
            return .deleted
        }
        let key = kept.key
        guard let sealer = try sealer(key), try matches(sealer) else {
            throw StorageError(
                .keyUnavailable,
                """
                key store '\(header.keyStore)' gave another key than that of the incognito partition of \
                '\(location)'. \(IncognitoVault.givingUp)
                """)
        }
        let traits = StorageTraits.Sealing(cipher: protection.cipher, keyStore: keyStore)
        return .found(
            IncognitoSeal(sealer: sealer, traits: traits), KeyClaim(of: kept, in: keyStore, self))
    }

    /// The key was in a file of the store.
    private var gone: Finding {
        let message = """
            the key of the incognito partition of '\(location)', a file in the store, is gone or damaged; put \
            its file back while the store is closed. \(IncognitoVault.givingUp)
            """
        return .unavailable(StorageError(.keyUnavailable, message), mayReturn: false)
    }

    /// Returns `nil` if the bytes are no key of the cipher. Throws if the cipher does not work.
    private func sealer(_ key: SecretBytes) throws(StorageError) -> (any IncognitoSealer)? {
        do {
            return try protection.cipher.sealer(key: key)
        } catch {
            let error = StorageError(ofEngine: error)
            if error.code == .keyUnavailable { return nil }
            throw error
        }
    }

    private func matches(_ sealer: any IncognitoSealer) throws(StorageError) -> Bool {
        do { return try header.matches(sealer) } catch { throw StorageError(ofEngine: error) }
    }
}

/// The store that owns a key, by what the key store notes and what exists at that location.
enum KeyClaim: Sendable {
    /// This store, or nothing else is known.
    case own
    /// This store, moved or restored from a backup; the key store does not know its location yet.
    case moved(KeyRecord)
    /// The store at that location, which this one was copied from.
    case copied(from: String)
    /// The store at that address, which this one was copied from on a server. Whether it exists is not known.
    case shared(with: String)
}

extension KeyClaim {
    fileprivate init(
        of kept: KeptKey, in keyStore: any IncognitoKeyStore, _ search: KeySearch
    ) {
        self = .own
        if keyStore.keepsKeysInStore { return }
        guard let keyLocation = search.keyLocation else {
            let owner = sharedKeyOwner(kept, search.directory, search.location)
            if let owner { self = .shared(with: owner) }
            return
        }
        guard kept.location != keyLocation.path else { return }
        if let owner = kept.location, keyLocation.isOfOther(search.header.id, at: owner) {
            self = .copied(from: owner)
        } else {
            self = .moved(
                KeyRecord(
                    protection: search.protection, keyStore: keyStore, id: search.header.id,
                    key: kept.key, place: keyLocation.path, directory: search.directory))
        }
    }
}

/// The key was destroyed, or is in another keyring.
private func unseen(by search: KeySearch) -> StorageError {
    StorageError(
        .keyUnavailable,
        """
        the key of the incognito partition of '\(search.location)' is not in key store \
        '\(search.header.keyStore)' as it is seen from here, though the system has not restarted since it was \
        kept: the store that this one was copied from has deleted its incognito sessions, or another user or \
        container saved it. \(IncognitoVault.givingUp)
        """)
}

/// Returns the address of the store on a server for which a key was made, if that is another one.
private func sharedKeyOwner(
    _ kept: KeptKey, _ directory: (any FileDirectory)?, _ location: String
) -> String? {
    guard directory == nil, let owner = kept.location, owner != Redaction.location(location) else {
        return nil
    }
    return owner
}

/// A key, to be kept with the location of its store.
struct KeyRecord: Sendable {
    let protection: IncognitoProtection
    let keyStore: any IncognitoKeyStore
    let id: IncognitoKeyID
    let key: SecretBytes
    /// The path or the address of the store; `nil` if it is unknown.
    let place: String?
    let directory: (any FileDirectory)?

    func keep() throws(StorageError) {
        let (id, directory) = (id, directory)
        let location = keyStore.keepsKeysInStore ? nil : place
        let bytes = KeptKey(key, of: location).bytes
        try protection.call(keyStore, "be kept") { try $0.save(bytes, for: id, of: directory) }
    }
}

/// Destroys the key of a partition that is being removed.
struct KeyRemoval: Sendable {
    let protection: IncognitoProtection
    /// `nil` if the key's id is unknown: only a key inside the store can then be found.
    let header: IncognitoHeader?
    let directory: (any FileDirectory)?
    let location: String
    let keyLocation: KeyLocation?

    /// Destroys the key, so that the partition cannot be read. A key of another store stays, and
    /// that store's location is returned.
    ///
    /// - Parameters:
    ///   - leavesNote: whether the key store notes the deletion for the next opening, because the records
    ///     could not be moved away.
    ///   - sparesShared: whether a key stays that was made for a store at another address on a server.
    func run(
        leavingNote leavesNote: Bool = false, sparingShared sparesShared: Bool = false
    ) throws(StorageError) -> String? {
        guard let header else {
            guard directory != nil else { return nil }
            for keyStore in protection.keyStores where keyStore.keepsKeysInStore {
                try destroy(.random(), in: keyStore)
            }
            return nil
        }
        let keyStore = try protection.keyStore(of: header, at: location)
        if let owner = try owner(of: header.id, in: keyStore, sparesShared) { return owner }
        try destroy(header.id, in: keyStore)
        if leavesNote {
            let note = KeyRecord(
                protection: protection, keyStore: keyStore, id: header.id, key: KeptKey.destroyed,
                place: keyLocation?.path, directory: directory)
            // Without the note the next opening finds that the key is gone, and reports it.
            try? note.keep()
        }
        return nil
    }

    /// Returns the location of the other store that owns a key.
    private func owner(
        of id: IncognitoKeyID, in keyStore: any IncognitoKeyStore, _ sparesShared: Bool
    ) throws(StorageError) -> String? {
        guard keyLocation != nil || sparesShared, !keyStore.keepsKeysInStore else { return nil }
        let kept = try protection.call(keyStore, "be destroyed") { [directory] in
            try $0.key(for: id, of: directory).map(KeptKey.init)
        }
        guard let kept else { return nil }
        guard let keyLocation else { return sharedKeyOwner(kept, directory, location) }
        guard let owner = kept.location, keyLocation.isOfOther(id, at: owner) else { return nil }
        return owner
    }

    private func destroy(_ id: IncognitoKeyID, in keyStore: any IncognitoKeyStore)
        throws(StorageError)
    {
        try protection.call(keyStore, "be destroyed") { [directory] in
            try $0.destroy(id, of: directory)
        }
    }
}

/// The key of a partition that is about to begin; its header is already written.
struct KeyDraft: Sendable {
    let record: KeyRecord
    let seal: IncognitoSeal

    func keep() throws(StorageError) { try record.keep() }
}

extension IncognitoProtection {
    /// Returns the key store that a header names.
    func keyStore(of header: IncognitoHeader, at location: String) throws(StorageError)
        -> any IncognitoKeyStore
    {
        if let keyStore = keyStore(named: header.keyStore) { return keyStore }
        let known = keyStores.map(\.name).joined(separator: ", ")
        throw StorageError(
            .keyUnavailable,
            """
            the key of the incognito partition of '\(location)' is in key store '\(header.keyStore)', which this \
            program has not (it has: \(known)); open the store with the program that saved it. \
            \(IncognitoVault.givingUp)
            """)
    }

    /// Calls a key store, for no longer than ``timeout``, and converts its errors to one form.
    func call<Success: Sendable>(
        _ keyStore: any IncognitoKeyStore, _ what: String,
        _ work: @escaping @Sendable (any IncognitoKeyStore) throws -> Success
    ) throws(StorageError) -> Success {
        do {
            guard let result = line.wait(timeout, for: { try work(keyStore) }) else {
                throw StorageError(.keyUnavailable, "it did not answer within \(timeout)")
            }
            return try result.get()
        } catch {
            let cause = error as? StorageError
            throw StorageError(
                cause?.code == .outOfSpace ? .outOfSpace : .keyUnavailable,
                """
                the key of the incognito partition cannot \(what) in key store '\(keyStore.name)': \
                \(cause?.message ?? "\(error)")
                """, underlying: error)
        }
    }
}

extension StoreLine {
    /// Makes a call that may never end: a key store that hangs uses only one thread.
    ///
    /// Returns `nil` if there is no answer in time. A call that waits for its turn until then is
    /// not made, and the result of a later one is dropped.
    func wait<Success: Sendable>(
        _ limit: Duration, for call: @escaping @Sendable () throws -> Success
    ) -> Result<Success, any Error>? {
        let end = DispatchTime.now() + limit.dispatched
        let answer = KeyAnswer(to: call)
        let number = add { answer.find() }
        let result = answer.wait(until: end)
        // A store that hangs for good would keep one entry for each question.
        if result == nil { withdraw(number) }
        return result
    }
}

/// The answer of a key store, which may come too late for the caller.
///
/// It releases the call before it says that there is an answer, and the answer when it is taken,
/// because both may hold a key.
private final class KeyAnswer<Success: Sendable>: Sendable {
    private let call: Mutex<(@Sendable () throws -> Success)?>
    private let given = Mutex<Result<Success, any Error>?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    init(to call: @escaping @Sendable () throws -> Success) { self.call = Mutex(call) }

    func find() {
        do {
            guard let work = call.withLock(\.self) else { return }
            let result = Result { try work() }
            given.withLock { $0 = result }
        }
        call.withLock { $0 = nil }
        isThere.signal()
    }

    /// Returns `nil` if there is no answer by then.
    func wait(until end: DispatchTime) -> Result<Success, any Error>? {
        // waits: for the answer, and no longer than the caller's limit
        if isThere.wait(timeout: end) == .timedOut { call.withLock { $0 = nil } }
        return given.withLock { given in
            defer { given = nil }
            return given
        }
    }
}
