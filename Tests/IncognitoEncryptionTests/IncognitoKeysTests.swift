import BrowserSessions
import Expectations
import IncognitoEncryption
import StorageEngines
import TestSupport

struct IncognitoKeysTests {
    static let problem = KeyringKeyStore.problem

    func configuration(_ value: String?) -> StorageConfiguration {
        StorageConfiguration(
            location: "/nowhere",
            options: value.map { ["incognitoKeys": .text($0)] } ?? [:])
    }

    @Test(arguments: ["file", "memory"])
    func theOptionSaysWhereNewKeysAre(value: String) throws {
        let keys = IncognitoKeys()
        let protection = try keys.protection(for: configuration(value))
        expect(protection.keyStore.name, is: value)
        expect(protection.cipher.name, is: "AES-256-GCM")
        let others = Set(protection.otherKeyStores.map(\.name))
        expect(others, is: ["memory", "keyring", "file"])
        expect(keys.option.defaultValue, is: .text("auto"))
        expect(keys.option.accepts(.text(value)) && !keys.option.accepts(.text("keychain")))
    }

    @Test func autoTakesTheKeyringWhereItWorks() throws {
        let expected = Self.problem == nil ? "keyring" : "file"
        for value in [nil, "auto"] {
            let protection = try IncognitoKeys().protection(for: configuration(value))
            expect(protection.keyStore.name, is: expected)
        }
        let meaning = IncognitoKeys().meaning(of: configuration(nil))
        if let problem = Self.problem {
            expect(meaning, is: "AES-256-GCM, key in a file of the store, because \(problem)")
        } else {
            expect(meaning, is: "AES-256-GCM, key in the kernel keyring")
        }
    }

    @Test func theKeyringByNameIsNeverReplaced() throws {
        let keys = IncognitoKeys()
        if Self.problem == nil {
            expect(try keys.protection(for: configuration("keyring")).keyStore.name == "keyring")
            return
        }
        let error = expect(throws: StorageError.self) {
            try keys.protection(for: configuration("keyring"))
        }
        expect(error?.code, is: .unsupported)
        expect(keys.meaning(of: configuration("keyring")).hasPrefix("cannot be opened"))
    }

    @Test func keysInMemoryLiveAsLongAsTheValue() throws {
        let keys = IncognitoKeys()
        let store = try PosixDirectory(opening: "/")
        let id = IncognitoKeyID.random()
        let one = SecretBytes(copying: [1])
        try keys.protection(for: configuration("memory")).keyStore.save(one, for: id, of: store)
        let again = try keys.protection(for: configuration("memory")).keyStore
        expect(try again.key(for: id, of: store) == one)
        let other = try IncognitoKeys().protection(for: configuration("memory")).keyStore
        expect(try other.key(for: id, of: store) == nil)
        expect(keys.meaning(of: configuration("memory")).contains("memory of the program"))
    }

    @Test func aHostsOwnStoreIsTheOnlyChoice() throws {
        let keys = IncognitoKeys(HostKeys())
        expect(try keys.protection(for: configuration(nil)).keyStore.name == "keychain")
        expect(keys.option.accepts(.text("keychain")) && !keys.option.accepts(.text("file")))
        expect(keys.meaning(of: configuration(nil)).contains("'keychain'"))
    }

    @Test(arguments: ["file", "memory", "keyring"])
    func itMayNotPassForOneOfTheLibrary(name: String) {
        let error = expect(throws: StorageError.self) {
            try IncognitoKeys(HostKeys(name)).protection(for: configuration(nil))
        }
        expect(error?.code, is: .invalidConfiguration)
    }

    @Test func oneOfTheLibraryMayBeGivenInCode() throws {
        let protection = try IncognitoKeys(FileKeyStore()).protection(for: configuration(nil))
        expect(protection.keyStore.name, is: "file")
    }
}
