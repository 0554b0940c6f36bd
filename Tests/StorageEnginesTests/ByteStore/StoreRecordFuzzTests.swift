import Expectations
import SessionSamples
import Synchronization

@testable import BrowserSessions
@testable import StorageEngines

/// Records of a home that hold anything, with checksums that fit: no opening, save or removal traps, and no
/// namespace goes because a number of it cannot be.
struct StoreRecordFuzzTests {
    private static let key = [UInt8]("home".utf8)
    private static let numbers: [Int64] = [
        0, 1, 2, 3, 1 << 31, 1 << 55, (1 << 56) - 2, (1 << 56) - 1, 1 << 56, .max - 1, .max, .min,
        -1,
    ]
    private let window = SessionID(window: WindowID(high: 1, low: 1))
    private let incognito = SessionID(window: WindowID(high: 1, low: 1), kind: .incognito)

    private func open(_ engine: StrangeConnectedEngine) throws -> OrderedSessionStorage {
        try OrderedSessionStorage(
            opening: StorageConfiguration(location: "somewhere"), engine: engine)
    }

    private func save(in store: OrderedSessionStorage) throws {
        for id in [window, incognito] {
            var changes = SessionChanges()
            changes.put(SessionAttributes(title: "Window"), for: id)
            _ = try store.saveBlocking(changes, durability: .processCrash)
        }
    }

    /// The namespaces of a store that was filled, and closed.
    private func filled() throws -> [String: MemoryRecords] {
        let engine = StrangeConnectedEngine()
        let store = try open(engine)
        try save(in: store)
        try store.closeBlocking()
        return engine.state.withLock { $0.namespaces }
    }

    private func engine(
        _ namespaces: [String: MemoryRecords], _ payload: [UInt8]
    ) -> StrangeConnectedEngine {
        let engine = StrangeConnectedEngine()
        var changed = namespaces
        changed["home"]?[.metadata]?[Self.key] =
            RecordFrame.seal(.root, 0, payload, key: Self.key).bytes
        engine.state.withLock { [changed] in $0.namespaces = changed }
        return engine
    }

    private func record(_ namespaces: [String: MemoryRecords]) throws
        -> StoreRecord
    {
        let value = try require(namespaces["home"]?[.metadata]?[Self.key])
        return try Self.key.withUnsafeBytes { key in
            try value.withUnsafeBytes {
                try StoreRecord(checked: RecordFrame($0, key: key).payload)
            }
        }
    }

    private func payload(_ record: StoreRecord) -> [UInt8] {
        var writer = WireWriter()
        record.encode(to: &writer)
        return writer.bytes
    }

    /// Bits, extreme numbers, parts of texts, lengths.
    private func mutated(_ payload: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = payload
        for _ in 0..<generator.integer(in: 1...3) where bytes.count > 8 {
            let place = generator.integer(in: 0...bytes.count - 8)
            switch generator.integer(in: 0...3) {
            case 0: bytes[place] ^= 1 << UInt8(generator.integer(in: 0...7))
            case 1: bytes.removeSubrange(place..<generator.integer(in: place...bytes.count - 1))
            case 2: bytes.append(contentsOf: bytes[place...])
            default:
                // A fixed number behind its tag, if there is one.
                let tags = bytes.indices.filter { bytes[$0] & 7 == 1 && $0 + 8 < bytes.count }
                let start = tags.isEmpty ? place : generator.pick(tags) + 1
                withUnsafeBytes(of: generator.pick(Self.numbers).littleEndian) {
                    bytes.replaceSubrange(start..<start + 8, with: $0)
                }
            }
        }
        return bytes
    }

    @Test(.timeLimit(.minutes(10)))
    func anything() throws {
        let namespaces = try filled()
        var base = try record(namespaces)
        base.quarantine = [
            .init(namespace: "quarantine-1", time: 7, report: "reason: x", mark: 3),
            .init(namespace: "quarantine-2", time: .max, report: "", mark: .max),
        ]
        (base.quarantineCount, base.quarantineSeen) = (5, 6)
        base.removed = ["incognito-7"]
        var generator = SeededGenerator(seed: 36)
        var refusals = 0
        for number in 0..<1500 {
            let engine = engine(namespaces, mutated(payload(base), &generator))
            do {
                if number % 4 == 0 {
                    _ = try OrderedSessionStorage.remove(
                        StorageConfiguration(location: "somewhere"), engine: engine)
                } else {
                    let store = try open(engine)
                    try save(in: store)
                    try store.deleteIncognitoBlocking()
                    try store.closeBlocking()
                }
            } catch let error as StorageError {
                expect(!error.message.isEmpty)
                refusals += 1
                if error.code == .corrupted {
                    expect(engine.state.withLock { $0.namespaces["regular-1"] } != nil)
                }
            }
        }
        expect(refusals > 100)
    }

    /// Each is well-formed, and would end the process or lose a namespace that is in use.
    @Test(
        arguments: [
            { $0.regular.lastNamespace = .zero }, { $0.regular.repaired = $0.regular.namespace },
            { $0.removed = ["regular-1"] }, { $0.removed = ["home"] },
            { $0.quarantine = [.init(namespace: "incognito-1", time: 0, report: "")] },
        ] as [@Sendable (inout StoreRecord) -> Void])
    func impossible(change: @Sendable (inout StoreRecord) -> Void) throws {
        let namespaces = try filled()
        var record = try record(namespaces)
        change(&record)
        let engine = engine(namespaces, payload(record))
        let before = engine.state.withLock { $0.namespaces }
        for isRemoval in [false, true] {
            let error = expect(throws: StorageError.self) {
                if isRemoval {
                    _ = try OrderedSessionStorage.remove(
                        StorageConfiguration(location: "somewhere"), engine: engine)
                } else {
                    _ = try open(engine)
                }
            }
            expect(error?.code, is: .corrupted)
            expect(engine.state.withLock { $0.namespaces }, is: before)
        }
    }

    /// The last number that there is: what is there can be read, and says so where another is needed.
    @Test func theLastNumber() throws {
        let namespaces = try filled()
        var record = try record(namespaces)
        let last = try require(StoredNumber(StoredNumber.limit - 1))
        record.incognito = StoreRecord.Partition()
        record.incognito.lastNamespace = last
        let engine = engine(namespaces, payload(record))
        let error = expect(throws: StorageError.self) {
            let store = try open(engine)
            expect(try store.restoreBlocking([window]).count == 1)
            try save(in: store)
        }
        expect(error?.code, is: .tooLarge)
    }
}
