import Expectations
import Synchronization
import TestSupport

@testable import BrowserSessions
@testable import StorageEngines

/// Restore points on a full disk, at intervals, and within their limit of bytes.
struct PointFailureTests {
    private let folder = TemporaryFolder()
    private let engine = ScriptedEngine()
    private let time = PointTime()
    private let id = SessionID(window: WindowID(high: 1, low: 1))

    private func open(_ options: [String: OptionValue] = [:]) throws -> OrderedSessionStorage {
        try engine.open(folder, options, in: time.environment)
    }

    private func put(_ tabs: Range<Int>, title: String = "", in store: OrderedSessionStorage) throws
    {
        let places = OrderKey.evenlySpaced(count: 200)
        var changes = SessionChanges()
        for number in tabs {
            changes.put(
                TabMetadata(
                    id: TabID(high: 2, low: UInt64(number)), place: places[number],
                    url: "https://a.example/\(number)", title: title), in: id)
        }
        try store.saveBlocking(changes)
    }

    private func remove(_ tabs: Range<Int>, from store: OrderedSessionStorage) throws {
        var changes = SessionChanges()
        for number in tabs { changes.remove(TabID(high: 2, low: UInt64(number)), from: id) }
        try store.saveBlocking(changes)
    }

    @Test("On a full disk a point is given up, with a word, and a save never is")
    func fullDisk() throws {
        var store = try open()
        try put(0..<60, in: store)
        try store.closeBlocking()
        engine.refuse(StateKey.Tag.version)
        store = try open()
        expect(try store.restorePointsBlocking() == [])
        expect(
            try store.checkBlocking().notes.contains { $0.contains("no restore point was taken") })
        try remove(0..<20, from: store)
        expect(try store.restoreBlocking([id]).first?.tabs.count == 40)
        expect(try store.restorePointsBlocking() == [])
        let notes = try store.checkBlocking().notes
        expect(notes.contains { $0.contains("before a loss of tabs") })
        let error = expect(throws: StorageError.self) {
            try store.takeRestorePointBlocking(name: "mine", pinned: true)
        }
        expect(error?.code == .outOfSpace && error?.effect == .notApplied)
        time.pass(4)
        store.takeDuePoint()
        expect(try store.restorePointsBlocking() == [])
        // With space again, the next tab that goes keeps what is left.
        engine.refuse(nil)
        try remove(20..<21, from: store)
        expect(try store.restorePointsBlocking().map(\.reason) == [.beforeLoss])
        expect(try store.takeRestorePointBlocking(name: "mine", pinned: true).tabCount == 39)
        expect(try store.checkBlocking().losses == [])
        try store.closeBlocking()
    }

    @Test("A point is taken once the interval is over and something changed")
    func interval() throws {
        let store = try open(["restorePointInterval": 3600])
        try put(0..<1, in: store)
        time.pass(0.9)
        store.takeDuePoint()
        expect(try store.restorePointsBlocking() == [])
        time.pass(0.2)
        store.takeDuePoint()
        expect(try store.restorePointsBlocking().map(\.reason) == [.interval])
        time.pass(2)
        store.takeDuePoint()
        expect(try store.restorePointsBlocking().count == 1)
        try put(1..<2, in: store)
        time.pass(2)
        store.takeDuePoint()
        expect(try store.restorePointsBlocking().map(\.tabCount) == [2, 1])
        try store.closeBlocking()
    }

    @Test("A point is still planned by the next save after something was forgotten")
    func afterForgetting() throws {
        let store = try open()
        let closed = SessionID(window: id.window, kind: .recentlyClosed)
        var changes = SessionChanges()
        changes.put(
            TabMetadata(
                id: TabID(high: 3, low: 1), place: .between(nil, and: nil),
                url: "https://a.example/"), in: closed)
        try store.saveBlocking(changes)
        try store.closeBlocking()
        let next = try open()
        let receipt = try next.eraseBlocking(.sites(try ForgottenSites(["a.example"])))
        expect(receipt.closedTabs, is: 1)
        let due = try next.withState("test") { $0.points.next(at: .zero) }
        expect(due != nil)
        try next.closeBlocking()
    }

    @Test("The oldest points go when all take too much, and named ones stay")
    func limit() throws {
        var store = try open(["restorePointBytes": 20_000])
        try put(0..<10, in: store)
        _ = try store.takeRestorePointBlocking(name: "kept", pinned: false)
        for round in 1...8 {
            try put(0..<10, title: String(repeating: "\(round)", count: 400), in: store)
            try store.closeBlocking()
            time.pass(1)
            store = try open(["restorePointBytes": 20_000])
        }
        expect(try store.restorePointsBlocking().count == 9)
        try store.withState("limit restore points") { try $0.limitPoints() }
        let points = try store.restorePointsBlocking()
        expect((3...5).contains(points.count) && points.last?.name == "kept", "\(points.count)")
        for point in points {
            expect(try store.restoreBlocking([id], at: .point(point.id)).first?.tabs.count == 10)
        }
        let report = try store.checkBlocking()
        expect(report.losses, is: [])
        expect(report.notes.contains { $0.contains("'restorePointBytes': \(9 - points.count)") })
        try store.closeBlocking()
    }

    @Test("A state with two names is two points, and the same name is the same point")
    func names() throws {
        let store = try open()
        try put(0..<3, in: store)
        let first = try store.takeRestorePointBlocking(name: "one", pinned: false)
        let same = try store.takeRestorePointBlocking(name: "one", pinned: true)
        let second = try store.takeRestorePointBlocking(name: "two", pinned: false)
        expect(first.id == same.id && second.id != first.id)
        expect(try store.restorePointsBlocking().map(\.name) == ["two", "one"])
        expect(try store.restorePointsBlocking().map(\.isPinned) == [false, true])
        for point in [first, second] {
            expect(try store.restoreBlocking([id], at: .point(point.id)).first?.tabs.count == 3)
        }
        expect(try store.checkBlocking().notes == [])
        try store.closeBlocking()
    }
}
