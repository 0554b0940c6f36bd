import Expectations
import Synchronization
import TestSupport

@testable import BrowserSessions
@testable import StorageEngines

/// What becomes of a store when what was removed cannot be erased.
struct ErasureTests {
    let fixture: StoreFixture
    let window = StoreFixture.window(12)

    init() throws {
        fixture = try StoreFixture()
        try fixture.save(window)
        try fixture.save(StoreFixture.window(3, seed: 2, kind: .incognito))
        try fixture.reopen()
        try fixture.save(.remove(window.tabs[0].metadata.id, from: window.id))
    }

    private func erasing() -> StorageError? {
        do throws(StorageError) {
            try fixture.store.eraseBlocking(.removedData)
            return nil
        } catch {
            return error
        }
    }

    private func requireUntouched(_ content: [SessionSnapshot]) throws {
        expect(try fixture.content() == content)
        expect(
            try FileSystem.contents(of: fixture.folder.store).filter { $0.contains(".re") } == [])
        expect(try fixture.store.restorePointsBlocking().count == 1)
    }

    @Test("A failing write leaves the store as it was", arguments: 0..<2)
    func failingWrites(before: Int) throws {
        let content = try fixture.content()
        fixture.engine.expect(
            .init(writing: StorageError(.outOfSpace, "the disk is full"), writesBefore: before))
        let error = try require(erasing())
        expect(error.code == .outOfSpace && error.operation == "erase removed")
        // With the second the incognito partition is the one that stays.
        if before == 0 { try requireUntouched(content) }
        expect(try fixture.content() == content)
        expect(erasing() == nil)
        expect(try fixture.content() == content)
        expect(try fixture.store.restorePointsBlocking() == [])
    }

    @Test func findingsOfTheEngineAreRefused() throws {
        let content = try fixture.content()
        fixture.engine.expect(.init(findings: ["a page is damaged"]))
        let error = try require(erasing())
        expect(error.code == .corrupted && error.message.contains("a page is damaged"))
        expect(error.message.contains("call 'repair'"))
        fixture.engine.expect(.init())
        try requireUntouched(content)
    }

    @Test("A record that changed or is gone behind the store's back is refused")
    func unreadRecords() throws {
        let content = try fixture.content()
        let key = StoreFixture.key(of: window.tabs[4], in: window)
        let sound = try require(try fixture.metadata()[key])
        for damaged in [nil, sound.map { $0 ^ 1 }] {
            try fixture.edit { $0[.metadata]?[key] = damaged }
            expect(erasing()?.code, is: .corrupted)
            try fixture.edit { $0[.metadata]?[key] = sound }
            try requireUntouched(content)
        }
        let state = StateKey.blob(window.tabs[4].metadata.id, .navigation, set: .one).bytes
        let blob = try require(try fixture.records().bytes.withLock { $0[.state]?[state] })
        try fixture.edit { $0[.state]?[state] = nil }
        expect(erasing()?.code, is: .corrupted)
        try fixture.edit { $0[.state]?[state] = blob }
        try requireUntouched(content)
        expect(erasing() == nil)
        expect(try fixture.content() == content)
    }
}
