public import BrowserSessions
public import StorageEngines
internal import Synchronization

/// Keeps keys in the memory of this value: incognito sessions end with it, at the latest with the
/// process, and then nobody can read them any more.
///
/// Another opener of the store, say a tool, does not hold the key and so removes the side.
public final class MemoryKeyStore: IncognitoKeyStore {
    /// `memory`
    public static let name = "memory"

    public var name: String { Self.name }
    public var survives: Durability { .memory }
    public var keepsKeysInStore: Bool { false }
    private let keys = Mutex<[IncognitoKeyID: SecretBytes]>([:])

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
