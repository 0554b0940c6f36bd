import BrowserSessions
import DirectoryBackend
import Expectations
import SessionSamples
import StorageEngines
import TestSupport

@Suite("Directory engine")
struct DirectoryTests {
    @Test("Programs that never close the store do not leave a log each")
    func neverClosed() throws {
        let scratch = TemporaryFolder(inMemory: true)
        let engine = DirectoryEngine()
        var most = 0
        for number in UInt8(1)...60 {
            // Not closed, as after a kill.
            let store = try engine.open(scratch.path)
            expect(try store.contents(.metadata).count == Int(number) - 1)
            try store.put([number], [number], durably: false)
            try store.put([number], [number % 4], in: .state, durably: false)
            most = max(most, try TemporaryFolder.files(in: scratch.path).count)
        }
        expect(most <= 24)
        let store = try engine.open(scratch.path)
        expect(
            try store.contents(.metadata)
                == Dictionary(
                    uniqueKeysWithValues: (UInt8(1)...60).map { ([$0], [$0]) }))
        expect(try store.contents(.state) == [[1]: [57], [2]: [58], [3]: [59], [0]: [60]])
        try store.close()
    }

    @Test("An empty state is there when its log is gone, and is salvaged")
    func emptyState() throws {
        let scratch = TemporaryFolder(inMemory: true)
        let engine = DirectoryEngine()
        for number in UInt8(1)...6 {
            let store = try engine.open(scratch.path)
            if number == 1 { try store.put([], [0], in: .state) }
            try store.put([number], [number])
            expect(try store.contents(.state) == [[0]: []])
            expect(try store.verify().isEmpty)
            try store.close()
        }
        expect(try !FileSystem.exists("\(scratch.path)/00000001.log"))
        var salvaged: [[UInt8]: [UInt8]] = [:]
        _ = try engine.salvage(scratch.path) { space, key, value in
            if space == .state { salvaged[[UInt8](key)] = [UInt8](value) }
        }
        expect(salvaged, is: [[0]: []])
    }

    @Test("State that is replaced again and again takes bounded space while the store is open")
    func replacedState() throws {
        let scratch = TemporaryFolder(inMemory: true)
        let store = try DirectoryEngine().open(scratch.path)
        // Stays, in a log with other bytes that are replaced.
        try store.put([UInt8](repeating: 7, count: 50_000), [0], in: .state)
        var most = 0
        for number in 0..<1500 {
            let value = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 10_000)
            try store.put(value, [1], in: .state, durably: false)
            if store.wantsMaintenance { try store.maintain() }
            guard number % 50 == 0 else { continue }
            let files = try FileSystem.contents(of: scratch.path)
            let sizes = try files.map {
                try FileSystem.status("\(scratch.path)/\($0)")?.size ?? 0
            }
            most = max(most, sizes.reduce(0, +))
        }
        // Of 15 MB.
        expect(most < 5 << 20)
        try store.close()
        let again = try DirectoryEngine().open(scratch.path)
        expect(try again.value(of: [0], in: .state)?.count == 50_000)
        expect(try again.value(of: [1], in: .state)?.first == UInt8(truncatingIfNeeded: 1499))
        try again.close()
    }

    /// The most bytes on the disk while values of state are written over and over, never with a pause.
    private func mostBytes(
        _ engine: DirectoryEngine = DirectoryEngine(), writes: Int, of size: Int, keys: Int,
        atOnce: Int = 1
    ) throws -> Int {
        let scratch = TemporaryFolder(inMemory: true)
        let store = try engine.open(scratch.path)
        var random = SeededGenerator(seed: 17)
        var written: [[UInt8]: UInt8] = [:]
        var most = 0
        for number in 0..<writes {
            var batch = ByteBatch()
            for _ in 0..<atOnce {
                let key = [UInt8.random(in: 0..<UInt8(keys), using: &random)]
                guard written.updateValue(UInt8(number % 250), forKey: key) != UInt8(number % 250)
                else { continue }
                batch.put(
                    [UInt8](repeating: UInt8(number % 250), count: size), for: key, in: .state)
            }
            try store.write(batch, durably: number % 100 == 0)
            guard number % 10 == 0 else { continue }
            let sizes = try FileSystem.contents(of: scratch.path).map {
                try FileSystem.status("\(scratch.path)/\($0)")?.size ?? 0
            }
            most = max(most, sizes.reduce(0, +))
        }
        expect(try store.verify() == [])
        try store.scan(.state, prefix: []) { key, value in
            expect(value.first == written[[UInt8](key)] && value.count == size)
        }
        return most
    }

    @Test("State that is replaced without a pause takes bounded space")
    func noPause() throws {
        // 100 MB.
        expect(try mostBytes(writes: 2000, of: 50_000, keys: 1) < 20 << 20)
        // All that is written is live for a while: 12 MB of 80 MB.
        expect(try mostBytes(writes: 800, of: 100_000, keys: 120) < 2 * 12_000_000 + (24 << 20))
    }

    @Test("Small logs with a little that is live do not add up")
    func smallLogs() throws {
        var engine = DirectoryEngine()
        engine.settings.segmentBytes = 64 << 10
        let scratch = TemporaryFolder(inMemory: true)
        let store = try engine.open(scratch.path)
        for number in 0..<1500 {
            // Each log keeps a key that is not written again.
            if number.isMultiple(of: 3) {
                try store.put(
                    [1], [UInt8(number / 250), UInt8(number % 250)], in: .state, durably: false)
            }
            try store.put([UInt8](repeating: 1, count: 30_000), [0], in: .state, durably: false)
        }
        var bytes = 0
        for name in try FileSystem.contents(of: scratch.path) {
            bytes += try FileSystem.status("\(scratch.path)/\(name)")?.size ?? 0
        }
        expect(bytes < 24 << 20)
        expect(try store.keys(.state).count == 501)
        expect(try store.verify() == [])
    }
}
