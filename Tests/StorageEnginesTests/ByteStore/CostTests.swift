import Expectations
import SessionSamples

@testable import BrowserSessions
@testable import StorageEngines

/// What a save asks of an engine does not depend on how much is stored.
struct CostTests {
    /// The journal of saving one tab, then its state, then moving it, in a store of `count` tabs.
    func journal(tabs count: Int) throws -> [ScriptedEngine.Journal] {
        let fixture = try StoreFixture()
        let window = StoreFixture.window(count)
        try fixture.save(window)
        var tab = TabMetadata(id: TabID(high: 7, low: 7), place: .between(nil, and: nil), url: "a")
        let other = SessionID(window: WindowID(high: 8, low: 8))
        try fixture.save(.put(tab, in: window.id))
        try fixture.reopen()
        _ = fixture.engine.takeJournal()
        var journals: [ScriptedEngine.Journal] = []
        tab.title = "b"
        let moved = tab
        tab.place = .between(tab.place, and: .between(tab.place, and: nil))
        let changes: [SessionChanges.Change] = [
            .put(moved, in: window.id),
            .putState(
                [1, 2, 3], for: TabStateKey(tab: tab.id, name: .navigation, partition: .regular)),
            .put(tab, in: window.id), .put(tab, in: other), .remove(tab.id, from: other),
            .put(.session(window.id, SessionAttributes(title: "c"))),
        ]
        for change in changes {
            try fixture.save(change)
            journals.append(fixture.engine.takeJournal())
        }
        return journals
    }

    @Test func savesCostTheSameAt10And10_000Tabs() throws {
        let few = try journal(tabs: 10)
        expect(try journal(tabs: 10_000) == few)
        for journal in few {
            expect(journal.reads == 0 && journal.scans == 0 && journal.syncs == 0)
            expect(journal.writes.count, is: 1)
            expect(journal.writes.first?.isDurable, is: true)
        }
        // The record and the manifest; for a state also the blob; for a move to another session also
        // the old record.
        expect(few.map { $0.writes[0].operations }.prefix(4), is: [2, 3, 2, 3])
        expect(few[0].writes[0].bytes < 200)
    }

    @Test func aRestoreIsTwoScansAndOneRead() throws {
        let fixture = try StoreFixture()
        let window = StoreFixture.window(500)
        try fixture.save(window)
        _ = fixture.engine.takeJournal()
        _ = try fixture.store.restoreBlocking([window.id]).first
        let journal = fixture.engine.takeJournal()
        // Of the tabs, and of the nodes.
        expect(journal.scans, is: 2)
        expect(journal.reads, is: 1)
        expect(journal.writes, is: [])
    }

    @Test func aSetWithoutChangesOnlySyncs() throws {
        let fixture = try StoreFixture()
        _ = fixture.engine.takeJournal()
        let store = fixture.store
        _ = try store.saveBlocking(SessionChanges(), durability: .processCrash)
        expect(fixture.engine.takeJournal(), is: .init())
        _ = try store.saveBlocking(SessionChanges(), durability: .powerLoss)
        expect(fixture.engine.takeJournal(), is: .init(syncs: 1))
    }

    @Test func closingMakesEverythingSurviveAPowerCut() throws {
        let fixture = try StoreFixture()
        _ = try fixture.store.saveBlocking(
            SessionChanges(saving: StoreFixture.window(2)), durability: .processCrash)
        _ = fixture.engine.takeJournal()
        try fixture.store.closeBlocking()
        expect(fixture.engine.takeJournal(), is: .init(syncs: 1))
    }

    @Test func commitIDsAreRememberedAndForgotten() throws {
        let fixture = try StoreFixture()
        func save(_ number: Int) throws -> SaveReceipt {
            var changes = SessionChanges()
            changes.commitID = CommitID(high: 1, low: UInt64(number))
            changes.put(
                SessionAttributes(title: "\(number)"),
                for: SessionID(window: WindowID(high: 1, low: 1)))
            return try fixture.store.saveBlocking(changes, durability: .processCrash)
        }
        for number in 1...100 { expect(try save(number).sequence == UInt64(number)) }
        try fixture.reopen()
        for number in 37...100 {
            let receipt = try save(number)
            expect(receipt.wasAlreadyApplied && receipt.sequence == UInt64(number))
        }
        expect(try !save(1).wasAlreadyApplied)
        let commits = try fixture.metadata().keys.filter { $0.first == RecordKey.Tag.commit }
        expect(commits.count, is: 64)
    }
}
