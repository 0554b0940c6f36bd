import BrowserSessions
import CPlatform
import Expectations
import Foundation
import IncognitoEncryption
import StorageEngines
import TestSupport

/// The key stores of the library, all by the same rules.
struct KeyStoreTests {
    static let problem = KeyringKeyStore.problem

    /// The keyring is among them where it works.
    static var all: [any IncognitoKeyStore] {
        [MemoryKeyStore(), FileKeyStore()] + (problem == nil ? [KeyringKeyStore()] : [])
    }

    let folder = TemporaryFolder()
    let id = IncognitoKeyID.random()
    let key = SecretBytes(copying: (0..<32).map { _ in UInt8.random(in: 0...255) })
    let otherKey = SecretBytes(copying: (0..<32).map { _ in UInt8.random(in: 0...255) })

    @Test(arguments: 0..<all.count)
    func aKeyIsThereUntilItIsDestroyed(index: Int) throws {
        let keys = Self.all[index]
        expect(try keys.key(for: id, of: folder.directory) == nil)
        try keys.destroy(id, of: folder.directory)
        try keys.save(key, for: id, of: folder.directory)
        expect(try keys.key(for: id, of: folder.directory) == key)
        expect(try keys.key(for: .random(), of: folder.directory) == nil)
        try keys.destroy(id, of: folder.directory)
        expect(try keys.key(for: id, of: folder.directory) == nil)
        try keys.destroy(id, of: folder.directory)
        expect(try FileSystem.contents(of: folder.path) == [])
        let other = IncognitoKeyID.random()
        try keys.save(otherKey, for: other, of: folder.directory)
        expect(try keys.key(for: other, of: folder.directory) == otherKey)
        expect(try keys.key(for: id, of: folder.directory) == nil)
        try keys.destroy(other, of: folder.directory)
    }

    @Test func theyHaveTheNamesAndPromisesThatTheHeaderStandsFor() {
        let stores: [any IncognitoKeyStore] = [
            MemoryKeyStore(), KeyringKeyStore(), FileKeyStore(),
        ]
        expect(stores.map(\.name), is: ["memory", "keyring", "file"])
        expect(stores.map(\.survives), is: [.memory, .processCrash, .powerLoss])
        expect(stores.map(\.keepsKeysInStore), is: [false, false, true])
    }

    @Test(.enabled(if: problem == nil, "the kernel keyring does not work here"))
    func anyValueFindsAKeyInTheKeyring() throws {
        let elsewhere = try PosixDirectory(opening: "/")
        try KeyringKeyStore().save(key, for: id, of: folder.directory)
        expect(try KeyringKeyStore().key(for: id, of: elsewhere) == key)
        try KeyringKeyStore().destroy(id, of: elsewhere)
        expect(try KeyringKeyStore().key(for: id, of: folder.directory) == nil)
    }

    @Test func theKeyringIsUsableOrSaysWhyNot() {
        expect(KeyringKeyStore.isUsable, is: (KeyringKeyStore.problem == nil))
        // Only the kernel may be the reason.
        expect(KeyringKeyStore.problem?.hasPrefix("cannot ") != false)
    }

    @Test(
        .enabled(if: problem == nil, "the kernel keyring does not work here"),
        .enabled(
            if: FileManager.default.isReadableFile(atPath: "/proc/keys"), "keys are not listed"))
    func tryingTheKeyringAgainAndAgainUsesOneKeyThatEndsByItself() throws {
        expect(KeyringKeyStore.isUsable)
        let number = platform_key_find("browser-sessions:trial")
        expect(number > 0)
        for _ in 0..<20 {
            expect(KeyringKeyStore.isUsable)
            expect(platform_key_find("browser-sessions:trial"), is: number)
        }
        /// Others who try it renew the key a moment before they limit its time again.
        func hasLimit() throws -> Bool {
            // The system gives the list a page at a time, and all of it only to who asks again.
            let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/keys"))
            var bytes = Data()
            while let page = try file.read(upToCount: 1 << 16), !page.isEmpty { bytes += page }
            let fields = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
                .map { $0.split(separator: " ") }
                .first { $0.first.flatMap { Int($0, radix: 16) } == number }
            return try require(fields)[3] != "perm"
        }
        expect(try (0..<1000).contains { _ in try hasLimit() })
    }

    // MARK: The file

    var file: String { "\(folder.path)/\(FileKeyStore.fileName)" }

    /// Changes the file without the syncs of a replacement, which take longer than all else.
    func damage(_ edit: (inout [UInt8]) -> Void) throws {
        var bytes = try FileSystem.read(file)
        edit(&bytes)
        try Data(bytes).write(to: URL(filePath: file))
    }

    @Test func aFlippedBitOfTheFileLosesNothing() throws {
        let keys = FileKeyStore()
        try keys.save(key, for: id, of: folder.directory)
        expect(try FileSystem.status(file)?.permissions == 0o600)
        let size = try FileSystem.read(file).count
        for bit in 0..<size * 8 {
            try damage { $0[bit / 8] ^= 1 << (bit % 8) }
            expect(try keys.key(for: id, of: folder.directory) == key)
            try damage { $0[bit / 8] ^= 1 << (bit % 8) }
        }
        for bytes in [size - 1, size / 2] {
            try damage { $0.removeLast($0.count - bytes) }
            expect(try keys.key(for: id, of: folder.directory) == key)
        }
    }

    @Test func aKeyWithTwoDamagedCopiesIsNotHeld() throws {
        let keys = FileKeyStore()
        for size in [0, 1, 24, 59] {
            try keys.save(key, for: id, of: folder.directory)
            try damage { $0.removeLast($0.count - size) }
            expect(try keys.key(for: id, of: folder.directory) == nil)
        }
        try keys.save(key, for: id, of: folder.directory)
        try damage { bytes in for index in bytes.indices { bytes[index] ^= 0x40 } }
        expect(try keys.key(for: id, of: folder.directory) == nil)
    }

    @Test func whatIsNoFileIsNotTakenForAMissingKey() throws {
        try FileSystem.makeDirectory(file)
        expect(throws: StorageError.self) { try FileKeyStore().key(for: id, of: folder.directory) }
    }

    /// The bytes of the file, also once it has no name any more.
    private func content() throws -> FileHandle {
        try FileHandle(forReadingFrom: URL(filePath: file))
    }

    @Test func theBytesOfTheFileAreOverwritten() throws {
        try FileKeyStore().save(key, for: id, of: folder.directory)
        let content = try content()
        try FileKeyStore().destroy(id, of: folder.directory)
        let bytes = try content.readToEnd() ?? Data()
        expect(bytes.count == 120 && bytes.allSatisfy { $0 == 0 })
        expect(try FileSystem.contents(of: folder.path) == [])
    }

    /// What has the name need not be ours.
    enum Stranger: CaseIterable { case link, hardLink, large, otherOwner, directory }

    @Test(arguments: Stranger.allCases)
    func somebodyElsesFileOnlyLosesItsName(_ stranger: Stranger) throws {
        let elsewhere = TemporaryFolder()
        let other = elsewhere.file("other")
        let content = [UInt8]("somebody else's".utf8)
        try FileSystem.replace(other, with: content)
        switch stranger {
        case .link: expect(symlink(other, file), is: 0)
        case .hardLink: expect(Foundation.link(other, file), is: 0)
        case .large: expect(truncate(other, 60 << 30) == 0 && rename(other, file) == 0)
        case .otherOwner:
            try FileSystem.replace(file, with: content)
            // Only the superuser can give a file away.
            guard chown(file, 12_345, 12_345) == 0 else { return }
        case .directory: try FileSystem.makeDirectory(file)
        }
        let open = stranger == .otherOwner ? try self.content() : nil
        try FileKeyStore().destroy(id, of: folder.directory)
        expect(try FileSystem.contents(of: folder.path) == [])
        if stranger == .link || stranger == .hardLink {
            expect(try FileSystem.read(other) == content)
        }
        if let open { expect(try open.readToEnd() == Data(content)) }
    }
}

extension TemporaryFolder {
    fileprivate var directory: PosixDirectory {
        get throws { try PosixDirectory(opening: path) }
    }
}
