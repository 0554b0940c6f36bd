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

    enum Finding: Sendable {
        case found(IncognitoSeal)
        /// Nobody holds the key any more; says why.
        case lost(String)
        /// Nobody knows.
        case unavailable(StorageError)
    }

    func run() -> Finding {
        do throws(StorageError) {
            return try search()
        } catch { return .unavailable(error) }
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
            try $0.key(for: id, of: directory)
        }
        guard let key = found else {
            if let era = header.era, era == keyStore.era {
                throw StorageError(
                    .keyUnavailable,
                    """
                    the key of the incognito side of '\(place)' is not in key store \
                    '\(header.keyStore)' as it is seen from here, though the system was not started \
                    anew since it was kept; open the store as the user and in the container that saved \
                    it. \(IncognitoVault.givingUp)
                    """)
            }
            return .lost("its key is not held any more by key store '\(header.keyStore)'")
        }
        guard let sealer = try sealer(key), try matches(sealer) else {
            throw StorageError(
                .keyUnavailable,
                """
                key store '\(header.keyStore)' gave another key than that of the incognito side of \
                '\(place)'. \(IncognitoVault.givingUp)
                """)
        }
        let traits = StorageTraits.Sealing(cipher: protection.cipher, keyStore: keyStore)
        return .found(IncognitoSeal(sealer: sealer, traits: traits))
    }

    /// `nil` if it is no key of the cipher. A cipher that does not work says nothing of the key.
    private func sealer(_ key: [UInt8]) throws(StorageError) -> (any IncognitoSealer)? {
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

/// Destroys the key of a side that is to go.
struct KeyRemoval: Sendable {
    let protection: IncognitoProtection
    /// `nil` if nothing tells the key's id: then only a key that lies in the store can be found.
    let header: IncognitoHeader?
    let directory: (any FileDirectory)?
    let place: String

    /// Afterwards nobody can read the side.
    func run() throws(StorageError) {
        guard let header else {
            guard directory != nil else { return }
            for keyStore in protection.keyStores where keyStore.keepsKeysInStore {
                try destroy(.random(), in: keyStore)
            }
            return
        }
        try destroy(header.id, in: protection.keyStore(of: header, at: place))
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
    let protection: IncognitoProtection
    let header: IncognitoHeader
    let key: [UInt8]
    let seal: IncognitoSeal
    let directory: (any FileDirectory)?

    func keep() throws(StorageError) {
        let (id, key) = (header.id, key)
        try protection.call(protection.keyStore, "be kept") { [directory] in
            try $0.save(key, for: id, of: directory)
        }
    }
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
    fileprivate func call<Success: Sendable>(
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
        let answer = KeyAnswer<Success>()
        // A thread of its own: those of a concurrent queue are few, and a call may keep one for ever.
        DispatchQueue(label: "browser-sessions.key-store").async { [isFree] in
            answer.give(Result { try call() })
            isFree.signal()
        }
        return answer.wait(until: end)
    }
}

/// What a key store answers, which may be too late for whoever asked.
private final class KeyAnswer<Success: Sendable>: Sendable {
    private let given = Mutex<Result<Success, any Error>?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func give(_ result: Result<Success, any Error>) {
        given.withLock { $0 = result }
        isThere.signal()
    }

    /// `nil` if there is none by then.
    func wait(until end: DispatchTime) -> Result<Success, any Error>? {
        // waits: for the answer, and no longer than somebody may be held up
        _ = isThere.wait(timeout: end)
        return given.withLock { $0 }
    }
}
