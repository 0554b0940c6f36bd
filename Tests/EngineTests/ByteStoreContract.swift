import BrowserSessions
import Expectations
import SessionSamples
import StorageEngines
import TestSupport

/// What the core expects of every engine.
@Suite("Ordered byte store", .serialized)
struct ByteStoreContract {
    @Test("The order of a batch counts, whatever is removed beside it", arguments: TestedEngine.all)
    func batchOrder(tested: TestedEngine) throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<60 {
            let scratch = TemporaryFolder(inMemory: true)
            let store = try tested.engine.open(scratch.path)
            var expected: [[UInt8]: [UInt8]] = [:]
            for number in UInt8(0)..<3 {
                try store.put([number], [number], in: .state, durably: false)
                expected[[number]] = [number]
            }
            var batch = ByteBatch()
            for number in UInt8(10)..<16 {
                let key = [UInt8(Int.random(in: 0..<5, using: &random))]
                if Bool.random(using: &random) {
                    batch.put([number], for: key, in: .state)
                    expected[key] = [number]
                } else {
                    batch.remove(key, in: .state)
                    expected[key] = nil
                }
            }
            try store.write(batch, durably: false)
            expect(try store.contents(.state) == expected)
            try store.close()
        }
    }

    @Test("Scans are in the order of bytes and keep to the prefix", arguments: TestedEngine.all)
    func scanOrder(tested: TestedEngine) throws {
        let scratch = TemporaryFolder(inMemory: true)
        let store = try tested.engine.open(scratch.path)
        let keys: [[UInt8]] = [
            [0], [0, 0], [0, 1], [0x7F, 0xFF], [0x80], [0x80, 0], [0xFE, 0xFF], [0xFF],
            [0xFF, 0], [0xFF, 0xFF], [0xFF, 0xFF, 1],
        ]
        var batch = ByteBatch()
        for key in keys.shuffled() { batch.put(key, for: key, in: .metadata) }
        try store.write(batch, durably: true)
        expect(try store.keys(.metadata) == keys)
        for prefix in keys + [[0x7F], [0xFE], [1], [0xFF, 0xFF, 0xFF]] {
            let expected = keys.filter { $0.starts(with: prefix) }
            expect(try store.keys(.metadata, prefix: prefix) == expected)
        }
        expect(try store.keys(.state).isEmpty)
        try store.close()
    }

    @Test("What a visitor throws ends the scan and comes out", arguments: TestedEngine.all)
    func scanError(tested: TestedEngine) throws {
        struct Stop: Error {}
        let scratch = TemporaryFolder(inMemory: true)
        let store = try tested.engine.open(scratch.path)
        for number in UInt8(0)..<5 { try store.put([number], [number], durably: false) }
        var visits = 0
        expect(throws: Stop.self) {
            try store.scan(.metadata, prefix: []) { _, _ in
                visits += 1
                if visits == 3 { throw Stop() }
            }
        }
        expect(visits, is: 3)
        expect(try store.keys(.metadata).count == 5)
        try store.close()
    }

    @Test("A store that is let go releases its files", arguments: TestedEngine.all)
    func letGo(tested: TestedEngine) throws {
        let scratch = TemporaryFolder(inMemory: true)
        let (place, trash) = ("\(scratch.path)/store", "\(scratch.path)/trash")
        try FileSystem.makeDirectory(place)
        var store: (any OrderedByteStore)? = try tested.engine.open(place)
        try store?.put([1], [1])
        store = nil
        for round in UInt8(0)..<2 {
            store = try tested.engine.open(place)
            expect(try store?.keys(.metadata).count == 1 - Int(round))
            try FileSystem.move(place, to: trash)
            store = nil
            try FileSystem.remove(trash)
            try FileSystem.makeDirectory(place)
        }
    }

    @Test("A closed store says so", arguments: TestedEngine.all)
    func closed(tested: TestedEngine) throws {
        let scratch = TemporaryFolder(inMemory: true)
        let store = try tested.engine.open(scratch.path)
        try store.close()
        expect(expect(throws: StorageError.self) { try store.put([1], [1]) }?.code, is: .closed)
        expect(expect(throws: StorageError.self) { try store.keys(.metadata) }?.code, is: .closed)
    }

    @Test("It does as a dictionary does", arguments: TestedEngine.all, [UInt64(1), 2, 3])
    func model(tested: TestedEngine, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let scratch = TemporaryFolder(inMemory: true)
        var store = try tested.engine.open(scratch.path)
        var model: [KeySpace: [[UInt8]: [UInt8]]] = [.metadata: [:], .state: [:]]
        for step in 0..<300 {
            var batch = ByteBatch()
            var used: Set<[UInt8]> = []
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let space = Bool.random(using: &random) ? KeySpace.metadata : .state
                let key: [UInt8] = [space.rawValue, UInt8.random(in: 0..<60, using: &random), 0]
                guard used.insert(key).inserted else { continue }
                if Int.random(in: 0..<4, using: &random) == 0 {
                    batch.remove(key, in: space)
                    model[space]?[key] = nil
                } else {
                    let value = random.bytes(Int.random(in: 0..<9000, using: &random))
                    batch.put(value, for: key, in: space)
                    model[space]?[key] = value
                }
            }
            try store.write(batch, durably: Bool.random(using: &random))
            guard step % 60 == 59 else { continue }
            // Neither nothing nor the same once more changes anything.
            try store.write(ByteBatch(), durably: true)
            try store.write(batch, durably: true)
            try store.close()
            store = try tested.engine.open(scratch.path)
            for space in KeySpace.allCases {
                expect(try store.contents(space) == model[space])
                let order = model[space]?.keys.sorted { $0.lexicographicallyPrecedes($1) }
                expect(try store.keys(space) == order)
            }
        }
        try store.close()
    }
}
