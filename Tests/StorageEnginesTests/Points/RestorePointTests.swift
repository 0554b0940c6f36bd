import Expectations
import SessionSamples
import Synchronization
import TestSupport

@testable import BrowserSessions
@testable import StorageEngines

/// What restore points keep, what they cost, and what a store reports when something of one is gone.
struct RestorePointTests {
    private let folder = TemporaryFolder()
    private let clock = PointTime()
    private let engine = ScriptedEngine()
    private let window: SessionSnapshot

    init() throws {
        var sampler = SessionSampler(seed: 31)
        window = sampler.window(tabs: 3, state: .navigationOnly)
    }

    private func open() throws -> OrderedSessionStorage {
        try engine.open(folder, in: clock.environment)
    }

    private func records() throws -> MemoryByteStore {
        try engine.records(in: PosixDirectory(opening: "\(folder.store)/regular"))
    }

    private func key(_ tab: Int) -> TabStateKey {
        TabStateKey(tab: window.tabs[tab].metadata.id, name: .navigation, in: window.id)
    }

    /// Opens at that time, saves the window with another title, and closes; returns what is kept.
    private func live(at time: Int64, title: String) throws -> [RestorePoint] {
        clock.set(time)
        let store = try open()
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: title), for: window.id)
        _ = try store.saveBlocking(changes)
        defer { try? store.closeBlocking() }
        return try store.restorePointsBlocking()
    }

    @Test func theTimeIsThatOfTheOpeningThatTookIt() throws {
        expect(try live(at: 10, title: "one") == [])
        let first = RestorePoint(
            id: RestorePointID(rawValue: 1), takenAt: .init(20))
        expect(try live(at: 20, title: "two") == [first])
        let second = RestorePoint(id: RestorePointID(rawValue: 2), takenAt: .init(30))
        expect(try live(at: 30, title: "three") == [second, first])
        // Nothing changed since: the sessions are still as they were then.
        for time in [40, 50] as [Int64] {
            clock.set(time)
            let store = try open()
            expect(
                try store.restorePointsBlocking().map(\.takenAt) == [
                    .init(40), .init(30), .init(20),
                ])
            expect(try store.earlier(window.id)?.attributes.title == "three")
            try store.closeBlocking()
        }
    }

    @Test("A point after 50 of 2,000 tabs changed takes at most 1.1 times their bytes")
    func cost() throws {
        var sampler = SessionSampler(seed: 5)
        let large = sampler.window(tabs: 2000)
        try open().saveAndClose(SessionChanges(saving: large))
        let store = try open()
        var changes = SessionChanges()
        for tab in large.tabs.prefix(50) {
            var metadata = tab.metadata
            metadata.title += "!"
            changes.put(metadata, in: large.id)
        }
        try store.saveAndClose(changes)
        let before = try records().bytes.withLock { $0[.state] ?? .init() }
        try open().closeBlocking()
        let after = try records().bytes.withLock { $0 }
        let (old, new) = (Set(before.keys), Set(after[.state, default: .init()].keys))
        expect(new.subtracting(old).count == 50 && new.isSuperset(of: old))
        let changed = large.tabs.prefix(50).reduce(0) { sum, tab in
            let key = RecordKey.record(.tab(tab.metadata.id), in: large.id).bytes
            return sum + key.count + (after[.metadata]?[key]?.count ?? 0)
        }
        let taken = new.subtracting(old).reduce(0) {
            $0 + $1.count + (after[.state]?[$1]?.count ?? 0)
        }
        expect(Double(taken) <= 1.1 * Double(changed), "\(taken) bytes for \(changed)")
    }

    /// Changes a bit of those state records that are meant by a key.
    private func harm(bit: UInt8 = 1, _ isMeant: (StateKey) -> Bool) throws {
        try records().bytes.withLock { bytes in
            for key in bytes[.state, default: .init()].keys
            where key.withUnsafeBytes({ StateKey($0) }).map(isMeant) == true {
                bytes[.state]?[key]?[0] ^= bit
            }
        }
    }

    private func isVersion(of tab: TabID? = nil, _ key: StateKey) -> Bool {
        switch key {
        case .version(.record(.tab(tab ?? .zero), _), _, _): true
        case .version: tab == nil
        default: false
        }
    }

    @Test("A point that lost something says so for as long as it is needed")
    func harmedVersions() throws {
        try open().saveAndClose(SessionChanges(saving: window))
        try open().closeBlocking()
        let lost = window.tabs[0].metadata.id
        try harm { isVersion(of: lost, $0) }
        for _ in 1...2 {
            let store = try open()
            expect(try store.restoreBlocking([window.id]).first?.tabs.count == 3)
            let found = try require(try store.earlier(window.id))
            expect(found.tabs.count == 2 && found.provenance == .restorePoint)
            expect(found.losses.map(\.tab), is: [lost, nil])
            expect(try store.checkBlocking().notes.contains { $0.contains("restore points") })
            try store.closeBlocking()
        }
        // "Nothing there" and "cannot be read" are not the same.
        try harm(bit: 2) { isVersion($0) }
        let store = try open()
        let nothing = try require(try store.earlier(window.id))
        expect(nothing.tabs.isEmpty && nothing.losses.count >= 4)
        _ = try store.checkBlocking(.repair)
        expect(try store.earlier(window.id) == nil)
        expect(try store.checkBlocking().notes == [])
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "new"), for: window.id)
        try store.saveAndClose(changes)
        let next = try open()
        expect(try next.earlier(window.id)?.tabs.count == 3)
        expect(try next.earlier(window.id)?.losses == [])
        try next.closeBlocking()
    }

    @Test("A session is not called absent because all its versions are gone")
    func missingVersions() throws {
        try open().saveAndClose(SessionChanges(saving: window))
        try open().closeBlocking()
        try records().bytes.withLock { bytes in
            for key in bytes[.state, default: .init()].keys where key[0] == StateKey.Tag.version {
                bytes[.state]?[key] = nil
            }
        }
        let store = try open()
        let error = expect(throws: StorageError.self) { try store.earlier(window.id) }
        expect(error?.code, is: .corrupted)
        let point = try require(try store.restorePointsBlocking().first).id
        let unreadable = expect(throws: StorageError.self) {
            try store.sessionsBlocking(at: .point(point))
        }
        expect(unreadable?.code, is: .corrupted)
        let report = try store.checkBlocking()
        expect(!report.isHealthy && report.losses.map(\.kind) == [.restorePoint])
        _ = try store.checkBlocking(.repair)
        expect(try store.earlier(window.id) == nil)
        try store.closeBlocking()
    }

    @Test(
        "A blob that only a point has, and that is damaged, is reported, and given up by a repair")
    func harmedBlob() throws {
        try open().saveAndClose(SessionChanges(saving: window))
        let store = try open()
        let point = try require(try store.restorePointsBlocking().first)
        var changes = SessionChanges()
        changes.remove(key(0))
        _ = try store.saveBlocking(changes)
        try harm { if case .blob = $0 { true } else { false } }
        let error = expect(throws: StorageError.self) {
            try store.statesBlocking(of: [key(0)], at: .point(point.id))
        }
        expect(error?.code, is: .corrupted)
        let report = try store.checkBlocking()
        expect(report.losses.map(\.kind), is: [.state, .state, .restorePoint])
        expect(report.notes.contains { $0.contains("restore points") })
        _ = try store.checkBlocking(.repair)
        expect(try store.statesBlocking(of: [key(0)], at: .point(point.id)) == [:])
        expect(try store.checkBlocking().notes == [])
        try store.closeBlocking()
    }
}

extension Timestamp {
    fileprivate init(_ microseconds: Int64) { self.init(microseconds: microseconds) }
}

extension OrderedSessionStorage {
    fileprivate func saveAndClose(_ changes: SessionChanges) throws(StorageError) {
        _ = try saveBlocking(changes)
        try closeBlocking()
    }
}
