import BrowserSessions
import Dispatch
import Synchronization

// What is asked of key stores. Nothing here touches the store or its lock: a key store that is slow, or
// does not answer, holds up whoever wants the incognito side and nobody else.

/// Looks for the key of a side that is there.
struct KeySearch: Sendable {
    let header: IncognitoHeader
    let protection: IncognitoProtection
    let directory: (any FileDirectory)?
    /// The store's location, for messages.
    let place: String
    /// `nil` if the files of the store are not copied, or it may not be changed.
    let keyPlace: KeyPlace?

    enum Finding: Sendable {
        case found(IncognitoSeal, KeyClaim)
        /// The sessions were deleted, and what is left of them is to be removed.
        case deleted
        /// Nobody holds the key any more; says why.
        case lost(String)
        /// It could not be found out; `mayReturn` if asking again may help.
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
                the incognito side of '\(place)' is encrypted with \(header.cipher), which this program \
                has not; open it with the program that saved it. \(IncognitoVault.givingUp)
                """)
        }
        let keyStore = try protection.keyStore(of: header, at: place)
        let id = header.id
        let found = try protection.call(keyStore, "be asked for") { [directory] in
            try $0.key(for: id, of: directory).map(KeptKey.init)
        }
        guard let kept = found else {
            if let era = header.era, era == keyStore.era {
                return .unavailable(unseen, mayReturn: false)
            }
            return .lost("its key is not held any more by key store '\(header.keyStore)'")
        }
        if kept.isDestroyed {
            if case .copied = claim(kept, keyStore) {
                return .unavailable(unseen, mayReturn: false)
            }
            return .deleted
        }
        let key = kept.key
        guard let sealer = try sealer(key), try matches(sealer) else {
            throw StorageError(
                .keyUnavailable,
                """
                key store '\(header.keyStore)' gave another key than that of the incognito side of \
                '\(place)'. \(IncognitoVault.givingUp)
                """)
        }
        let traits = StorageTraits.Sealing(cipher: protection.cipher, keyStore: keyStore)
        return .found(IncognitoSeal(sealer: sealer, traits: traits), claim(kept, keyStore))
    }

    private func claim(_ kept: KeptKey, _ keyStore: any IncognitoKeyStore) -> KeyClaim {
        guard let keyPlace, !keyStore.keepsKeysInStore, kept.place != keyPlace.path else {
            return .own
        }
        if let owner = kept.place, keyPlace.isOfOther(header.id, at: owner) {
            return .copied(from: owner)
        }
        return .moved(
            KeyRecord(
                protection: protection, keyStore: keyStore, id: header.id, key: kept.key,
                keyPlace: keyPlace, directory: directory))
    }

    /// The key was destroyed, or is in another keyring.
    private var unseen: StorageError {
        StorageError(
            .keyUnavailable,
            """
            the key of the incognito side of '\(place)' is not in key store '\(header.keyStore)' as \
            it is seen from here, though the system has not restarted since it was kept: the store \
            that this one was copied from has deleted its incognito sessions, or another user or \
            container saved it. \(IncognitoVault.givingUp)
            """)
    }

    /// `nil` if it is no key of the cipher. A cipher that does not work says nothing of the key.
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

/// Which store a key belongs to, by what its key store notes and what lies there.
enum KeyClaim: Sendable {
    /// This one, or nothing else is known.
    case own
    /// This one, which was moved or made of a backup; the key store does not know its place yet.
    case moved(KeyRecord)
    /// The store at that place, which this one was copied from.
    case copied(from: String)
}

/// A key, to be kept with the place of its store.
struct KeyRecord: Sendable {
    let protection: IncognitoProtection
    let keyStore: any IncognitoKeyStore
    let id: IncognitoKeyID
    let key: SecretBytes
    let keyPlace: KeyPlace?
    let directory: (any FileDirectory)?

    func keep() throws(StorageError) {
        let (id, directory) = (id, directory)
        let place = keyStore.keepsKeysInStore ? nil : keyPlace?.path
        let bytes = KeptKey(key, of: place).bytes
        try protection.call(keyStore, "be kept") { try $0.save(bytes, for: id, of: directory) }
    }
}

/// Destroys the key of a side that is to go.
struct KeyRemoval: Sendable {
    let protection: IncognitoProtection
    /// `nil` if nothing tells the key's id: then only a key that lies in the store can be found.
    let header: IncognitoHeader?
    let directory: (any FileDirectory)?
    let place: String
    let keyPlace: KeyPlace?

    /// Afterwards the side cannot be read, unless the key belongs to another store: then it stays, and
    /// the answer is the place of that one.
    ///
    /// - Parameter leavesNote: whether the key store notes that the sessions were deleted, for the next
    ///   opening, because their records could not be moved out of its way.
    func run(leavingNote leavesNote: Bool = false) throws(StorageError) -> String? {
        guard let header else {
            guard directory != nil else { return nil }
            for keyStore in protection.keyStores where keyStore.keepsKeysInStore {
                try destroy(.random(), in: keyStore)
            }
            return nil
        }
        let keyStore = try protection.keyStore(of: header, at: place)
        if let owner = try owner(of: header.id, in: keyStore) { return owner }
        try destroy(header.id, in: keyStore)
        if leavesNote, !keyStore.keepsKeysInStore {
            let note = KeyRecord(
                protection: protection, keyStore: keyStore, id: header.id, key: KeptKey.destroyed,
                keyPlace: keyPlace, directory: directory)
            // Without it the next opening finds that the key is gone, and tells.
            try? note.keep()
        }
        return nil
    }

    /// The place of the other store that a key belongs to.
    private func owner(of id: IncognitoKeyID, in keyStore: any IncognitoKeyStore)
        throws(StorageError) -> String?
    {
        guard let keyPlace, !keyStore.keepsKeysInStore else { return nil }
        let kept = try protection.call(keyStore, "be destroyed") { [directory] in
            try $0.key(for: id, of: directory).map(KeptKey.init)
        }
        guard let owner = kept?.place, keyPlace.isOfOther(id, at: owner) else { return nil }
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

/// A key of a side that is to be begun; its header is written.
struct KeyDraft: Sendable {
    let record: KeyRecord
    let seal: IncognitoSeal

    func keep() throws(StorageError) { try record.keep() }
}

extension IncognitoProtection {
    /// The key store that a header names.
    func keyStore(of header: IncognitoHeader, at place: String) throws(StorageError)
        -> any IncognitoKeyStore
    {
        if let keyStore = keyStore(named: header.keyStore) { return keyStore }
        let known = keyStores.map(\.name).joined(separator: ", ")
        throw StorageError(
            .keyUnavailable,
            """
            the key of the incognito side of '\(place)' is in key store '\(header.keyStore)', which this \
            program has not (it has: \(known)); open the store with the program that saved it. \
            \(IncognitoVault.givingUp)
            """)
    }

    /// Calls a key store, and waits no longer than ``patience``; its own errors come in one form.
    func call<Success: Sendable>(
        _ keyStore: any IncognitoKeyStore, _ what: String,
        _ work: @escaping @Sendable (any IncognitoKeyStore) throws -> Success
    ) throws(StorageError) -> Success {
        do {
            guard let result = line.wait(patience, for: { try work(keyStore) }) else {
                throw StorageError(.keyUnavailable, "it did not answer within \(patience)")
            }
            return try result.get()
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
}

/// Makes calls that may never end, one at a time: as long as one has not ended, no other begins, so that
/// a key store that hangs has one thread and no more.
final class KeyCallLine: Sendable {
    private let isFree = DispatchSemaphore(value: 1)

    /// `nil` if there is no answer within the time. The call may end later; nobody learns of that.
    func wait<Success: Sendable>(
        _ limit: Duration, for call: @escaping @Sendable () throws -> Success
    ) -> Result<Success, any Error>? {
        let (seconds, rest) = limit.components
        let end =
            DispatchTime.now() + .seconds(Int(clamping: seconds))
            + .nanoseconds(Int(rest / 1_000_000_000))
        // waits: for the call before, and no longer than somebody may be held up
        guard isFree.wait(timeout: end) == .success else { return nil }
        let answer = KeyAnswer(to: call)
        // A thread of its own: those of a concurrent queue are few, and a call may keep one for ever.
        DispatchQueue(label: "browser-sessions.key-store").async { [isFree] in
            answer.find()
            isFree.signal()
        }
        return answer.wait(until: end)
    }
}

/// What a key store answers, which may be too late for whoever asked.
///
/// It lets go of the call before it says that there is an answer, and of the answer when it is taken:
/// both may hold a key.
private final class KeyAnswer<Success: Sendable>: Sendable {
    private let call: Mutex<(@Sendable () throws -> Success)?>
    private let given = Mutex<Result<Success, any Error>?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    init(to call: @escaping @Sendable () throws -> Success) { self.call = Mutex(call) }

    func find() {
        do {
            let work = call.withLock { $0 }
            let result = work.map { work in Result { try work() } }
            given.withLock { $0 = result }
        }
        call.withLock { $0 = nil }
        isThere.signal()
    }

    /// `nil` if there is none by then.
    func wait(until end: DispatchTime) -> Result<Success, any Error>? {
        // waits: for the answer, and no longer than somebody may be held up
        _ = isThere.wait(timeout: end)
        return given.withLock { given in
            defer { given = nil }
            return given
        }
    }
}
