import BrowserSessions
import DirectoryBackend
import IncognitoEncryption
import StorageConformance
import StorageEngines
import TestSupport

extension HostKeys {
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
