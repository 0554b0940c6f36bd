public import BrowserSessions
import IncognitoEncryption
public import StorageEngines

extension StorageBackend {
    /// Sessions in one LevelDB database; a save costs hardly more than the disk's own sync.
    ///
    /// Opening takes milliseconds and needs some free space, even for reading.
    ///
    /// The incognito partition is encrypted; the option `incognitoKeys` says where its key is.
    public static var leveldb: StorageBackend { leveldb(IncognitoKeys()) }

    /// Returns the backend with incognito keys in a key store of the program.
    public static func leveldb(incognitoKeys keyStore: any IncognitoKeyStore) -> StorageBackend {
        leveldb(IncognitoKeys(keyStore))
    }

    private static func leveldb(_ keys: IncognitoKeys) -> StorageBackend {
        StorageBackend(
            name: LevelDBEngine.name,
            summary: "one LevelDB database; fast saves at any size, opening takes longer",
            options: [compressionOption], sealedWith: keys
        ) { configuration in
            var engine = LevelDBEngine()
            if case .text(let text) = configuration.value(of: compressionOption) {
                engine.settings.compression = LevelDBCompression(rawValue: text) ?? .none
            }
            return engine
        }
    }

    private static var compressionOption: StorageOption {
        StorageOption(
            "compression", kind: .choice(LevelDBCompression.allCases.map(\.rawValue)),
            default: .text(LevelDBCompression.none.rawValue),
            summary: "how tables keep their blocks; snappy is smaller, but slower to read")
    }
}
