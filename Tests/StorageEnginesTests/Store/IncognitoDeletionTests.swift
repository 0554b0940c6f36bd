import BrowserSessions
import DirectoryBackend
import Expectations
import IncognitoEncryption
import StorageConformance
import StorageEngines
import Synchronization
import TestSupport

/// Deleting incognito destroys the key, and that is the moment: before it everything is there, after
/// it nothing, whatever happens to the files.
@Suite("deletion of sealed partitions")
struct IncognitoDeletionTests {
    /// A closed store with both partitions, and the host's keys.
    private func filled(_ keys: HostKeys) async throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        let store = try await StorageBackend.directory(incognitoKeys: keys).open(folder)
        _ = try await store.save(Sample.window(tabs: 3))
        _ = try await store.save(Sample.window(tabs: 4, id: Sample.incognito))
        try await store.close()
        return folder
    }

    private func copy(_ folder: TemporaryFolder) throws -> TemporaryFolder {
        let copy = TemporaryFolder()
        try FileSystem.copy(folder.file("profile"), to: copy.file("profile"))
        return copy
    }

    private func expectGone(
        _ place: TemporaryFolder, _ keys: HostKeys
    ) async throws {
        var store = try await StorageBackend.directory(incognitoKeys: keys).open(place)
        expect(try await store.sessions() == [Sample.window])
        expect(try await store.restore(Sample.incognito) == nil)
        let report = try await store.check()
        expect(report.losses == [] && report.quarantined == [])
        expect(report.discardedIncognitoPartitions, is: 0)
        expect(keys.keys.isEmpty)
        let names = try FileSystem.contents(of: place.file("profile"))
        expect(names.filter { $0.hasPrefix("incognito") }, is: [])
        _ = try await store.save(Sample.window(tabs: 2, id: Sample.incognito))
        try await store.close()
        store = try await StorageBackend.directory(incognitoKeys: keys).open(place)
        expect(try await store.restore(Sample.incognito)?.tabs.count == 2)
        try await store.close()
    }

    @Test("a kill at any step leaves all or nothing")
    func kills() async throws {
        let keys = HostKeys()
        let folder = try await filled(keys)
        let before = HostKeys(copying: keys)
        let store = try await StorageBackend.directory(incognitoKeys: keys).open(folder)
        let atDestruction = Mutex<TemporaryFolder?>(nil)
        keys.beforeDestroying {
            let copy = TemporaryFolder()
            try? FileSystem.copy(folder.file("profile"), to: copy.file("profile"))
            atDestruction.withLock { $0 = copy }
        }
        try await store.deleteIncognito()
        try await store.close()
        let killed = try require(atDestruction.withLock { $0 })
        // The next opening destroys the key, too, if that was not done.
        try await expectGone(try copy(killed), before)

        // After the key nothing comes back, however far the removal came.
        let steps: [(String, (String) throws -> Void)] = [
            ("key", { _ in }),
            ("header", { try FileSystem.remove("\($0)/incognito.sealed") }),
            (
                "some files",
                { root in
                    let files = try LocationFiles("\(root)/incognito.removed").files
                    try FileSystem.remove("\(root)/incognito.removed/\(files[0])")
                }
            ),
            ("all files", { try FileSystem.remove("\($0)/incognito.removed") }),
        ]
        for (_, step) in steps {
            try step(killed.file("profile"))
            try await expectGone(try copy(killed), HostKeys())
        }
    }

    @Test(
        "a deletion that was interrupted while a partition was repaired is finished")
    func interrupted() async throws {
        let keys = HostKeys()
        let folder = try await filled(keys)
        // A kill leaves one store, not two.
        let kept = TemporaryFolder()
        try FileSystem.move(folder.file("profile"), to: kept.file("profile"))
        let partition = kept.file("profile/incognito")
        for rest in [[], ["repaired"], ["replaced"], ["repaired", "replaced"]] {
            let place = try copy(kept)
            try FileSystem.move(
                place.file("profile/incognito"), to: place.file("profile/incognito.removed"))
            for name in rest {
                try FileSystem.copy(partition, to: place.file("profile/incognito.\(name)"))
            }
            try await expectGone(place, HostKeys(copying: keys))
        }
    }

    @Test("a key that cannot be destroyed is reported, and destroyed later")
    func indestructible() async throws {
        let keys = HostKeys()
        let folder = try await filled(keys)
        let store = try await StorageBackend.directory(incognitoKeys: keys).open(folder)
        keys.setCannotDestroy(true)
        for _ in 1...2 {
            let error = await error { try await store.deleteIncognito() }
            expect(error?.code == .keyUnavailable && error?.effect == .applied)
            expect(error?.message.contains("'keychain'"), is: true)
            expect(try await store.sessions() == [Sample.window])
            expect(try !FileSystem.exists(folder.file("profile/incognito")))
        }
        // Nothing new is begun as long as the old key may be there.
        let refused = await errorCode {
            _ = try await store.save(Sample.window(tabs: 1, id: Sample.incognito))
        }
        expect(refused, is: .keyUnavailable)
        expect(try await store.save(Sample.window(tabs: 3)).durability == .powerLoss)
        try await store.close()
        expect(keys.keys.count, is: 1)
        let again = try await StorageBackend.directory(incognitoKeys: keys).open(folder)
        expect(try await again.check().notes.contains { $0.contains("destroyed") })
        try await again.close()

        keys.setCannotDestroy(false)
        let aside = TemporaryFolder()
        try FileSystem.move(folder.file("profile"), to: aside.file("profile"))
        try await expectGone(try copy(aside), HostKeys(copying: keys))
        try FileSystem.move(aside.file("profile"), to: folder.file("profile"))
        let last = try await StorageBackend.directory(incognitoKeys: keys).open(folder)
        expect(keys.keys.isEmpty)
        try await last.close()
    }

    @Test("the next partition has a new key")
    func newKeys() async throws {
        let (keys, folder) = (HostKeys(), TemporaryFolder())
        let store = try await StorageBackend.directory(incognitoKeys: keys).open(folder)
        var seen: Set<[UInt8]> = []
        for _ in 1...4 {
            _ = try await store.save(Sample.window(tabs: 1, id: Sample.incognito))
            _ = try await store.save(Sample.window(tabs: 2, id: Sample.incognito))
            expect(keys.keys.count, is: 1)
            for key in keys.keys.values {
                expect(seen.insert(key.withUnsafeBytes { [UInt8]($0) }).inserted)
            }
            try await store.deleteIncognito()
            expect(keys.keys.isEmpty)
        }
        try await store.close()
    }
}
