public import BrowserSessions
import IncognitoEncryption
public import StorageEngines

extension StorageBackend {
    /// Sessions in one SQLite database, in a form that other tools can read too.
    ///
    /// SQLite versions before 3.51.3 can corrupt a log that two connections share, so a store has
    /// exactly one connection and locks the file. Close the store before you open it with other
    /// tools.
    ///
    /// The incognito partition is encrypted; the option `incognitoKeys` says where its key is.
    public static var sqlite: StorageBackend { sqlite(IncognitoKeys()) }

    /// Returns the backend with incognito keys in a key store of the program.
    public static func sqlite(incognitoKeys keyStore: any IncognitoKeyStore) -> StorageBackend {
        sqlite(IncognitoKeys(keyStore))
    }

    private static func sqlite(_ keys: IncognitoKeys) -> StorageBackend {
        StorageBackend(
            name: SQLiteEngine.name,
            summary: "one SQLite database; readable with any SQLite tool", sealedWith: keys
        ) { _ in SQLiteEngine() }
    }
}
