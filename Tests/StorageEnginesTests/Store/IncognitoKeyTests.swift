import BrowserSessions
import DirectoryBackend
import Expectations
import Foundation
import IncognitoEncryption
import StorageConformance
import StorageEngines
import TestSupport

/// Where the key is, what is promised because of it, and what happens when it is not to be had.
@Suite("keys of sealed partitions")
struct IncognitoKeyTests {
    private static let keyStores =
        ["file", "memory"] + (KeyringKeyStore.isUsable ? ["keyring"] : [])

    private func options(_ keyStore: String) -> [String: OptionValue] {
        ["incognitoKeys": .text(keyStore)]
    }

    @Test("traits and receipts are true", arguments: keyStores)
    func promises(keyStore: String) async throws {
        let folder = TemporaryFolder()
        let store = try await StorageBackend.directory.open(folder, options: options(keyStore))
        let survives: [String: Durability] = [
            "file": .powerLoss, "keyring": .processCrash, "memory": .memory,
        ]
        let level = try require(survives[keyStore])
        expect(store.traits.incognitoErasure, is: .sealed)
        expect(
            store.traits.incognitoSealing,
            is: StorageTraits.Sealing(
                cipher: "AES-256-GCM", keyStore: keyStore, survives: level,
                keyLiesInStore: keyStore == "file"))
        expect(store.traits.incognitoDurability, is: level)
        for wanted in Durability.allCases where wanted <= .powerLoss {
            let changes = Sample.window(tabs: 2, id: Sample.incognito)
            let receipt = try await store.save(changes, durability: wanted)
            expect(receipt.durability, is: min(max(wanted, .processCrash), level))
            expect(receipt.durability <= store.traits.incognitoDurability)
        }
        expect(try await store.save(SessionChanges()).durability == .powerLoss)
        expect(try FileSystem.exists(folder.file("profile/incognito.key")) == (keyStore == "file"))
        try await store.deleteIncognito()
        try await store.close()
    }

    @Test(
        "the keyring keeps no key of a folder that a suite gives up, and those of its neighbors",
        .enabled(if: KeyringKeyStore.isUsable))
    func givenUp() async throws {
        let folder = TemporaryFolder()
        for name in ["profile", "profile2"] {
            let store = try await StorageBackend.directory.open(
                folder, name, options: options("keyring"))
            _ = try await store.save(Sample.window(tabs: 1, id: Sample.incognito))
            try await store.close()
        }
        expect(KeyringKeys.remove(ofStoresAt: folder.file("pro")), is: 0)
        expect(KeyringKeys.remove(ofStoresAt: folder.file("profile")), is: 1)
        for (name, isThere) in [("profile", false), ("profile2", true)] {
            let store = try await StorageBackend.directory.open(
                folder, name, options: options("keyring"))
            expect(store.traits.incognitoProblem == nil || !isThere)
            expect(try await store.sessions() == (isThere ? [Sample.incognito] : []))
            try await store.close()
        }
        expect(KeyringKeys.remove(ofStoresAt: folder.path), is: 1)
    }

    @Test(
        "the folder of a test takes its keys along while others come and go",
        .enabled(if: KeyringKeyStore.isUsable))
    func gone() async throws {
        let (ended, end) = AsyncStream<Void>.makeStream()
        // A task would hold one of the few threads that all tasks share.
        let others = Thread {
            let (id, keys) = (IncognitoKeyID.random(), KeyringKeyStore())
            while !Thread.current.isCancelled {
                try? keys.save(SecretBytes(copying: [1]), for: id, of: nil)
                try? keys.destroy(id, of: nil)
            }
            end.finish()
        }
        others.start()
        var paths: [String] = []
        for _ in 0..<30 {
            let folder = TemporaryFolder()
            let store = try await StorageBackend.directory.open(folder, options: options("keyring"))
            _ = try await store.save(Sample.window(tabs: 1, id: Sample.incognito))
            try await store.close()
            paths.append(folder.path)
        }
        others.cancel()
        for await _ in ended {}
        expect(paths.filter { KeyringKeys.remove(ofStoresAt: $0) > 0 }, is: [])
    }

    @Test("a partition survives a kill as its key does", arguments: keyStores)
    func kill(keyStore: String) async throws {
        let (folder, killed) = (TemporaryFolder(), TemporaryFolder())
        let store = try await StorageBackend.directory.open(folder, options: options(keyStore))
        var changes = Sample.window(tabs: 3, id: Sample.incognito)
        let key = TabStateKey(tab: Sample.tab(1).id, name: .native, partition: .incognito)
        changes.put([1, 2, 3], for: key)
        _ = try await store.save(changes)
        try FileSystem.copy(folder.file("profile"), to: killed.file("profile"))
        // Another value of the backend, as in another process.
        let again = try await StorageBackend.directory(incognitoKeys: MemoryKeyStore()).open(killed)
        let survives = keyStore != "memory"
        expect(try await again.sessions() == (survives ? [Sample.incognito] : []))
        expect(try await again.state(of: key) == (survives ? [1, 2, 3] : nil))
        expect(try await again.check().discardedIncognitoPartitions == (survives ? 0 : 1))
        // The partition keeps its key store; the next one has the opener's.
        let own = survives ? keyStore : "memory"
        expect(again.traits.incognitoSealing?.keyStore, is: own)
        try await again.deleteIncognito()
        expect(again.traits.incognitoSealing?.keyStore, is: "memory")
        try await again.close()
        try await store.deleteIncognito()
        try await store.close()
    }

    @Test("a key that cannot be had costs the incognito partition alone")
    func unavailable() async throws {
        let (keys, folder) = (HostKeys(), TemporaryFolder())
        let store = try await StorageBackend.directory(incognitoKeys: keys).open(folder)
        _ = try await store.save(Sample.window(tabs: 3))
        _ = try await store.save(Sample.window(tabs: 3, id: Sample.incognito))
        expect(store.traits.incognitoProblemCode == nil)
        try await store.close()
        func partition() throws -> [String: [UInt8]] {
            try LocationFiles(folder.path).entries.filter { $0.key.hasPrefix("profile/incognito") }
        }
        let before = try partition()
        func refusal(
            _ store: any SessionStorage, _ code: StorageError.Code, _ words: String...
        ) async throws {
            expect(try await store.sessions() == [Sample.window])
            expect(try await store.summaries().map(\.id) == [Sample.window])
            expect(try await store.restore(Sample.window)?.tabs.count == 3)
            _ = try await store.save(Sample.window(tabs: 3))
            let key = TabStateKey(tab: Sample.tab(1).id, name: .native, in: Sample.incognito)
            let calls: [() async throws -> Void] = [
                { _ = try await store.restore(Sample.incognito) },
                { _ = try await store.restore([Sample.window, Sample.incognito]) },
                { _ = try await store.save(Sample.window(tabs: 1, id: Sample.incognito)) },
                { _ = try await store.state(of: key) },
                { _ = try await store.stateKeys(in: Sample.incognito) },
            ]
            for call in calls {
                let error = await error(call)
                expect(error?.code == code && error?.effect == .notApplied)
                for word in words { expect(error?.message.contains(word), is: true) }
            }
            let report = try await store.check()
            expect(!report.isHealthy && report.discardedIncognitoPartitions == 0)
            expect(report.incognitoProblem, is: store.traits.incognitoProblem)
            expect(store.traits.incognitoProblemCode, is: code)
            for word in words { expect(report.incognitoProblem?.contains(word), is: true) }
            expect(report.notes.contains { $0.contains("incognito partition is not available") })
            try await store.close()
            expect(try partition() == before)
        }
        try await refusal(
            StorageBackend.directory.open(folder), .keyUnavailable, "'keychain'", "file",
            "Nothing was")
        try await refusal(
            StorageBackend.directory(incognitoKeys: HostKeys("other")).open(folder),
            .keyUnavailable, "'keychain'", "other")
        keys.setLocked(true)
        try await refusal(
            StorageBackend.directory(incognitoKeys: keys).open(folder), .keyUnavailable,
            "'keychain'", "keychain is locked")
        keys.setLocked(false)
        keys.exchangeKeys()
        try await refusal(
            StorageBackend.directory(incognitoKeys: keys).open(folder), .keyUnavailable,
            "'keychain'", "another key")
        keys.exchangeKeys()
        let unsealed = try OrderedSessionStorage(
            opening: StorageConfiguration(location: folder.file("profile")),
            engine: DirectoryEngine())
        try await refusal(unsealed, .incompatibleFormat, "encrypted")
        keys.setLocked(true)
        let again = try await StorageBackend.directory(incognitoKeys: keys).open(folder)
        expect(await errorCode { _ = try await again.restore(Sample.incognito) } == .keyUnavailable)
        // Each call asks again.
        keys.setLocked(false)
        expect(try await again.restore(Sample.incognito)?.tabs.count == 3)
        expect(try await again.sessions().count == 2)
        expect(again.traits.incognitoProblemCode == nil)
        try await again.close()
        keys.setLocked(true)
        let last = try await StorageBackend.directory(incognitoKeys: keys).open(folder)
        expect(await errorCode { try await last.deleteIncognito() } == .keyUnavailable)
        keys.setLocked(false)
        try await last.deleteIncognito()
        expect(try await last.restore(Sample.incognito) == nil && keys.keys.isEmpty)
        // A save that cannot keep its key changes nothing.
        keys.setLocked(true)
        let unsaved = await error {
            _ = try await last.save(Sample.window(tabs: 1, id: Sample.incognito))
        }
        expect(unsaved?.code == .keyUnavailable && unsaved?.effect == .notApplied)
        expect(try await last.sessions() == [Sample.window])
        keys.setLocked(false)
        _ = try await last.save(Sample.window(tabs: 1, id: Sample.incognito))
        expect(keys.keys.count, is: 1)
        try await last.close()
    }

    @Test("a key store that hangs holds up the incognito partition alone")
    func hanging() async throws {
        let (keys, folder) = (HostKeys(), TemporaryFolder())
        func open() throws -> OrderedSessionStorage {
            var protection = IncognitoProtection(cipher: AESGCMCipher(), keyStore: keys)
            protection.timeout = .milliseconds(250)
            return try OrderedSessionStorage(
                opening: StorageConfiguration(location: folder.file("profile")),
                engine: DirectoryEngine(), incognito: protection)
        }
        let store = try open()
        _ = try await store.save(Sample.window(tabs: 3))
        keys.hang()
        let save = Task {
            await error { _ = try await store.save(Sample.window(tabs: 1, id: Sample.incognito)) }
        }
        _ = try await store.save(Sample.window(tabs: 4))
        expect(await save.value?.code == .keyUnavailable)
        keys.goOn()
        _ = try await store.save(Sample.window(tabs: 3, id: Sample.incognito))
        try await store.close()
        keys.hang()
        let again = try open()
        expect(try await again.restore(Sample.window)?.tabs.count == 4)
        let reading = await error { _ = try await again.restore(Sample.incognito) }
        expect(reading?.code, is: .keyUnavailable)
        expect(reading?.message.contains("did not answer within 0.25 seconds"), is: true)
        keys.goOn()
        expect(try await again.restore(Sample.incognito)?.tabs.count == 3)
        keys.hang()
        expect(await errorCode { try await again.deleteIncognito() } == .keyUnavailable)
        expect(try await again.sessions() == [Sample.window])
        for _ in 1...3 {
            expect(await errorCode { try await again.deleteIncognito() } == .keyUnavailable)
        }
        expect(keys.mostCallsUnderWay, is: 1)
        keys.goOn()
        try await again.deleteIncognito()
        try await again.close()
    }

    @Test("a key that is not seen is lost only after the end of its scope")
    func keyScopes() async throws {
        let (keys, folder) = (HostKeys(survives: .processCrash), TemporaryFolder())
        keys.setKeyScope("start-1")
        let store = try await StorageBackend.directory(incognitoKeys: keys).open(folder)
        _ = try await store.save(Sample.window(tabs: 3, id: Sample.incognito))
        try await store.close()
        let elsewhere = HostKeys(copying: keys)
        elsewhere.setKeyScope("start-1")
        elsewhere.forgetKeys()
        let other = try await StorageBackend.directory(incognitoKeys: elsewhere).open(folder)
        expect(await errorCode { _ = try await other.restore(Sample.incognito) } == .keyUnavailable)
        expect(try await other.check().discardedIncognitoPartitions == 0)
        try await other.close()
        let again = try await StorageBackend.directory(incognitoKeys: keys).open(folder)
        expect(try await again.restore(Sample.incognito)?.tabs.count == 3)
        try await again.close()
        elsewhere.setKeyScope("start-2")
        let later = try await StorageBackend.directory(incognitoKeys: elsewhere).open(folder)
        expect(try await later.sessions() == [])
        expect(try await later.check().discardedIncognitoPartitions == 1)
        try await later.close()
    }

    @Test(
        "the files of a sealed partition tell no count and no exact length")
    func whatShows() async throws {
        let folder = TemporaryFolder()
        let store = try await StorageBackend.directory.open(folder)
        for number in 0..<12 {
            var changes = SessionChanges()
            changes.put(SessionAttributes(), for: Sample.incognito)
            var tab = Sample.tab(number)
            tab.title = String(repeating: "x", count: number)
            changes.put(tab, in: Sample.incognito)
            _ = try await store.save(changes)
        }
        try await store.close()
        let mark = try FileSystem.read(folder.file("profile/incognito.closed"))
        expect(mark.split(separator: UInt8(ascii: " ")).first?.count ?? 0 > 60)
        let lengths = Set(try tamper(folder.file("profile/incognito")) { $1 }.values.map(\.count))
        expect(lengths.count, is: 1, "\(lengths)")
    }

    @Test("one of the two headers is enough")
    func copyOfHeader() async throws {
        for name in ["incognito.sealed", "incognito-copy.sealed"] {
            let folder = TemporaryFolder()
            var store = try await StorageBackend.directory.open(folder)
            _ = try await store.save(Sample.window(tabs: 3, id: Sample.incognito))
            try await store.close()
            try LocationFiles.overwrite(
                folder.file("profile/\(name)"), with: [UInt8](repeating: 0, count: 300))
            store = try await StorageBackend.directory.open(folder)
            expect(try await store.sessions() == [Sample.incognito])
            try await store.deleteIncognito()
            try await store.close()
            let names = try FileSystem.contents(of: folder.file("profile"))
            expect(names.filter { $0.hasPrefix("incognito") }, is: [])
        }
    }

    @Test(
        "without the file of its key a partition stays, and can be read again",
        arguments: [nil, [UInt8](repeating: 0, count: 300)])
    func keyFile(damage: [UInt8]?) async throws {
        let folder = TemporaryFolder()
        let file = folder.file("profile/incognito.key")
        func open() async throws -> any SessionStorage {
            try await StorageBackend.directory.open(folder, options: options("file"))
        }
        var store = try await open()
        _ = try await store.save(Sample.window(tabs: 4, id: Sample.incognito))
        try await store.close()
        let key = try FileSystem.read(file)
        for isSaved in [false, true] {
            try FileSystem.remove(file)
            if let damage { try LocationFiles.overwrite(file, with: damage) }
            store = try await open()
            expect(try await store.sessions() == [])
            let report = try await store.check()
            expect(report.discardedIncognitoPartitions == 0 && !report.isHealthy)
            expect(report.incognitoProblem?.contains("put its file back"), is: true)
            if isSaved { _ = try await store.save(Sample.window(tabs: 1, id: Sample.incognito)) }
            expect(try await store.check().quarantined.count == (isSaved ? 1 : 0))
            try await store.close()
            guard !isSaved else { continue }
            try LocationFiles.overwrite(file, with: key)
            store = try await open()
            expect(try await store.restore(Sample.incognito)?.tabs.count == 4)
            try await store.close()
        }
    }

    @Test("without its headers a partition cannot be read, and stays")
    func header() async throws {
        for damage in [[], [UInt8](repeating: 0, count: 300)] {
            let folder = TemporaryFolder()
            var store = try await StorageBackend.directory.open(folder)
            _ = try await store.save(Sample.window(tabs: 3))
            _ = try await store.save(Sample.window(tabs: 3, id: Sample.incognito))
            try await store.close()
            for name in ["incognito.sealed", "incognito-copy.sealed"] {
                try FileSystem.remove(folder.file("profile/\(name)"))
                if !damage.isEmpty {
                    try LocationFiles.overwrite(folder.file("profile/\(name)"), with: damage)
                }
            }
            store = try await StorageBackend.directory.open(folder)
            expect(try await store.sessions() == [Sample.window])
            let report = try await store.check()
            expect(report.discardedIncognitoPartitions == 0 && report.quarantined == [])
            let code = await errorCode { _ = try await store.restore(Sample.incognito) }
            expect(code, is: .corrupted)
            expect(try FileSystem.exists(folder.file("profile/incognito")))
            try await store.deleteIncognito()
            expect(try await store.restore(Sample.incognito) == nil)
            try await store.close()
            let names = try FileSystem.contents(of: folder.file("profile"))
            expect(names.filter { $0.hasPrefix("incognito") }, is: [])
        }
    }

    @Test("changed, exchanged and missing records are noticed")
    func tampering() async throws {
        let folder = TemporaryFolder()
        let partition = folder.file("profile/incognito")
        var store = try await StorageBackend.directory.open(folder)
        var changes = Sample.window(tabs: 6, id: Sample.incognito)
        let key = TabStateKey(tab: Sample.tab(2).id, name: .native, partition: .incognito)
        changes.put([UInt8](repeating: 5, count: 500), for: key)
        _ = try await store.save(changes)
        try await store.close()
        let records = try tamper(partition) { $1 }
        expect(records.keys.allSatisfy { $0.count == 16 })
        for (name, other) in zip(records.keys, records.values.dropFirst()) {
            let flipped = records[name]?.flipped ?? []
            for tampering in [flipped, other, nil] {
                let place = TemporaryFolder()
                try FileSystem.copy(folder.file("profile"), to: place.file("profile"))
                try tamper(place.file("profile/incognito")) { key, value in
                    key == name ? tampering : value
                }
                try await expectNoticed(try await StorageBackend.directory.open(place))
            }
        }

        try tamper(partition, space: .state) { $1.flipped }
        store = try await StorageBackend.directory.open(folder)
        expect(await errorCode { _ = try await store.state(of: key) } == .corrupted)
        expect(try await store.restore(Sample.incognito)?.tabs.count == 6)
        expect(try await store.check().losses.map(\.kind) == [.state])
        expect(try await store.repair().quarantined == [])
        expect(try await store.state(of: key) == nil)
        try await store.deleteIncognito()
        try await store.close()
    }

    /// A damaged record of six tabs is reported, also if an older, equal one could take its place.
    private func expectNoticed(_ store: any SessionStorage) async throws {
        let report = try await store.check()
        let restored = try? await store.restore(Sample.incognito)
        let tabs = (0..<6).map { Sample.tab($0) }
        if report.losses == [] {
            expect(report.notes.contains { $0.contains("sealed records do not open") })
            expect(restored?.tabs, is: tabs)
        } else {
            expect(restored?.provenance != .intact)
        }
        for tab in restored?.tabs ?? [] { expect(tabs.contains(tab)) }
        _ = try await store.repair()
        expect(try await store.check().losses == [])
        try await store.close()
    }
}

/// Gives all records of a closed partition other values behind the back of the core, or none; returns
/// what they were.
@discardableResult
private func tamper(
    _ partition: String, space: KeySpace = .metadata,
    _ edit: (_ key: [UInt8], _ value: [UInt8]) -> [UInt8]?
) throws -> [[UInt8]: [UInt8]] {
    let store = try DirectoryEngine().open(
        OpenRequest(PosixDirectory(opening: partition), wasClosed: false))
    var (batch, records) = (ByteBatch(), [[UInt8]: [UInt8]]())
    try store.scan(space, prefix: []) { key, value in
        let (key, value) = ([UInt8](key), [UInt8](value))
        records[key] = value
        guard let new = edit(key, value) else { return batch.remove(key, in: space) }
        if new != value { batch.put(new, for: key, in: space) }
    }
    if !batch.operations.isEmpty { try store.write(batch, durably: true) }
    try store.close()
    return records
}

extension [UInt8] {
    /// With one bit changed in the middle.
    fileprivate var flipped: [UInt8] {
        var bytes = self
        if !isEmpty { bytes[count / 2] ^= 0x10 }
        return bytes
    }
}
