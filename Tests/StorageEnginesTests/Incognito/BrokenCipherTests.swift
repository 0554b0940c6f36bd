import Expectations
import IncognitoEncryption
import TestSupport

@testable import BrowserSessions
@testable import StorageEngines

/// A cipher that does not work is no wrong key: people would look for the fault in the key store.
struct BrokenCipherTests {
    /// Seals nothing, and makes no sealer at all once it fails.
    private struct Cipher: IncognitoCipher {
        var failure: StorageError?
        var name: String { "plain" }
        func makeKey() -> SecretBytes { SecretBytes(copying: [1, 2, 3]) }

        func sealer(key: SecretBytes) throws(StorageError) -> any IncognitoSealer {
            if let failure { throw failure }
            return IncognitoHeaderTests.PlainSealer()
        }
    }

    private let folder = TemporaryFolder()
    private let keys = MemoryKeyStore()
    private let engine = ScriptedEngine()

    init() throws {
        let store = try open(Cipher())
        var changes = SessionChanges()
        changes.put(SessionAttributes(), for: SessionID(window: .random(), kind: .incognito))
        _ = try store.saveBlocking(changes, durability: .powerLoss)
        try store.closeBlocking()
    }

    private func open(_ cipher: Cipher) throws(StorageError) -> OrderedSessionStorage {
        try OrderedSessionStorage(
            opening: StorageConfiguration(location: "\(folder.path)/store"), engine: engine,
            incognito: IncognitoProtection(cipher: cipher, keyStore: keys))
    }

    /// What the calls of the incognito partition throw.
    private func refusal(_ cipher: Cipher) throws -> StorageError? {
        let store = try open(cipher)
        defer { try? store.closeBlocking() }
        expect(try store.restoreBlocking([SessionID(window: WindowID(high: 1, low: 1))]) == [])
        let id = SessionID(window: WindowID(high: 1, low: 1), kind: .incognito)
        return expect(throws: StorageError.self) { try store.restoreBlocking([id]) }
    }

    @Test(
        "Its own error is reported, and a key that is none is of the key store",
        arguments: [
            (.failed, "the library has no such cipher", "no such cipher"),
            (.keyUnavailable, "a key has 32 bytes", "gave another key"),
        ] as [(StorageError.Code, String, String)])
    func reported(code: StorageError.Code, text: String, words: String) throws {
        let error = try refusal(Cipher(failure: StorageError(code, text)))
        expect(error?.code, is: code)
        expect(error?.message.contains(words), is: true)
        try open(Cipher()).closeBlocking()
    }
}
