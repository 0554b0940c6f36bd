import Expectations
import SessionSamples
import TestSupport

@testable import BrowserSessions
@testable import StorageEngines

/// Another program wrote these records, with right checksums.
@Suite("Records with a right checksum and any content")
struct HostileRecordTests {
    private static let limit = StoredNumber.limit

    /// A store with a restore point, two sessions and states.
    private static func fixture() throws -> (StoreFixture, kept: SessionSnapshot) {
        let fixture = try StoreFixture()
        let kept = StoreFixture.window(3, seed: 5)
        try fixture.save(kept)
        try fixture.save(StoreFixture.window(6, seed: 6))
        try fixture.reopen()
        var changes = SessionChanges()
        changes.commitID = CommitID(high: 1, low: 2)
        changes.put(SessionAttributes(title: "later"), for: StoreFixture.window(6, seed: 6).id)
        _ = try fixture.store.saveBlocking(changes, durability: .powerLoss)
        try fixture.store.closeBlocking()
        return (fixture, kept)
    }

    /// Changes the content of a record, or its number, and makes its checksum right.
    private static func rewrite(
        _ frame: [UInt8], _ key: [UInt8], sequence: UInt64? = nil,
        _ change: (inout [UInt8]) -> Void = { _ in }
    ) -> [UInt8] {
        guard frame.count >= RecordFrame.overhead else { return frame }
        var payload = Array(frame[RecordFrame.headerLength..<frame.count - 4])
        change(&payload)
        var bytes = Array(frame[..<RecordFrame.headerLength])
        if let sequence {
            bytes.replaceSubrange(
                2..<10, with: withUnsafeBytes(of: sequence.littleEndian, Array.init))
        }
        let length = UInt32(payload.count).littleEndian
        bytes.replaceSubrange(10..<14, with: withUnsafeBytes(of: length, Array.init))
        bytes += payload
        let sum = key.withUnsafeBytes { CRC32C.checksum(StateKey.frameKey($0)) }
        let checksum = CRC32C.masked(CRC32C.checksum(bytes, continuing: sum))
        return bytes + withUnsafeBytes(of: checksum.littleEndian, Array.init)
    }

    /// Everything that a host or a tool asks. Only errors of the store come, and the store can be saved to
    /// unless its numbers are used up.
    private static func useEverything(of fixture: StoreFixture) throws -> [StorageError.Code] {
        var codes: [StorageError.Code] = []
        func attempt(_ work: () throws -> Void) throws {
            do { try work() } catch let error as StorageError { codes.append(error.code) }
        }
        try attempt {
            try fixture.open()
            let store = fixture.store
            let ids = try store.sessionsBlocking()
            try attempt { _ = try store.summariesBlocking() }
            for point in try store.restorePointsBlocking() {
                let name = SessionVersion.point(point.id)
                try attempt { _ = try store.restoreBlocking(ids, at: name) }
            }
            for id in ids {
                try attempt {
                    _ = try store.statesBlocking(of: store.stateKeysBlocking(in: id))
                    _ = try store.restoreBlocking([id])
                }
            }
            try attempt { _ = try store.checkBlocking() }
            try attempt { try fixture.save(StoreFixture.window(2, seed: 9)) }
            try attempt { _ = try store.checkBlocking(.repair) }
            try attempt { try fixture.save(StoreFixture.window(3, seed: 9)) }
            try attempt { try store.eraseBlocking(.removedData) }
            try attempt { try store.closeBlocking() }
        }
        return codes
    }

    @Test(
        "A number of a change set that is out of range is damage, and the last one ends saving",
        arguments: [limit - 2, limit - 1, limit, limit + 1, 1 << 62, .max - 1, .max], [false, true])
    func sequences(number: UInt64, isManifest: Bool) throws {
        let (fixture, kept) = try Self.fixture()
        let key =
            isManifest
            ? RecordKey.manifestBytes : RecordKey.session(StoreFixture.window(6, seed: 6).id).bytes
        try fixture.edit { records in
            guard let frame = records[.metadata]?[key] else { return }
            records[.metadata]?[key] = Self.rewrite(frame, key, sequence: number)
        }
        let codes = try Self.useEverything(of: fixture)
        expect(codes.allSatisfy { $0 == .tooLarge })
        expect(codes.isEmpty || isManifest && number < Self.limit)
        try fixture.open()
        expect(try fixture.content().contains(kept))
    }

    @Test("Marks of an orderly close out of range are none")
    func marks() throws {
        for word in ["18446744073709551615", "72057594037927936", "-1", "", "x", "1e3"] {
            let (fixture, kept) = try Self.fixture()
            let folder = try PosixDirectory(opening: fixture.folder.store)
            let found = try folder.read("regular.closed")
            var mark = try require(CloseMarkerText(.regular, bytes: found))
            mark.token = word
            try folder.replace("regular.closed", with: mark.bytes)
            expect(try Self.useEverything(of: fixture) == [])
            try fixture.open()
            expect(try fixture.content().contains(kept))
        }
    }

    @Test("Lengths of states that no store accepts are damage of that state alone")
    func lengths() throws {
        for length in [Int64.max, 1 << 56, (1 << 30) + 1, -1, .min] {
            let (fixture, kept) = try Self.fixture()
            try fixture.edit { records in
                for (key, frame) in records[.metadata] ?? .init()
                where key.first == RecordKey.Tag.stateEntry {
                    records[.metadata]?[key] = Self.rewrite(frame, key) { payload in
                        payload.replaceSubrange(
                            10..<18, with: withUnsafeBytes(of: length.littleEndian, Array.init))
                    }
                }
            }
            expect(try Self.useEverything(of: fixture) == [])
            try fixture.open()
            let restored = try fixture.store.restoreBlocking([kept.id])
            expect(restored.first?.tabs, is: kept.tabs.map(\.metadata))
        }
    }

    @Test(
        "Nothing of it stops the process, and what was not touched comes back",
        arguments: 0..<TestRun.amount(8, nightly: 400))
    func anything(seed: Int) throws {
        for round in 0..<8 {
            var generator = SeededGenerator(seed: UInt64(seed * 8 + round))
            let (fixture, kept) = try Self.fixture()
            var touched: Set<[UInt8]> = []
            try fixture.edit { records in
                for _ in 0..<generator.integer(in: 1...3) {
                    let space = generator.pick([KeySpace.metadata, .metadata, .state])
                    let (key, frame) = generator.pick(Array(records[space] ?? .init()))
                    let number =
                        generator.chance(1, in: 4) ? generator.pick(HostileBytes.numbers) : nil
                    records[space]?[key] = Self.rewrite(frame, key, sequence: number) {
                        HostileBytes.change(&$0, using: &generator)
                    }
                    touched.insert(key)
                }
            }
            let codes = try Self.useEverything(of: fixture)
            let comment: Comment = "seed \(seed), round \(round): \(codes)"
            expect(codes.allSatisfy { [.tooLarge, .corrupted].contains($0) }, comment)
            try fixture.open()
            let own = try fixture.store.restoreBlocking([kept.id]).first
            let isTouched = touched.contains { key in
                key == RecordKey.session(kept.id).bytes
                    || kept.tabs.contains { key == StoreFixture.key(of: $0, in: kept) }
            }
            if !isTouched { expect(own?.tabs, is: kept.tabs.map(\.metadata), comment) }
            try fixture.store.closeBlocking()
        }
    }
}
