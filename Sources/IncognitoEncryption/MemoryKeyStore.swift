public import BrowserSessions
public import StorageEngines
internal import Synchronization

/// Keeps keys in the memory of this value. Incognito sessions end with it, at the latest with the
/// process, and cannot be read after that.
///
/// Another opener of the store, such as a tool, does not have the key and therefore removes the
/// partition.
public final class MemoryKeyStore: IncognitoKeyStore {
    /// The name of this key store in sealed partitions and in `incognitoKeys`: `memory`.
    public static let name = "memory"

    public var name: String { Self.name }
    public var survives: Durability { .memory }
    public var keepsKeysInStore: Bool { false }
    private let keys = Mutex<[IncognitoKeyID: SecretBytes]>([:])

    /// Creates a key store that has no keys yet and shares none with others.
    public init() {}

    public func save(_ key: SecretBytes, for id: IncognitoKeyID, of store: (any FileDirectory)?) {
        keys.withLock { $0[id] = key }
    }

    public func key(for id: IncognitoKeyID, of store: (any FileDirectory)?) -> SecretBytes? {
        keys.withLock { $0[id] }
    }

    public func destroy(_ id: IncognitoKeyID, of store: (any FileDirectory)?) {
        keys.withLock { $0[id] = nil }
    }
}
