import Expectations
import SessionSamples
import Synchronization

@testable import BrowserSessions
@testable import StorageEngines

/// Records that no version of the store wrote, or that were written twice, and engines that cannot
/// read.
struct StrangeRecordTests {
    let fixture: StoreFixture
    let window = StoreFixture.window(8)

    init() throws {
        fixture = try StoreFixture()
        try fixture.save(window)
    }

    func restored() throws -> RestoredSession {
        try require(try fixture.store.restoreBlocking([window.id]).first)
    }

    private let other = SessionID(window: WindowID(high: 9, low: 9))

    /// Moves a tab to another session and brings its old record back, then opens the store.
    private func moveTwice(_ tab: TabSnapshot, losing lost: TabSnapshot?) throws -> TabMetadata {
        let key = StoreFixture.key(of: tab, in: window)
        let old = try require(try fixture.metadata()[key])
        var moved = tab.metadata
        moved.place = .evenlySpaced(count: 1000)[999]
        try fixture.save(.put(moved, in: other))
        try fixture.store.closeBlocking()
        try fixture.edit { records in
            records[.metadata]?[key] = old
            if let lost { records[.metadata]?[StoreFixture.key(of: lost, in: window)] = nil }
        }
        try fixture.open()
        return moved
    }

    /// One too many is no loss, and hides none: if one is missing, the count is right.
    @Test(arguments: [false, true]) func aStaleDouble(hidesALoss: Bool) throws {
        let moved = try moveTwice(window.tabs[3], losing: hidesALoss ? window.tabs[5] : nil)
        let kinds: [Loss.Kind] = hidesALoss ? [.unknownRecords] : []
        expect(try restored().losses.map(\.kind) == kinds)
        expect(try restored().tabs.count == (hidesALoss ? 6 : 7))
        expect(try fixture.store.restoreBlocking([other]).first?.tabs.map(\.id) == [moved.id])
    }

    /// A whole frame under a key that is too long and begins as if it were a version of a version, and
    /// so on.
    @Test(.timeLimit(.minutes(10)))
    func aLongKeyDoesNotExhaustTheStack() throws {
        let key = [UInt8](repeating: StateKey.Tag.version, count: 400_000)
        let frame = RecordFrame.seal(.tab, 1, [1, 2, 3], key: [UInt8](key.dropFirst()))
        try fixture.store.closeBlocking()
        try fixture.edit { $0[.metadata]?[key] = frame.bytes }
        try fixture.open()
        expect(try restored().tabs.count == 8)
        expect(try fixture.store.checkBlocking().losses.isEmpty == false)
        expect(try fixture.metadata()[key] == nil)
    }

    @Test func recordsThatAreNoneOfOursAreNotTakenOverByARepair() throws {
        let strange: [[UInt8]] = [[], [0], [UInt8](repeating: 0x70, count: 5000), [0x74, 1, 2]]
        try fixture.store.closeBlocking()
        try fixture.edit { records in
            for key in strange {
                let frame = RecordFrame.seal(.tab, 99, [1], key: key)
                records[.metadata]?[key] = frame.bytes
                records[.state, default: .init()][key] = frame.bytes
            }
        }
        fixture.engine.expect(.init(opening: StorageError(.corrupted, "page 7 is torn")))
        try fixture.open()
        expect(try fixture.content() == [window])
        let report = try fixture.store.checkBlocking()
        expect(report.notes.contains { $0.hasPrefix("8 records under keys") })
        expect(report.isHealthy)
        for key in strange {
            expect(try fixture.metadata()[key] == nil)
            expect(try fixture.records().bytes.withLock { $0[.state]?[key] } == nil)
        }
    }

    @Test(arguments: [StorageError.Code.permissionDenied, .failed])
    func anErrorThatIsNoDamageIsNoLoss(code: StorageError.Code) throws {
        fixture.engine.expect(.init(scanning: StorageError(code, "cannot read")))
        expect(expect(throws: StorageError.self) { try restored() }?.code, is: code)
        expect(try restored().losses == [])
        try fixture.store.closeBlocking()
        _ = fixture.engine.takeJournal()
        fixture.engine.expect(.init(scanning: StorageError(code, "cannot read")))
        expect(expect(throws: StorageError.self) { try fixture.open() }?.code, is: code)
        let journal = fixture.engine.takeJournal()
        expect(journal.salvages == 0 && journal.writes == [])
        try fixture.open()
        expect(try fixture.content() == [window])
        expect(try fixture.store.checkBlocking().losses == [])
    }
}
