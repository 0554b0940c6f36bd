import BrowserSessions
import DirectoryBackend
import Expectations
import StorageConformance
import StorageEngines

/// The store of an engine over a file system that forgets, tears and fails, all in this process.
@Suite("A simulated file system")
struct SimulatedFileSystemTests {
    private let window = SessionID(window: WindowID(high: 1, low: 1))

    private func open(_ disk: SimulatedFileSystem, _ engine: any FileEngine = DirectoryEngine())
        throws -> OrderedSessionStorage
    {
        try OrderedSessionStorage(
            opening: StorageConfiguration(location: "/home/profile"), engine: engine, on: disk)
    }

    /// An engine for which the store keeps checksums. It notices what it is given all the same.
    private struct ModestEngine: FileEngine {
        private let base = DirectoryEngine()
        var name: String { base.name }
        var formatVersion: Int { base.formatVersion }
        var abilities: EngineAbilities {
            EngineAbilities(durability: .powerLoss, limits: .none, findsDamage: false)
        }

        func recognizes(_ names: [String]) -> Bool { base.recognizes(names) }

        func open(_ request: OpenRequest) throws -> any OrderedByteStore {
            try base.open(request)
        }
    }

    private func save(_ number: Int, in store: OrderedSessionStorage, _ durability: Durability)
        throws
    {
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "Set \(number)"), for: window)
        let tab = TabMetadata(
            id: TabID(high: 1, low: UInt64(number)), place: .evenlySpaced(count: 100)[number],
            url: "https://example.org/\(number)")
        changes.put(tab, in: window)
        changes.put(
            [UInt8](repeating: UInt8(number), count: 3000),
            for: TabStateKey(tab: tab.id, name: .native, partition: .regular))
        _ = try store.saveBlocking(changes, durability: durability)
    }

    /// How many sets are there, all before the last of them among these.
    private func sets(
        on disk: SimulatedFileSystem, _ engine: any FileEngine = DirectoryEngine()
    ) throws -> Int {
        let store = try open(disk, engine)
        let session = try store.restoreBlocking([window]).first
        let tabs = session?.tabs ?? []
        expect(tabs.map(\.id.low), is: (0..<tabs.count).map { UInt64($0 + 1) })
        expect(session == nil || session?.provenance == .intact)
        for tab in tabs {
            let key = TabStateKey(tab: tab.id, name: .native, partition: .regular)
            let state = try store.statesBlocking(of: [key])[key]
            expect(state, is: [UInt8](repeating: UInt8(tab.id.low), count: 3000))
        }
        let report = try store.checkBlocking()
        expect(report.losses == [] && report.quarantined == [])
        try store.closeBlocking()
        return tabs.count
    }

    @Test(
        "what was acknowledged survives power cuts between any two saves, torn pages and lost names",
        arguments: [SimulatedFileSystem.Model.ordered, .strict])
    func cuts(model: SimulatedFileSystem.Model) throws {
        let disk = SimulatedFileSystem(model)
        let store = try open(disk)
        var acknowledged = 0
        var states = 0
        for number in 1...12 {
            let durability = number.isMultiple(of: 3) ? Durability.powerLoss : .processCrash
            try save(number, in: store, durability)
            if durability == .powerLoss { acknowledged = number }
            let remainders =
                [.nothing, .everything, .names, .contents]
                + (0..<12).map { SimulatedFileSystem.Remainder.sample($0) }
            for remainder in remainders {
                let found = try sets(on: disk.afterPowerCut(keeping: remainder))
                expect((acknowledged...number).contains(found))
                states += 1
            }
            expect(try sets(on: disk.afterKill()) == number)
        }
        expect(states, is: 192)
    }

    /// Each operation of a store's life fails in turn; the store has one set before, and counts what it acknowledges.
    private func failEachOperation(
        _ engine: any FileEngine = DirectoryEngine(),
        _ fail: (SimulatedFileSystem, _ operation: Int) -> Void,
        life: (SimulatedFileSystem, _ acknowledged: inout Int) throws -> Void,
        check: (SimulatedFileSystem, _ acknowledged: Int, _ operation: Int) throws -> Void
    ) throws -> Int {
        // A life without a failure has the most.
        var (operations, number) = (0, -1)
        while number < operations {
            number += 1
            let disk = SimulatedFileSystem(.strict)
            let before = try open(disk, engine)
            try save(1, in: before, .powerLoss)
            try before.closeBlocking()
            let count = disk.operations
            if number > 0 { fail(disk, number) }
            var acknowledged = 1
            do { try life(disk, &acknowledged) } catch is StorageError {}
            operations = max(operations, disk.operations - count)
            disk.heal()
            try check(disk, acknowledged, number)
        }
        return operations
    }

    @Test("a failure of any operation costs nothing that was acknowledged")
    func failures() throws {
        let code: [StorageError.Code] = [.outOfSpace, .permissionDenied, .failed]
        let operations = try failEachOperation {
            $0.fail($1, with: code[$1 % 3])
        } life: { disk, acknowledged in
            let store = try open(disk)
            for set in 2...4 {
                try save(set, in: store, .powerLoss)
                acknowledged = set
            }
            try store.closeBlocking()
        } check: { disk, acknowledged, operation in
            let found = try sets(on: disk.afterPowerCut(keeping: .nothing))
            expect(found >= acknowledged && found <= acknowledged + 1, "operation \(operation)")
        }
        expect(operations > 50)
    }

    /// A life ends at any operation, those of closing and opening among them.
    @Test("a kill or a power cut is never taken for damage by checksums")
    func checksums() throws {
        let engine = ModestEngine()
        let operations = try failEachOperation(engine) {
            $0.fail($1, forEver: true)
        } life: { disk, acknowledged in
            for set in 2...3 {
                let store = try open(disk, engine)
                try save(set, in: store, .powerLoss)
                acknowledged = set
                try store.closeBlocking()
            }
        } check: { disk, acknowledged, operation in
            let remainders: [SimulatedFileSystem.Remainder] = [
                .nothing, .names, .sample(UInt64(operation)),
            ]
            for left in remainders.map(disk.afterPowerCut) + [disk.afterKill()] {
                let found = try sets(on: left, engine)
                expect((acknowledged...acknowledged + 1).contains(found), "operation \(operation)")
            }
        }
        expect(operations > 100)
    }

    @Test("a copy is durable, unless it is not needed after a power cut", arguments: [true, false])
    func copies(durably: Bool) throws {
        let disk = SimulatedFileSystem(.strict)
        try disk.makeDirectories("/home/a/inner")
        let home = try disk.directory(at: "/home")
        let inner = try home.directory("a").directory("inner")
        try inner.replace("file", with: [1, 2, 3])
        try home.copy("a", to: "b", in: home, durably: durably)
        expect(try home.directory("b").directory("inner").read("file") == [1, 2, 3])
        try home.sync()
        let later = try disk.afterPowerCut(keeping: .nothing).directory(at: "/home")
        expect(try later.names() == ["a", "b"])
        expect(try later.directory("b").names() == (durably ? ["inner"] : []))
        let names = try disk.afterPowerCut(keeping: .names).directory(at: "/home/b/inner")
        expect(try (names.read("file") == [1, 2, 3]) == durably)
    }

    @Test("names are bytes: two that Swift takes for one text are two files")
    func strangeNames() throws {
        let disk = SimulatedFileSystem(.strict)
        try disk.makeDirectories("/home")
        let home = try disk.directory(at: "/home")
        for (number, name) in ["caf\u{E9}", "cafe\u{301}"].enumerated() {
            try home.create(name, with: [UInt8(number)])
        }
        let later = try disk.afterPowerCut(keeping: .nothing).directory(at: "/home")
        let found = try later.names().map { String(decoding: PathText.bytes($0), as: UTF8.self) }
        expect(found.map { $0.utf8.count }.sorted(), is: [5, 6])
        expect(try later.read("caf\u{E9}") == [0] && later.read("cafe\u{301}") == [1])
        try later.remove("cafe\u{301}")
        expect(try later.names().count == 1 && later.read("caf\u{E9}") == [0])
    }

    @Test("a store on a network file system is opened only by an option")
    func network() throws {
        let disk = SimulatedFileSystem(.ordered, remoteFileSystem: "NFS")
        let error = expect(throws: StorageError.self) { try open(disk) }
        expect(error?.code, is: .unsafeLocation)
        expect(error?.message.contains("NFS"), is: true)
        let store = try OrderedSessionStorage(
            opening: StorageConfiguration(
                location: "/home/profile", options: ["allowNetworkDisk": .bool(true)]),
            engine: DirectoryEngine(), on: disk)
        try save(1, in: store, .powerLoss)
        try store.closeBlocking()
    }
}
