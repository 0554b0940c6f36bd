import Expectations
import SessionSamples
import Synchronization
import TestSupport

@testable import BrowserSessions
@testable import StorageEngines

/// Engines fail; sessions do not suffer.
struct FailureTests {
    struct Accident: Error {}

    let full = StorageError(.outOfSpace, "the disk is full")

    @Test("A save with a failed write changes nothing, and the next one works", arguments: 0..<12)
    func outOfSpace(writesBefore: Int) throws {
        let fixture = try StoreFixture()
        var sampler = SessionSampler(seed: 131)
        var windows = [sampler.window(tabs: 10, state: .navigationOnly)]
        try fixture.save(windows[0])
        fixture.engine.expect(.init(writing: full, writesBefore: writesBefore))
        var failures = 0
        for _ in 0..<12 {
            let edit = sampler.randomEdit(of: windows)
            let before = try fixture.store.saveBlocking(SessionChanges(), durability: .powerLoss)
            let error = trySaving(edit.changes, fixture)
            if error != nil { failures += 1 }
            if let error {
                expect(error.code, is: .outOfSpace)
                expect(error.effect, is: .notApplied)
                expect(error.operation, is: "save")
                expect(try fixture.content() == SessionSnapshot.ordered(windows))
                let now = try fixture.store.saveBlocking(SessionChanges(), durability: .powerLoss)
                expect(now.sequence, is: before.sequence)
                expect(trySaving(edit.changes, fixture) == nil)
            }
            windows = edit.expected
            expect(try fixture.content() == SessionSnapshot.ordered(windows))
        }
        expect(failures, is: 1)
        try fixture.reopen()
        expect(try fixture.content() == SessionSnapshot.ordered(windows))
        expect(try fixture.store.checkBlocking().losses == [])
    }

    func trySaving(_ changes: SessionChanges, _ fixture: StoreFixture) -> StorageError? {
        do throws(StorageError) {
            _ = try fixture.store.saveBlocking(changes, durability: .powerLoss)
            return nil
        } catch {
            return error
        }
    }

    @Test("An engine's own errors become `failed`, with the error below")
    func foreignErrors() throws {
        let fixture = try StoreFixture()
        fixture.engine.expect(.init(writing: Accident()))
        let changes = SessionChanges(saving: StoreFixture.window(1))
        let error = try require(trySaving(changes, fixture))
        expect(error.code, is: .failed)
        expect(error.underlying is Accident)
        expect(trySaving(changes, fixture) == nil)
    }

    @Test("A full disk is no reason not to open and read")
    func fullDiskAtOpen() throws {
        let fixture = try StoreFixture()
        let window = StoreFixture.window(5)
        try fixture.save(window)
        try fixture.store.closeBlocking()
        fixture.engine.expect(.init(writing: full))
        try fixture.open()
        expect(try fixture.content() == [window])
        let report = try fixture.store.checkBlocking()
        expect(report.isHealthy)
        expect(report.notes.contains { $0.contains("no restore point") })
        // The write that was to take it was the one that failed; the next opening takes one.
        try fixture.reopen()
        expect(try fixture.store.earlier(window.id) != nil)
    }

    @Test(
        "The mark of an orderly close is gone before an opening writes anything",
        arguments: [false, true])
    func markBeforeWrites(isDamaged: Bool) throws {
        let fixture = try StoreFixture()
        let window = StoreFixture.window(2)
        try fixture.save(window)
        try fixture.store.closeBlocking()
        if isDamaged {
            let key = StoreFixture.key(of: window.tabs[0], in: window)
            try fixture.edit { $0[.metadata]?[key]?[20] ^= 1 }
        }
        let mark = "\(fixture.folder.store)/regular.closed"
        expect(try FileSystem.exists(mark))
        let wasMarked = Mutex<Bool?>(nil)
        fixture.engine.expect(
            .init(beforeWriting: { wasMarked.withLock { $0 = try? FileSystem.exists(mark) } }))
        try fixture.open()
        expect(wasMarked.withLock { $0 }, is: false)
        expect(try fixture.store.checkBlocking().isHealthy != isDamaged)
    }

    @Test(
        "Trouble that is not damage is passed on, and nothing is touched",
        arguments: [
            StorageError.Code.locked, .outOfSpace, .permissionDenied, .incompatibleFormat, .failed,
            .durabilityLost,
        ])
    func otherTroubleAtOpen(code: StorageError.Code) throws {
        let fixture = try StoreFixture()
        let window = StoreFixture.window(5)
        try fixture.save(window)
        try fixture.store.closeBlocking()
        // The lock names a process.
        let files = {
            try FileSystem.files(in: fixture.folder.path).filter { !$0.key.hasSuffix("/lock") }
        }
        let before = try files()
        let journal = fixture.engine.takeJournal()
        expect(journal.salvages, is: 0)
        fixture.engine.expect(.init(opening: StorageError(code, "it does not open")))
        let error = expect(throws: StorageError.self) { try fixture.open() }
        expect(error?.code, is: code)
        expect(error?.operation, is: "open")
        expect(fixture.engine.takeJournal().salvages, is: 0)
        expect(try files() == before)
        try fixture.open()
        expect(try fixture.content() == [window])
    }
}
