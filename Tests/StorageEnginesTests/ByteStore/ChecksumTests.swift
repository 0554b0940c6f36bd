import Expectations
import SessionSamples
import Synchronization
import TestSupport

@testable import BrowserSessions
@testable import StorageEngines

/// An engine that cannot be trusted with damaged files never sees one of a store that was closed.
struct ChecksumTests {
    let folder = TemporaryFolder()
    let engine = TrustingEngine()
    let window = StoreFixture.window(12)
    var pages: String { "\(folder.store)/regular/\(TrustingEngine.file)" }
    var checksums: String { "\(folder.store)/regular.checksums" }

    init() throws {
        let store = try open()
        _ = try store.saveBlocking(SessionChanges(saving: window), durability: .powerLoss)
        try store.closeBlocking()
    }

    func open(at location: String? = nil) throws -> OrderedSessionStorage {
        try OrderedSessionStorage(
            opening: StorageConfiguration(location: location ?? folder.store), engine: engine)
    }

    /// The places of the tabs that come back, and the report.
    func lookAgain(at location: String? = nil) throws -> (tabs: Set<TabID>, RecoveryReport) {
        let store = try open(at: location)
        let tabs = try store.restoreBlocking([window.id]).first?.tabs ?? []
        let report = try store.checkBlocking()
        try store.closeBlocking()
        return (Set(tabs.map(\.id)), report)
    }

    /// A change that no tab has a part in.
    var later: SessionChanges {
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "later"), for: window.id)
        return changes
    }

    var all: Set<TabID> { Set(window.tabs.map(\.metadata.id)) }

    /// Requires that everything is there and nothing was taken for damage.
    func requireUntouched(at location: String? = nil) throws {
        let (tabs, report) = try lookAgain(at: location)
        expect(tabs, is: all)
        expect(report.isHealthy && report.quarantined == [])
        expect(engine.traps, is: 0)
    }

    func change(_ edit: (inout [UInt8]) -> Void) throws {
        var bytes = try FileSystem.read(pages)
        edit(&bytes)
        try FileSystem.replace(pages, with: bytes)
    }

    @Test func checksumsAreThereAfterAnOrderlyCloseAndGoBeforeTheEngineSeesTheFiles() throws {
        expect(try FileSystem.exists(checksums))
        let wasThere = Mutex<Bool?>(nil)
        let file = checksums
        engine.expectOpening { wasThere.withLock { $0 = try? FileSystem.exists(file) } }
        let store = try open()
        expect(wasThere.withLock { $0 }, is: false)
        try store.closeBlocking()
        expect(try FileSystem.exists(checksums))
        try requireUntouched()
    }

    @Test("A changed byte is put right", arguments: [1, 0x80, 0xFF] as [UInt8])
    func changedByte(bits: UInt8) throws {
        let sound = try FileSystem.read(pages)
        for place in stride(from: 0, to: sound.count, by: sound.count / 7) {
            try change { $0[place % $0.count] ^= bits }
            let (tabs, report) = try lookAgain()
            expect(tabs, is: all)
            expect(report.isHealthy)
            try purge()
        }
        expect(engine.traps, is: 0)
    }

    func purge() throws {
        let store = try open()
        let items = try store.checkBlocking().quarantined
        expect(items.count, is: 1)
        let text = String(
            decoding: try FileSystem.read("\(try require(items.first))/report.txt"), as: UTF8.self)
        expect(text.contains("'pages' is not as it was"))
        expect(text.contains("1 were put right, 0 are lost"))
        try store.eraseBlocking(.quarantine)
        try store.closeBlocking()
    }

    @Test("Of a damaged block no more is lost than what was in it", arguments: [0.3, 0.5, 0.7])
    func damagedBlock(part: Double) throws {
        let count = try FileSystem.read(pages).count / TrustedPages.pageSize
        let start = Int(Double(count) * part) * TrustedPages.pageSize
        try change { for place in start..<start + 900 { $0[place] ^= UInt8(place & 0x7F | 1) } }
        let (tabs, report) = try lookAgain()
        expect(engine.traps, is: 0)
        expect(tabs.isSubset(of: all) && tabs.count >= all.count - 1)
        expect(!report.losses.isEmpty)
        expect(report.quarantined.count, is: 1)
    }

    @Test("A file that was cut is read as far as it goes", arguments: [1, 4096, 5000, 60_000])
    func cut(bytes: Int) throws {
        try change { $0.removeLast(min(bytes, $0.count - 5000)) }
        let (tabs, report) = try lookAgain()
        expect(engine.traps, is: 0)
        expect(tabs.isSubset(of: all))
        expect(report.quarantined.count, is: 1)
    }

    @Test func anotherFileAndALongerOneAreDamageAndCostNothing() throws {
        for round in 1...2 {
            if round == 1 {
                try FileSystem.replace("\(folder.store)/regular/other", with: [1])
            } else {
                try change { $0 += [UInt8](repeating: 7, count: 9000) }
            }
            let (tabs, report) = try lookAgain()
            expect(tabs, is: all)
            expect(report.isHealthy && report.quarantined.count == round)
        }
        expect(engine.traps, is: 0)
    }

    @Test func aFileThatIsGoneIsNoNewStore() throws {
        try FileSystem.remove(pages)
        let store = try open()
        expect(throws: StorageError.self) { try store.sessionsBlocking() }
        expect(try !store.checkBlocking().isHealthy)
    }

    @Test("Checksums that are damaged or gone are not known, and no damage", arguments: 0..<3)
    func damagedChecksums(kind: Int) throws {
        switch kind {
        case 0: try FileSystem.remove(checksums)
        case 1: try FileSystem.replace(checksums, with: [])
        default:
            var bytes = try FileSystem.read(checksums)
            bytes[bytes.count - 1] ^= 1
            try FileSystem.replace(checksums, with: bytes)
        }
        try requireUntouched()
        expect(try FileSystem.exists(checksums))
    }

    @Test func checksumsOfAnEarlierCloseAreNotBelieved() throws {
        let old = try FileSystem.read(checksums)
        let store = try open()
        _ = try store.saveBlocking(later, durability: .powerLoss)
        // What a kill would leave, and beside it what the next program must not take for true.
        let killed = "\(folder.path)/killed"
        try FileSystem.copy(folder.store, to: killed)
        try store.closeBlocking()
        expect(try !FileSystem.exists("\(killed)/regular.checksums"))
        try FileSystem.replace("\(killed)/regular.checksums", with: old)
        try requireUntouched(at: killed)
        try FileSystem.replace(checksums, with: old)
        try requireUntouched()
    }

    @Test func ofAKilledStoreNothingWasNoted() throws {
        let store = try open()
        let killed = "\(folder.path)/killed"
        try FileSystem.copy(folder.store, to: killed)
        try store.closeBlocking()
        var bytes = try FileSystem.read("\(killed)/regular/\(TrustingEngine.file)")
        bytes[5000] ^= 1
        try FileSystem.replace("\(killed)/regular/\(TrustingEngine.file)", with: bytes)
        expect(throws: StorageError.self) { try open(at: killed) }
        expect(engine.traps, is: 1)
    }

    @Test("An exchange that was killed puts no old checksums beside the repaired partition")
    func killedExchange() throws {
        let old = "\(folder.path)/old"
        try FileSystem.copy("\(folder.store)/regular", to: old)
        let store = try open()
        _ = try store.saveBlocking(later, durability: .powerLoss)
        try store.closeBlocking()
        try FileSystem.remove("\(folder.store)/regular")
        try FileSystem.copy(old, to: "\(folder.store)/regular.repaired")
        let (tabs, report) = try lookAgain()
        expect(tabs, is: all)
        expect(report.quarantined, is: [])
        expect(engine.traps, is: 0)
    }

    @Test("What cannot be repaired for want of space is read without damage, now and later")
    func fullDisk() throws {
        try change { $0[$0.count / 2] ^= 1 }
        engine.fill(true)
        for _ in 1...2 {
            let store = try open()
            expect(try store.restoreBlocking([window.id]).first?.tabs.count == all.count)
            let keys = try store.stateKeysBlocking(in: window.id)
            expect(try store.statesBlocking(of: keys).count == keys.count)
            expect(try store.checkBlocking().quarantined == [])
            try store.closeBlocking()
        }
        engine.fill(false)
        let (tabs, report) = try lookAgain()
        expect(tabs == all && report.isHealthy)
        expect(report.quarantined.count, is: 1)
        expect(engine.traps, is: 0)
    }

    @Test func afterARepairTheNewPartitionHasItsOwn() throws {
        try change { $0[5000] ^= 1 }
        let store = try open()
        expect(try !FileSystem.exists(checksums))
        expect(try !FileSystem.exists("\(folder.store)/regular.closed"))
        try store.closeBlocking()
        let (tabs, report) = try lookAgain()
        expect(tabs == all && report.isHealthy)
        expect(report.quarantined.count, is: 1)
    }

    @Test func aDeletionOfTheIncognitoPartitionTakesItsChecksumsAlong() throws {
        let store = try open()
        _ = try store.saveBlocking(
            SessionChanges(saving: StoreFixture.window(2, seed: 2, kind: .incognito)),
            durability: .powerLoss)
        try store.closeBlocking()
        expect(try FileSystem.exists("\(folder.store)/incognito.checksums"))
        // What a deletion leaves that was killed.
        try FileSystem.move(
            "\(folder.store)/incognito", to: "\(folder.store)/incognito.removed")
        try open().closeBlocking()
        let names = try FileSystem.contents(of: folder.store)
        expect(!names.contains { $0.hasPrefix("incognito") })
    }
}
