public import BrowserSessions
import IncognitoEncryption
public import StorageEngines

extension StorageBackend {
    /// Sessions in plain files: numbered, append-only, checksummed logs and snapshots.
    ///
    /// Has the fastest saves and restores; all metadata is in memory while the store is open.
    ///
    /// The incognito partition is encrypted; the option `incognitoKeys` says where its key is.
    public static var directory: StorageBackend { directory(IncognitoKeys()) }

    /// Returns the backend with incognito keys in a key store of the program.
    public static func directory(incognitoKeys keyStore: any IncognitoKeyStore) -> StorageBackend {
        directory(IncognitoKeys(keyStore))
    }

    private static func directory(_ keys: IncognitoKeys) -> StorageBackend {
        StorageBackend(
            name: DirectoryEngine.name,
            summary: "numbered logs and snapshots in a directory; fastest, needs no library",
            options: [segmentOption], sealedWith: keys
        ) { configuration in
            var engine = DirectoryEngine()
            if case .integer(let bytes) = configuration.value(of: segmentOption) {
                engine.settings.segmentBytes = bytes
            }
            return engine
        }
    }

    private static var segmentOption: StorageOption {
        StorageOption(
            "segmentBytes", kind: .integer(64 << 10...1 << 30),
            default: .integer(DirectorySettings.defaultSegmentBytes),
            summary: "the size at which a new log file is begun")
    }
}
