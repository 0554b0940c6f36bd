import BrowserSessions
import DirectoryBackend
import IncognitoEncryption
import StorageConformance
import StorageEngines
import Synchronization

/// Keys that are copied for each cut: each cut is a future of its own.
final class CopiedKeys: IncognitoKeyStore {
    let name = "copied"
    let survives = Durability.powerLoss
    let keepsKeysInStore = false
    /// The system is never restarted: a key that is missing may be elsewhere.
    let keyScope: String? = "start"
    private let keys: Mutex<[IncognitoKeyID: SecretBytes]>

    init(_ other: CopiedKeys? = nil) { keys = Mutex(other?.keys.withLock { $0 } ?? [:]) }

    var count: Int { keys.withLock { $0.count } }

    func save(_ key: SecretBytes, for id: IncognitoKeyID, of store: (any FileDirectory)?) {
        keys.withLock { $0[id] = key }
    }

    func key(for id: IncognitoKeyID, of store: (any FileDirectory)?) -> SecretBytes? {
        keys.withLock { $0[id] }
    }

    func destroy(_ id: IncognitoKeyID, of store: (any FileDirectory)?) {
        keys.withLock { $0[id] = nil }
    }

    var protection: IncognitoProtection {
        IncognitoProtection(cipher: AESGCMCipher(), keyStore: self)
    }

    /// Opens the store at a path, sealed with these.
    func open(_ path: String, on disk: SimulatedFileSystem) throws -> OrderedSessionStorage {
        try OrderedSessionStorage(
            opening: StorageConfiguration(location: path), engine: DirectoryEngine(),
            incognito: protection, on: disk)
    }
}
