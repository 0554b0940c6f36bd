import Expectations
import SessionSamples
import Synchronization
import TestSupport

@testable import BrowserSessions
@testable import StorageEngines

/// Records that changed behind the store's back are noticed, and the rest comes back.
struct DamageTests {
    let fixture: StoreFixture
    let window = StoreFixture.window(8)

    init() throws {
        fixture = try StoreFixture()
        try fixture.save(window)
    }

    func key(_ index: Int) -> [UInt8] { StoreFixture.key(of: window.tabs[index], in: window) }

    func restored() throws -> RestoredSession {
        try require(try fixture.store.restoreBlocking([window.id]).first)
    }

    @Test func damageThatTheEngineReportsIsSalvaged() throws {
        try fixture.store.closeBlocking()
        _ = fixture.engine.takeJournal()
        fixture.engine.expect(.init(opening: StorageError(.corrupted, "page 7 is torn")))
        try fixture.open()
        expect(fixture.engine.takeJournal().salvages, is: 1)
        expect(try fixture.content() == [window])
        let report = try fixture.store.checkBlocking()
        expect(report.notes.contains("page 7 is torn"))
        expect(report.quarantined.count, is: 1)
        let item = try require(report.quarantined.first)
        expect(try FileSystem.contents(of: item) == ["regular", "report.txt"])
        let text = String(decoding: try FileSystem.read("\(item)/report.txt"), as: UTF8.self)
        expect(text.contains("page 7 is torn"))
        expect(report.isHealthy)
        try fixture.reopen()
        expect(try fixture.store.checkBlocking().notes == [])
    }

    @Test func damageThatAnEngineFindsLaterIsReported() throws {
        fixture.engine.expect(.init(findings: ["index and table differ"]))
        let report = try fixture.store.checkBlocking()
        expect(report.notes, is: ["regular partition: index and table differ"])
        expect(fixture.engine.takeJournal().salvages, is: 0)
    }

    @Test func itIsRebuiltByARepairAndLoadedOnce() throws {
        fixture.engine.expect(.init(findings: ["index and table differ"]))
        _ = fixture.engine.takeJournal()
        let report = try fixture.store.checkBlocking(.repair)
        let journal = fixture.engine.takeJournal()
        expect(journal.salvages, is: 1)
        // The new partition, and the tabs and nodes of its one session, which may have to be put right.
        expect(journal.scans, is: 3)
        expect(journal.reads, is: 1)
        expect(report.tabs == 8 && report.quarantined.count == 1)
        expect(report.bytesRead > 0)
        expect(try fixture.content() == [window])
    }

    @Test func aTabDamagedAfterAReopeningComesBackAsItWas() throws {
        try fixture.reopen()
        try fixture.store.closeBlocking()
        try fixture.edit { $0[.metadata]?[key(3)]?[20] ^= 1 }
        try fixture.open()
        let session = try restored()
        expect(session.tabs, is: window.tabs.map(\.metadata))
        expect(session.losses.map(\.kind), is: [.tabReplacedByEarlier])
        expect(session.provenance, is: .salvaged)
    }

    @Test("Of every kind of record", arguments: ["s", "x", "m"])
    func aRecordOfAKindThatWasRemovedIsMissed(tag: Character) throws {
        try fixture.save(.remove(window.tabs[7].metadata.id, from: window.id))
        try fixture.reopen()
        try fixture.store.closeBlocking()
        let gone = try fixture.metadata().keys.filter { $0.first == tag.asciiValue }
        try fixture.edit { for key in gone.prefix(1) { $0[.metadata]?[key] = nil } }
        expect(gone.isEmpty, is: false)
        try fixture.open()
        expect(try restored().losses.map(\.kind) == [.unknownRecords])
        expect(try restored().tabs.count == 7)
    }

    @Test("A store without its records is no new one", arguments: [true, false], [true, false])
    func emptied(isClosed: Bool, hasFolder: Bool) throws {
        let other = TemporaryFolder()
        if isClosed { try fixture.store.closeBlocking() }
        try FileSystem.copy(fixture.folder.store, to: other.store)
        try FileSystem.remove("\(other.store)/regular")
        if hasFolder { try FileSystem.makeDirectories("\(other.store)/regular") }
        for _ in 1...2 {
            let store = try OrderedSessionStorage(
                opening: StorageConfiguration(location: other.store), engine: fixture.engine)
            expect(throws: StorageError.self) { try store.sessionsBlocking() }
            expect(throws: StorageError.self) { try store.restoreBlocking([window.id]) }
            try store.closeBlocking()
        }
    }

    @Test func aStateThatWasRemovedIsMissed() throws {
        try fixture.edit { $0[.state] = nil }
        let states = window.tabs.reduce(0) { $0 + $1.states.count }
        expect(try fixture.store.checkBlocking().losses.count { $0.kind == .state } == states)
        expect(try restored().tabs.count == 8)
    }

    @Test func aRecordThatWasReplacedByAnOlderOneIsMissed() throws {
        let old = try require(try fixture.metadata()[key(3)])
        var tab = window.tabs[3].metadata
        tab.title += "!"
        try fixture.save(.put(tab, in: window.id))
        try fixture.store.closeBlocking()
        try fixture.edit { $0[.metadata]?[key(3)] = old }
        try fixture.open()
        expect(try restored().losses.map(\.kind) == [.unknownRecords])
    }

    @Test func blobsOfTwoTabsThatWereExchangedAreFound() throws {
        let keys = window.tabs.prefix(2).map {
            StateKey.blob($0.metadata.id, .navigation, set: .one).bytes
        }
        try fixture.edit { bytes in
            let (first, second) = (bytes[.state]?[keys[0]], bytes[.state]?[keys[1]])
            bytes[.state]?[keys[0]] = second
            bytes[.state]?[keys[1]] = first
        }
        let report = try fixture.store.checkBlocking()
        expect(report.losses.map(\.kind), is: [.state, .state])
    }

    @Test func recordsOfANewerVersionAreRefusedUntouched() throws {
        try fixture.store.closeBlocking()
        let key = key(3)
        try fixture.edit { bytes in
            var frame = [UInt8]((bytes[.metadata]?[key] ?? []).dropLast(4))
            frame[0] = 3
            let crc = CRC32C.masked(CRC32C.checksum(frame, continuing: CRC32C.checksum(key)))
            withUnsafeBytes(of: crc.littleEndian) { frame.append(contentsOf: $0) }
            bytes[.metadata]?[key] = frame
        }
        let before = try fixture.metadata()
        let error = expect(throws: StorageError.self) { try fixture.open() }
        expect(error?.code, is: .incompatibleFormat)
        expect(try fixture.metadata() == before)
    }

    @Test func aTabThatRotsInAnOpenStoreIsNeitherActiveNorAnOpener() throws {
        var attributes = window.attributes
        attributes.activeTab = window.tabs[3].metadata.id
        try fixture.save(.put(.session(window.id, attributes)))
        var child = window.tabs[4].metadata
        child.opener = TabOpener(tab: window.tabs[3].metadata.id)
        try fixture.save(.put(child, in: window.id))
        try fixture.edit { $0[.metadata]?[key(3)]?[20] ^= 1 }
        let session = try restored()
        expect(session.losses.map(\.kind), is: [.tab])
        let active = try require(session.attributes.activeTab)
        expect(session.tabs.contains { $0.id == active })
        expect(session.tabs.first { $0.id == child.id }?.opener == nil)
    }
}
