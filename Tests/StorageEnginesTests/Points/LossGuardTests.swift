import Expectations
import SessionSamples
import TestSupport

@testable import BrowserSessions
@testable import StorageEngines

/// When a store keeps the state before tabs go, and when it does not.
struct LossGuardTests {
    private let folder = TemporaryFolder()
    private let time = PointTime()
    private let engine = ScriptedEngine()
    private let id = SessionID(window: WindowID(high: 1, low: 1))
    private let closed = SessionID(window: WindowID(high: 1, low: 1), kind: .recentlyClosed)

    private func open(_ options: [String: OptionValue] = [:]) throws -> OrderedSessionStorage {
        try engine.open(folder, options, in: time.environment)
    }

    private func tab(_ number: Int) -> TabMetadata {
        TabMetadata(
            id: TabID(high: 2, low: UInt64(number)),
            place: OrderKey.evenlySpaced(count: 200)[number], url: "https://a.example/\(number)")
    }

    /// Opens a store with tabs, and counts from there.
    private func begin(_ tabs: Int) throws -> OrderedSessionStorage {
        let store = try open()
        var changes = SessionChanges()
        for number in 0..<tabs { changes.put(tab(number), in: id) }
        try store.saveBlocking(changes)
        try store.closeBlocking()
        return try open()
    }

    private func beforeLoss(_ store: OrderedSessionStorage) throws -> [RestorePoint] {
        try store.restorePointsBlocking().filter { $0.reason == .beforeLoss }
    }

    /// - Returns: the point that the receipt names.
    @discardableResult
    private func remove(
        _ tabs: Range<Int>, from store: OrderedSessionStorage, isIntended: Bool = false
    ) throws -> RestorePoint? {
        var changes = SessionChanges()
        changes.isIntended = isIntended
        for number in tabs { changes.remove(tab(number).id, from: id) }
        return try store.saveBlocking(changes).pointBeforeLoss
    }

    private func removeWindow(of store: OrderedSessionStorage) throws {
        var changes = SessionChanges()
        changes.remove(id)
        try store.saveBlocking(changes)
    }

    private func open(tab number: Int, in store: OrderedSessionStorage) throws {
        var changes = SessionChanges()
        changes.put(tab(number), in: id)
        try store.saveBlocking(changes)
    }

    @Test("A set that takes 30 % and ten tabs away keeps the state before it")
    func atOnce() throws {
        let store = try begin(100)
        expect(try remove(0..<29, from: store) == nil)
        expect(try beforeLoss(store) == [])
        let named = try remove(29..<30, from: store)
        let point = try require(try beforeLoss(store).first)
        expect(named, is: point)
        expect(point.tabCount == 71 && point.lostTabCount == 30)
        let tabs = try store.restoreBlocking([id], at: .point(point.id)).first?.tabs
        expect(tabs?.map(\.id), is: (29..<100).map { tab($0).id })
        // What went is kept, and does not count again.
        try remove(30..<40, from: store)
        expect(try beforeLoss(store).count == 1)
        try remove(40..<70, from: store)
        expect(try beforeLoss(store).map(\.lostTabCount) == [40, 30])
        try store.closeBlocking()
    }

    @Test("A point that has the state before a loss already knows of it, and keeps its name")
    func named() throws {
        var store = try begin(40)
        let point = try store.takeRestorePointBlocking(name: "mine", pinned: false)
        expect(try remove(0..<20, from: store)?.id == point.id)
        try store.closeBlocking()
        store = try open()
        let kept = try store.restorePointsBlocking().filter(\.isBeforeLoss)
        expect(kept.map(\.id) == [point.id] && kept.map(\.lostTabCount) == [20])
        expect(kept.map(\.name) == ["mine"] && kept.map(\.reason) == [.named])
        try store.closeBlocking()
    }

    @Test("Nine of nine tabs are no loss, and what was closed on purpose is none either")
    func noLoss() throws {
        let store = try begin(100)
        try remove(0..<91, from: store, isIntended: true)
        try remove(91..<100, from: store)
        expect(try beforeLoss(store) == [])
        try store.closeBlocking()
    }

    @Test("Closing counts, moving between windows does not, and what came back counts no more")
    func moves() throws {
        let store = try begin(40)
        let other = SessionID(window: WindowID(high: 1, low: 2))
        for (from, to) in [(0, other), (20, closed)] {
            var changes = SessionChanges()
            for number in from..<from + 11 { changes.put(tab(number), in: to) }
            try store.saveBlocking(changes)
        }
        expect(try beforeLoss(store) == [])
        var back = SessionChanges()
        back.put(tab(20), in: other)
        back.put(tab(21), in: id)
        try store.saveBlocking(back)
        // Nine are gone.
        try remove(31..<33, from: store)
        expect(try beforeLoss(store) == [])
        try removeWindow(of: store)
        expect(try beforeLoss(store).map(\.lostTabCount) == [28])
        try store.closeBlocking()
    }

    @Test("Tabs that were opened since the last point are a loss, also before there is any")
    func opened() throws {
        let store = try open()
        var changes = SessionChanges()
        for number in 0..<20 { changes.put(tab(number), in: id) }
        try store.saveBlocking(changes)
        // What comes in their place makes up for nothing.
        var replacing = SessionChanges()
        for number in 0..<20 {
            replacing.remove(tab(number).id, from: id)
            replacing.put(tab(100 + number), in: id)
        }
        let point = try require(try store.saveBlocking(replacing).pointBeforeLoss)
        expect(point.tabCount == 20 && point.lostTabCount == 20)
        let kept = try store.restoreBlocking([id], at: .point(point.id)).first?.tabs
        expect(kept?.map(\.id), is: (0..<20).map { tab($0).id })
        // Those that come and go one by one are none.
        for number in 30..<60 {
            try open(tab: number, in: store)
            expect(try remove(number..<number + 1, from: store) == nil)
        }
        try removeWindow(of: store)
        expect(try beforeLoss(store).map(\.lostTabCount) == [21, 20])
        try store.closeBlocking()
    }

    @Test("A point before a loss stays for 30 days, and no clock that jumps ends it")
    func term() throws {
        var store = try begin(20)
        try remove(0..<20, from: store)
        let point = try require(try beforeLoss(store).first)
        for day in 1...29 {
            // Some days the clock is years off.
            time.set([1, 4_000_000_000_000_000, 1_700_000_000_000_000][day % 3])
            try open(tab: day, in: store)
            try store.closeBlocking()
            store = try open()
            expect(try beforeLoss(store) == [point], "day \(day)")
        }
        for day in 30...70 {
            time.pass(24)
            try open(tab: day, in: store)
            try store.closeBlocking()
            store = try open()
        }
        expect(try beforeLoss(store) == [])
        try store.closeBlocking()
    }
}
