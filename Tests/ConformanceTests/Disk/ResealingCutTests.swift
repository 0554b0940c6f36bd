import BrowserSessions
import DirectoryBackend
import Expectations
import StorageConformance
import StorageEngines
import TestSupport

/// A copy gets a key of its own at its first opening. However far that came, its incognito sessions are there.
@Suite("Cuts while a copy gets a key of its own")
struct ResealingCutTests {
    private let session = SessionID(window: WindowID(high: 1, low: 1), kind: .incognito)

    private func copied(_ model: SimulatedFileSystem.Model, durably: Bool = true) throws -> (
        SimulatedFileSystem, HostKeys
    ) {
        let (disk, keys) = (SimulatedFileSystem(model), HostKeys(keyScope: "start"))
        let store = try keys.open("/home/profile", on: disk)
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "secret"), for: session)
        for (number, place) in OrderKey.evenlySpaced(count: 5).enumerated() {
            let tab = TabMetadata(
                id: TabID(high: 1, low: UInt64(number)), place: place, url: "https://a.example/")
            changes.put(tab, in: session)
        }
        _ = try store.saveBlocking(changes, durability: .powerLoss)
        _ = try store.saveBlocking(Sample.window(tabs: 3), durability: .powerLoss)
        try store.closeBlocking()
        let home = try disk.directory(at: "/home")
        try home.copy("profile", to: "copy", in: home, durably: durably)
        try home.sync()
        return (disk, keys)
    }

    private func expectWhole(
        _ disk: SimulatedFileSystem, _ path: String, _ keys: HostKeys, _ step: Int
    ) throws {
        let store = try keys.open(path, on: disk)
        expect(try store.restoreBlocking([session]).first?.tabs.count == 5, "\(path) at \(step)")
        expect(try store.checkBlocking().isHealthy, "\(path) at \(step)")
        try store.closeBlocking()
    }

    /// A copy that is removed takes its key along, if it had one, and leaves the original's.
    private func expectRemoval(_ disk: SimulatedFileSystem, _ keys: HostKeys, _ step: Int) throws {
        let isRemoved = try OrderedSessionStorage.remove(
            StorageConfiguration(location: "/home/copy"), engine: DirectoryEngine(),
            incognito: keys.protection, on: disk)
        expect(isRemoved && keys.keys.count == 1, "at \(step)")
        try expectWhole(disk, "/home/profile", keys, step)
    }

    @Test(
        "Every step of it fails, or is the last",
        arguments: [SimulatedFileSystem.Model.ordered, .strict])
    func cuts(model: SimulatedFileSystem.Model) throws {
        let (filled, filledKeys) = try copied(model)
        let (whole, wholeKeys) = (filled.copied(), HostKeys(copying: filledKeys))
        let before = whole.operations
        try wholeKeys.open("/home/copy", on: whole).closeBlocking()
        let steps = whole.operations - before
        expect(wholeKeys.keys.count == 2 && steps > 50)
        var seen: Set<[Int]> = []
        for step in 1...steps {
            let (disk, keys) = (filled.copied(), HostKeys(copying: filledKeys))
            disk.fail(step, forEver: true)
            // It may open in spite of that, with the key of the other.
            let store = try? keys.open("/home/copy", on: disk)
            // A query that fails leaves what the one before it left.
            guard seen.insert([disk.changes, keys.keys.count]).inserted else { continue }
            for cut in [.nothing, .everything, .sample(UInt64(step))]
                as [SimulatedFileSystem.Remainder]
            {
                let (later, laterKeys) = (disk.afterPowerCut(keeping: cut), HostKeys(copying: keys))
                try expectWhole(later, "/home/copy", laterKeys, step)
                try expectWhole(later, "/home/profile", laterKeys, step)
                // None is left of an attempt that did not come to its end.
                expect(laterKeys.keys.count, is: 2, "at \(step)")
                try expectRemoval(disk.afterPowerCut(keeping: cut), HostKeys(copying: keys), step)
            }
            _ = consume store
        }
    }

    /// The bytes that it dropped may be missing although a later one succeeds, also one of the other
    /// partition.
    @Test("After a failed sync of copied bytes, a save that is acknowledged survives a cut")
    func failedSyncs() throws {
        let (filled, filledKeys) = try copied(.ordered, durably: false)
        let whole = filled.copied()
        try HostKeys(copying: filledKeys).open("/home/copy", on: whole).closeBlocking()
        let survivors = try (1...(whole.operations - filled.operations)).filter { step in
            let (disk, keys) = (filled.copied(), HostKeys(copying: filledKeys))
            disk.fail(step)
            let set = Sample.window(tabs: 0, id: Sample.otherWindow)
            let copy = try? keys.open("/home/copy", on: disk)
            if (try? copy?.saveBlocking(set, durability: .powerLoss)) == nil { return false }
            let survivor = try keys.open("/home/copy", on: disk.afterPowerCut(keeping: .nothing))
            let windows = try survivor.restoreBlocking([Sample.window, Sample.otherWindow])
            expect(windows.map(\.tabs.count) == [3, 0], "at \(step)")
            return true
        }
        expect(!survivors.isEmpty)
    }
}
