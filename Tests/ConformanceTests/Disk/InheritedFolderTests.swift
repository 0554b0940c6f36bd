import BrowserSessions
import DirectoryBackend
import Expectations
import StorageConformance
import StorageEngines

/// Folders that a host made, or an opening that was killed, need not be durable. A store in one is.
@Suite("A store in folders that were made before")
struct InheritedFolderTests {
    private let session = SessionID(window: WindowID(high: 1, low: 1))

    private func open(_ disk: SimulatedFileSystem, create: Bool = true) throws
        -> OrderedSessionStorage
    {
        try OrderedSessionStorage(
            opening: StorageConfiguration(
                location: "/home/app/profile", options: ["create": .bool(create)]),
            engine: DirectoryEngine(), on: disk)
    }

    @Test(
        "A power cut after an acknowledged save leaves it",
        arguments: [SimulatedFileSystem.Model.ordered, .strict], 0...3)
    func cut(model: SimulatedFileSystem.Model, made: Int) throws {
        let disk = SimulatedFileSystem(model)
        var folder = try disk.directory(at: "/")
        for name in ["home", "app", "profile"].prefix(made) {
            try folder.makeDirectory(name)
            folder = try folder.directory(name)
        }
        let store = try open(disk)
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "kept"), for: session)
        _ = try store.saveBlocking(changes, durability: .powerLoss)
        for rest in [.nothing, .names, .contents, .sample(7)] as [SimulatedFileSystem.Remainder] {
            let later = try open(disk.afterPowerCut(keeping: rest), create: false)
            expect(try later.restoreBlocking([session]).first?.attributes.title == "kept")
            expect(try later.checkBlocking().isHealthy)
            try later.closeBlocking()
        }
        try store.closeBlocking()
    }
}
