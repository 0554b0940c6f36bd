import BrowserSessions
import DirectoryBackend
import Expectations
import Foundation
import StorageConformance
import StorageEngines
import TestSupport

/// Copies, backups and moved stores: what one of them does with its incognito sessions never costs another
/// its own.
@Suite("copied stores")
struct CopiedStoreTests {
    /// A store `profile` with both partitions, closed, and the keys of a host.
    private struct Filled {
        let folder = TemporaryFolder()
        let keys = HostKeys(survives: .processCrash)

        init() async throws {
            keys.setKeyScope("start-1")
            let store = try await open("profile")
            _ = try await store.save(Sample.window(tabs: 3))
            var changes = Sample.window(tabs: 4, id: Sample.incognito)
            changes.put([1, 2, 3], for: Filled.state)
            _ = try await store.save(changes)
            try await store.close()
        }

        static let state = TabStateKey(tab: Sample.tab(1).id, name: .native, partition: .incognito)

        func open(
            _ name: String, options: [String: OptionValue] = [:]
        ) async throws -> any SessionStorage {
            try await StorageBackend.directory(incognitoKeys: keys).open(
                folder, name, options: options)
        }

        func copy(_ name: String, to other: String) throws {
            try FileSystem.copy(folder.file(name), to: folder.file(other))
        }

        func move(_ name: String, to other: String) throws {
            try FileSystem.move(folder.file(name), to: folder.file(other))
        }

        /// Whether all incognito sessions can be read.
        func reads(_ store: any SessionStorage) async throws -> Bool {
            let tabs = try await store.restore(Sample.incognito)?.tabs.count
            let state = try await store.state(of: Filled.state)
            return tabs == 4 && state == [1, 2, 3]
        }

        func reads(_ name: String) async throws -> Bool {
            let store = try await open(name)
            let answer = try await reads(store)
            expect(try await store.check().isHealthy)
            try await store.close()
            return answer
        }

        func delete(_ name: String) async throws {
            let store = try await open(name)
            try await store.deleteIncognito()
            try await store.close()
        }
    }

    @Test("a copy gets a key of its own, and each deletes its own")
    func copy() async throws {
        let filled = try await Filled()
        try filled.copy("profile", to: "copy")
        let copy = try await filled.open("copy")
        expect(try await filled.reads(copy))
        expect(try await copy.check().notes.contains { $0.contains("has a key of its own now") })
        expect(filled.keys.keys.count, is: 2)
        try await copy.close()
        expect(try await filled.reads("copy"))
        expect(filled.keys.keys.count, is: 2)
        try await filled.delete("copy")
        expect(filled.keys.keys.count, is: 1)
        expect(try await filled.reads("profile"))
        try await filled.delete("profile")
        expect(filled.keys.keys.isEmpty)
    }

    @Test("a copy that is made and opened while the store is open")
    func copyOfOpenStore() async throws {
        let filled = try await Filled()
        let store = try await filled.open("profile")
        try filled.copy("profile", to: "copy")
        try await filled.delete("copy")
        expect(try await filled.reads(store))
        _ = try await store.save(Sample.window(tabs: 4, id: Sample.incognito))
        try await store.close()
        expect(try await filled.reads("profile"))
    }

    @Test("a copy that was never opened is removed without the key")
    func removedCopy() async throws {
        let filled = try await Filled()
        try filled.copy("profile", to: "copy")
        let configuration = StorageConfiguration(location: filled.folder.file("copy"))
        expect(
            try await StorageBackend.directory(incognitoKeys: filled.keys).remove(
                configuration))
        expect(try await filled.reads("profile"))
    }

    @Test("a store takes its key along when it is moved or restored")
    func moved() async throws {
        for isCopied in [false, true] {
            let filled = try await Filled()
            if isCopied {
                try filled.copy("profile", to: "other")
                try FileSystem.remove(filled.folder.file("profile"))
            } else {
                try filled.move("profile", to: "other")
            }
            expect(try await filled.reads("other"))
            expect(filled.keys.keys.count, is: 1)
            // A backup of it, at the old place, is the copy now.
            try filled.copy("other", to: "profile")
            try await filled.delete("profile")
            expect(try await filled.reads("other"))
            try await filled.delete("other")
            expect(filled.keys.keys.isEmpty)
        }
    }

    @Test("a store that was moved behind its copy's back is the copy")
    func movedBehindCopy() async throws {
        let filled = try await Filled()
        try filled.copy("profile", to: "copy")
        try filled.move("profile", to: "other")
        expect(try await filled.reads("copy"))
        expect(try await filled.reads("other"))
        expect(filled.keys.keys.count, is: 2)
        try await filled.delete("copy")
        expect(try await filled.reads("other"))
    }

    @Test("a link to a store is no copy of it")
    func link() async throws {
        let filled = try await Filled()
        try filled.move("profile", to: "other")
        try FileManager.default.createSymbolicLink(
            atPath: filled.folder.file("profile"),
            withDestinationPath: filled.folder.file("other"))
        expect(try await filled.reads("other"))
        expect(filled.keys.keys.count, is: 1)
        try await filled.delete("other")
        expect(filled.keys.keys.isEmpty)
    }

    @Test("a copy that may only be read stays as it is")
    func readOnly() async throws {
        let filled = try await Filled()
        try filled.copy("profile", to: "copy")
        let before = try LocationFiles(filled.folder.file("copy"))
        let copy = try await filled.open("copy", options: ["access": .text("readOnly")])
        expect(try await filled.reads(copy))
        try await copy.close()
        expect(try LocationFiles(filled.folder.file("copy")) == before)
        expect(filled.keys.keys.count, is: 1)
    }

    @Test("a partition that cannot be opened makes way and is reported")
    func unreadable() async throws {
        for hasHeader in [true, false] {
            let filled = try await Filled()
            if hasHeader {
                filled.keys.forgetKeys()
            } else {
                for name in ["incognito.sealed", "incognito-copy.sealed"] {
                    try FileSystem.remove(filled.folder.file("profile/\(name)"))
                }
            }
            var store = try await filled.open("profile")
            expect(try await store.sessions() == [Sample.window])
            expect(store.traits.incognitoProblem != nil)
            var report = try await store.check()
            expect(!report.isHealthy && report.incognitoProblem == store.traits.incognitoProblem)
            _ = try await store.save(Sample.window(tabs: 2, id: Sample.incognito))
            expect(store.traits.incognitoProblem == nil)
            try await store.close()
            store = try await filled.open("profile")
            expect(try await store.restore(Sample.incognito)?.tabs.count == 2)
            report = try await store.check()
            expect(report.isHealthy && report.quarantined.count == 1)
            let item = try require(report.quarantined.first)
            expect(try FileSystem.contents(of: item).contains("incognito"))
            try await store.deleteIncognito()
            expect(try await store.check().quarantined == [])
            try await store.close()
        }
    }

    @Test("a repair sets aside what cannot be opened")
    func repair() async throws {
        let filled = try await Filled()
        filled.keys.forgetKeys()
        let store = try await filled.open("profile")
        let report = try await store.repair()
        expect(report.isHealthy && report.quarantined.count == 1)
        expect(report.notes.contains { $0.contains("was set aside") })
        try await store.close()
    }
}
