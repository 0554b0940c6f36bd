import BrowserSessions
import DirectoryBackend
import Expectations
import Foundation
import IncognitoEncryption
import StorageConformance
import StorageEngines
import Synchronization
import TestSupport

/// Stores that are removed with the key of their incognito partition. The rest is the suite's REMOVE.
@Suite("removal")
struct RemovalTests {
    /// A closed store with both partitions, something set aside, and the host's keys.
    private func filled(_ keys: HostKeys) async throws -> TemporaryFolder {
        let backend = StorageBackend.directory(incognitoKeys: keys)
        let folder = try await backend.damagedStore()
        let store = try await backend.open(folder)
        _ = try await store.save(Sample.window(tabs: 3))
        _ = try await store.save(Sample.window(tabs: 4, id: Sample.incognito))
        try await store.close()
        expect(try FileSystem.exists(folder.file("profile/quarantine")))
        return folder
    }

    private func place(_ folder: TemporaryFolder) -> StorageConfiguration {
        StorageConfiguration(location: folder.file("profile"))
    }

    /// No opener finds a store, and a new one is empty.
    private func requireNone(_ backend: StorageBackend, _ folder: TemporaryFolder) async throws {
        expect(try !backend.hasStore(at: folder.file("profile")))
        let store = try await backend.open(folder)
        expect(try await store.sessions() == [])
        expect(try await store.check().isHealthy)
        try await store.close()
    }

    @Test("a key that cannot be destroyed keeps the whole store")
    func keys() async throws {
        let keys = HostKeys()
        let folder = try await filled(keys)
        let before = try LocationFiles(folder.file("profile"))
        keys.setCannotDestroy(true)
        let refusal = await error {
            _ = try await StorageBackend.directory(incognitoKeys: keys).remove(place(folder))
        }
        expect(refusal?.code == .keyUnavailable && refusal?.effect == .notApplied)
        keys.setCannotDestroy(false)
        let unknown = await error { _ = try await StorageBackend.directory.remove(place(folder)) }
        expect(unknown?.code == .keyUnavailable && unknown?.effect == .notApplied)
        expect(unknown?.message.contains("'keychain'"), is: true)
        expect(try LocationFiles(folder.file("profile")).difference(from: before) == nil)
        expect(keys.keys.count, is: 1)
        // Deleting incognito gives the key up.
        let store = try await StorageBackend.directory.open(folder)
        expect(await errorCode { try await store.deleteIncognito() } == .keyUnavailable)
        try await store.close()
        expect(try await StorageBackend.directory.remove(place(folder)))
        expect(try FileSystem.contents(of: folder.path) == [])
    }

    @Test("the next opener ends a removal that was killed")
    func kills() async throws {
        let keys = HostKeys()
        let folder = try await filled(keys)
        let held = HostKeys(copying: keys)
        let atDestruction = Mutex<TemporaryFolder?>(nil)
        keys.beforeDestroying {
            let copy = TemporaryFolder()
            try? FileSystem.copy(folder.file("profile"), to: copy.file("profile"))
            atDestruction.withLock { $0 = copy }
        }
        expect(try await StorageBackend.directory(incognitoKeys: keys).remove(place(folder)))
        let killed = try require(atDestruction.withLock { $0 })
        func copy() throws -> TemporaryFolder {
            let copy = TemporaryFolder()
            try FileSystem.copy(killed.file("profile"), to: copy.file("profile"))
            return copy
        }
        // As the files went, one after another.
        var names = try FileSystem.contents(of: killed.file("profile"))
        names.removeAll { $0 == "store.removed" }
        names.sort { !$0.hasPrefix("store") && $1.hasPrefix("store") }
        for count in 0...names.count {
            if count > 0 { try FileSystem.remove(killed.file("profile/\(names[count - 1])")) }
            // Without the key it is not ended, as long as the partition is there.
            let rest = try FileSystem.contents(of: killed.file("profile"))
            let (other, missing) = (
                try copy(), StorageBackend.directory(incognitoKeys: HostKeys("other"))
            )
            if rest.contains(where: { ["incognito", "incognito.closed"].contains($0) }),
                rest.contains(where: { $0.hasSuffix(".sealed") })
            {
                expect(await errorCode { _ = try await missing.open(other) } == .keyUnavailable)
            } else {
                try await requireNone(missing, other)
            }
            let opened = HostKeys(copying: held)
            try await requireNone(StorageBackend.directory(incognitoKeys: opened), copy())
            if count == 0 { expect(opened.keys.isEmpty) }
            let removed = HostKeys(copying: held)
            let place = try copy()
            expect(
                try await StorageBackend.directory(incognitoKeys: removed).remove(
                    self.place(place)), "\(count)")
            expect(try FileSystem.contents(of: place.path) == [])
            // A reader sees that there is none, and changes nothing.
            let read = try copy()
            let before = try LocationFiles(read.path)
            var configuration = self.place(read)
            configuration.options["access"] = .text("readOnly")
            let refusal = await errorCode { [configuration] in
                _ = try await StorageBackend.directory(incognitoKeys: held).open(configuration)
            }
            expect(refusal, is: .notFound, "\(count)")
            expect(try LocationFiles(read.path) == before)
        }
    }
}
