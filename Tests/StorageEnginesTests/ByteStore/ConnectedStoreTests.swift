import BrowserSessions
import Expectations
import StorageEngines
import Synchronization

/// What a store makes of an engine with a place of its own that does not do what it should.
struct ConnectedStoreTests {
    private let engine = StrangeConnectedEngine()
    private let window = SessionID(window: WindowID(high: 1, low: 1))
    private let other = SessionID(window: WindowID(high: 1, low: 1), kind: .incognito)

    private func open(_ engine: StrangeConnectedEngine? = nil) throws -> OrderedSessionStorage {
        try OrderedSessionStorage(
            opening: StorageConfiguration(location: "somewhere"), engine: engine ?? self.engine)
    }

    private func changes(_ count: Int, in session: SessionID? = nil, bytes: Int = 0)
        -> SessionChanges
    {
        var changes = SessionChanges()
        for (number, place) in OrderKey.evenlySpaced(count: count).enumerated() {
            let id = TabID(high: 2, low: UInt64(number))
            changes.put(
                TabMetadata(id: id, place: place, url: "https://example.org/\(number)"),
                in: session ?? window)
            if bytes > 0 {
                changes.put(
                    [UInt8](repeating: 1, count: bytes),
                    for: TabStateKey(tab: id, name: .native, in: session ?? window))
            }
        }
        return changes
    }

    @Test func aSoundOneKeepsBothPartitionsAndDeletesOne() throws {
        var store = try open()
        _ = try store.saveBlocking(changes(3, bytes: 10), durability: .processCrash)
        _ = try store.saveBlocking(changes(2, in: other), durability: .processCrash)
        try store.closeBlocking()
        store = try open()
        expect(try store.restoreBlocking([window, other]).map(\.tabs.count) == [3, 2])
        try store.deleteIncognitoBlocking()
        let namespaces = engine.state.withLock { $0.namespaces }
        expect(namespaces.keys.sorted(), is: ["home", "regular-1"])
        _ = try store.saveBlocking(changes(1, in: other), durability: .processCrash)
        expect(engine.state.withLock { $0.namespaces["incognito-2"] } != nil)
        try store.closeBlocking()
    }

    @Test func whatWasRemovedIsInNoNamespaceOnceItWasErased() throws {
        var store = try open()
        expect(store.traits.removalErasure, is: .removed)
        _ = try store.saveBlocking(changes(9, bytes: 10), durability: .processCrash)
        _ = try store.saveBlocking(changes(2, in: other, bytes: 10), durability: .processCrash)
        try store.closeBlocking()
        store = try open()
        var removal = SessionChanges()
        for number in 0..<8 { removal.remove(TabID(high: 2, low: UInt64(number)), from: window) }
        _ = try store.saveBlocking(removal, durability: .processCrash)
        try store.eraseBlocking(.removedData)
        let namespaces = engine.state.withLock { $0.namespaces }
        expect(namespaces.keys.sorted(), is: ["home", "incognito-2", "regular-2"])
        expect(try store.restoreBlocking([window, other]).map(\.tabs.count) == [1, 2])
        expect(try store.restorePointsBlocking() == [])
        expect(try store.checkBlocking().states == 3)
        try store.closeBlocking()
        let again = try open()
        expect(try again.checkBlocking().isHealthy)
        try again.closeBlocking()
    }

    @Test func anErasureWithALostAnswerIsDoneAllTheSame() throws {
        let store = try open()
        _ = try store.saveBlocking(changes(5), durability: .processCrash)
        engine.behave {
            $0.losingAnswers = StorageError(.unavailable, "no answer", effect: .indeterminate)
        }
        expect(throws: StorageError.self) { try store.eraseBlocking(.removedData) }
        engine.behave { $0 = .init() }
        expect(try store.restoreBlocking([window]).first?.tabs.count == 5)
        try store.eraseBlocking(.removedData)
        expect(try store.restoreBlocking([window]).first?.tabs.count == 5)
        let namespaces = engine.state.withLock { $0.namespaces.keys.sorted() }
        expect(namespaces.count, is: 2, "\(namespaces)")
        try store.closeBlocking()
    }

    @Test func garbageInTheHomeIsReportedAndNothingIsChanged() throws {
        let store = try open()
        _ = try store.saveBlocking(changes(3), durability: .processCrash)
        try store.closeBlocking()
        let before = engine.state.withLock { $0.namespaces }
        engine.behave {
            $0.reading = { namespace, value in
                namespace == "home" ? value.map { $0 ^ 0x55 } : value
            }
        }
        let error = expect(throws: StorageError.self) { try open() }
        expect(error?.code == .corrupted && error?.message.contains("the record 'home'") == true)
        let removal = expect(throws: StorageError.self) {
            _ = try OrderedSessionStorage.remove(
                StorageConfiguration(location: "somewhere"), engine: engine)
        }
        expect(removal?.code, is: .corrupted)
        expect(engine.state.withLock { $0.namespaces }, is: before)
        engine.behave { $0 = .init() }
        let again = try open()
        expect(try again.restoreBlocking([window]).first?.tabs.count == 3)
        try again.closeBlocking()
    }

    @Test(arguments: [0, 5, 30])
    func valuesThatAreCutShortAreSetAside(length: Int) throws {
        let store = try open()
        _ = try store.saveBlocking(changes(40), durability: .processCrash)
        try store.closeBlocking()
        engine.behave {
            $0.reading = { namespace, value in
                namespace == "regular-1" ? Array(value.prefix(length)) : value
            }
        }
        let damaged = try open()
        let report = try damaged.checkBlocking()
        expect(!report.isHealthy && report.quarantined.count == 1)
        expect(throws: StorageError.self) { try damaged.sessionsBlocking() }
        try damaged.eraseBlocking(.quarantine)
        expect(try damaged.checkBlocking().quarantined == [])
        try damaged.closeBlocking()
        expect(
            engine.state.withLock { $0.namespaces.keys.filter { $0.contains("quarantine") } },
            is: [])
    }

    @Test func whatWasSetAsideIsListedWithItsBytes() throws {
        let engine = StrangeConnectedEngine("viewed")
        let store = try open(engine)
        _ = try store.saveBlocking(changes(40), durability: .processCrash)
        try store.closeBlocking()
        engine.behave {
            $0.reading = { namespace, value in
                namespace == "regular-1" ? Array(value.prefix(30)) : value
            }
        }
        let damaged = try open(engine)
        let found = try damaged.checkBlocking().quarantined
        let items = try damaged.quarantineBlocking()
        expect(!items.isEmpty && items.map(\.path) == found)
        for item in items {
            expect(item.path == "somewhere#\(item.name)" && item.report.first?.isEmpty == false)
            expect(item.bytes > 0 && item.records?.reduce(0) { $0 + $1.count } == item.bytes)
            expect(item.report.first?.hasPrefix("reason: "), is: true)
        }
        try damaged.closeBlocking()
        // A view lists the same, and nothing that it found itself.
        let view = try OrderedSessionStorage(
            opening: StorageConfiguration(
                location: "somewhere", options: ["access": "readOnly", "create": false]),
            engine: engine)
        expect(try view.quarantineBlocking().map(\.name) == items.map(\.name))
        try view.closeBlocking()
        let again = try open(engine)
        try again.eraseBlocking(.quarantine)
        expect(try again.quarantineBlocking().isEmpty)
        try again.closeBlocking()
    }

    /// One with a clock that is wrong removes nothing of the quarantine; what goes, the report says.
    @Test func theQuarantineAgesByACountOfItsOwn() throws {
        let store = try open()
        _ = try store.saveBlocking(changes(40), durability: .processCrash)
        try store.closeBlocking()
        engine.behave {
            $0.reading = { namespace, value in namespace == "regular-1" ? [] : value }
        }
        try open().closeBlocking()
        engine.behave { $0 = .init() }
        let day: Int64 = 24 * 3600 * 1_000_000
        for launch in 1...17 {
            let time = Timestamp(
                microseconds: Timestamp.now().microseconds + Int64(launch) * 400 * day)
            let later = try OrderedSessionStorage(
                opening: StorageConfiguration(location: "somewhere"), engine: engine,
                in: StoreEnvironment(now: { time }, random: { UInt64(launch) }))
            let report = try later.checkBlocking()
            expect(report.quarantined.isEmpty, is: (launch > 16), "launch \(launch)")
            expect(report.notes.contains { $0.contains("30 days have passed") }, is: (launch > 16))
            try later.closeBlocking()
        }
    }

    @Test func keysThatAreNotInOrderAreALoss() throws {
        let store = try open()
        _ = try store.saveBlocking(changes(5), durability: .processCrash)
        engine.behave { $0.scansBackwards = true }
        let found = try require(try store.restoreBlocking([window]).first)
        expect(found.provenance == .salvaged && !found.losses.isEmpty)
        engine.behave { $0 = .init() }
        expect(try store.restoreBlocking([window]).first?.tabs.count == 5)
        try store.closeBlocking()
    }

    @Test func whatIsUnknownForEverIsReportedEachTime() throws {
        let store = try open()
        _ = try store.saveBlocking(changes(2), durability: .processCrash)
        engine.behave {
            $0.losingAnswers = StorageError(
                .unavailable, "no answer", effect: .indeterminate)
        }
        for count in 3...5 {
            // Each was applied, and the next connection reports that.
            let receipt = try store.saveBlocking(changes(count), durability: .processCrash)
            expect(receipt.sequence, is: UInt64(count - 1))
            expect(try store.restoreBlocking([window]).first?.tabs.count == count)
        }
        expect(engine.state.withLock { $0.connections }, is: 4)
        engine.behave {
            $0.failing = StorageError(.unavailable, "no answer", effect: .indeterminate)
        }
        for _ in 1...3 {
            let error = expect(throws: StorageError.self) {
                try store.saveBlocking(changes(9), durability: .processCrash)
            }
            expect(error?.code, is: .unavailable)
            expect(throws: StorageError.self) { try store.restoreBlocking([window]) }
        }
        engine.behave { $0 = .init() }
        expect(try store.restoreBlocking([window]).first?.tabs.count == 5)
        expect(try store.saveBlocking(changes(6), durability: .processCrash).sequence == 5)
        try store.closeBlocking()
    }

    /// A store lets go of a lost connection at once: the engine could take it for a living owner.
    @Test func aLostConnectionIsLetGoAtOnce() throws {
        let store = try open()
        expect(engine.state.withLock { $0.sockets }, is: 1)
        engine.behave { $0.failing = StorageError(.unavailable, "no answer") }
        expect(throws: StorageError.self) { try store.restoreBlocking([window]) }
        expect(engine.state.withLock { $0.sockets }, is: 0)
        engine.behave { $0 = .init() }
        _ = try store.saveBlocking(changes(2), durability: .processCrash)
        expect(engine.state.withLock { $0.sockets }, is: 1)
        try store.closeBlocking()
        expect(engine.state.withLock { $0.sockets }, is: 0)
    }

    @Test func whatIsOverTheLimitsNeverReachesTheEngine() throws {
        let small = StrangeConnectedEngine(
            limits: EngineLimits(valueBytes: 20_000, batchBytes: 40_000, batchOperations: 200))
        let store = try open(small)
        expect(store.traits.maximumStateBytes < 20_000)
        _ = try store.saveBlocking(changes(20, bytes: 1000), durability: .processCrash)
        let refused = [changes(60, bytes: 1000), changes(300), changes(1, bytes: 19_000)]
        for changes in refused {
            let error = expect(throws: StorageError.self) {
                try store.saveBlocking(changes, durability: .processCrash)
            }
            expect(error?.code == .tooLarge && error?.effect == .notApplied)
        }
        expect(try store.restoreBlocking([window]).first?.tabs.count == 20)
        try store.closeBlocking()
        expect(small.state.withLock { $0.largestBatch } <= 40_000)
    }
}
