import BrowserSessions
import DirectoryBackend
import IncognitoEncryption
import StorageConformance
import StorageEngines
import Synchronization
import Testing

/// A copy gets a key of its own at its first opening. However far that came, its incognito sessions are there.
@Suite("Cuts while a copy gets a key of its own")
struct ResealingCutTests {
    private let session = SessionID(window: WindowID(high: 1, low: 1), kind: .incognito)

    /// Keys of which a cut needs a copy: each cut is a future of its own.
    private final class Keys: IncognitoKeyStore {
        let name = "copied"
        let survives = Durability.powerLoss
        let keepsKeysInStore = false
        private let keys: Mutex<[IncognitoKeyID: [UInt8]]>

        init(_ other: Keys? = nil) { keys = Mutex(other?.keys.withLock { $0 } ?? [:]) }

        var count: Int { keys.withLock { $0.count } }

        func save(_ key: [UInt8], for id: IncognitoKeyID, of store: (any FileDirectory)?) {
            keys.withLock { $0[id] = key }
        }

        func key(for id: IncognitoKeyID, of store: (any FileDirectory)?) -> [UInt8]? {
            keys.withLock { $0[id] }
        }

        func destroy(_ id: IncognitoKeyID, of store: (any FileDirectory)?) {
            keys.withLock { $0[id] = nil }
        }
    }

    private func open(_ disk: SimulatedFileSystem, _ path: String, _ keys: Keys) throws
        -> OrderedSessionStorage
    {
        try OrderedSessionStorage(
            opening: StorageConfiguration(location: path), engine: DirectoryEngine(),
            incognito: IncognitoProtection(cipher: AESGCMCipher(), keyStore: keys), on: disk)
    }

    private func copied(_ model: SimulatedFileSystem.Model) throws -> (SimulatedFileSystem, Keys) {
        let (disk, keys) = (SimulatedFileSystem(model), Keys())
        let store = try open(disk, "/home/profile", keys)
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "secret"), for: session)
        for (number, place) in OrderKey.evenlySpaced(count: 5).enumerated() {
            let tab = TabMetadata(
                id: TabID(high: 1, low: UInt64(number)), place: place, url: "https://a.example/")
            changes.put(tab, in: session)
        }
        _ = try store.saveBlocking(changes, durability: .powerLoss)
        try store.closeBlocking()
        let home = try disk.directory(at: "/home")
        try home.copy("profile", to: "copy", in: home)
        try home.sync()
        return (disk, keys)
    }

    private func expectWhole(
        _ disk: SimulatedFileSystem, _ path: String, _ keys: Keys, _ step: Int
    ) throws {
        let store = try open(disk, path, keys)
        #expect(try store.restoreBlocking([session]).first?.tabs.count == 5, "\(path) at \(step)")
        #expect(try store.checkBlocking().isHealthy, "\(path) at \(step)")
        try store.closeBlocking()
    }

    @Test(
        "Every step of it fails, or is the last",
        arguments: [SimulatedFileSystem.Model.ordered, .strict])
    func cuts(model: SimulatedFileSystem.Model) throws {
        let (whole, wholeKeys) = try copied(model)
        let before = whole.operations
        try open(whole, "/home/copy", wholeKeys).closeBlocking()
        let steps = whole.operations - before
        #expect(wholeKeys.count == 2 && steps > 50)
        for step in 1...steps {
            let (disk, keys) = try copied(model)
            disk.fail(step, forEver: true)
            // It may open in spite of that, with the key of the other.
            let store = try? open(disk, "/home/copy", keys)
            for cut in [.nothing, .everything, .sample(UInt64(step))]
                as [SimulatedFileSystem.Remainder]
            {
                let (later, laterKeys) = (disk.afterPowerCut(keeping: cut), Keys(keys))
                try expectWhole(later, "/home/copy", laterKeys, step)
                try expectWhole(later, "/home/profile", laterKeys, step)
                // None is left of an attempt that did not come to its end.
                #expect(laterKeys.count == 2, "at \(step)")
            }
            _ = consume store
        }
    }
}
