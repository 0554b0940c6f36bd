import BrowserSessions
import Expectations
import Foundation
import SessionSamples
import StorageEngines
import TestSupport

@testable import LevelDBBackend

/// What LevelDB alone gets wrong, and the engine puts right.
@Suite("LevelDB engine")
struct LevelDBTests {
    private let engine = LevelDBEngine()

    @Test("Maintenance lets replaced metadata go, and so does closing")
    func replacedMetadata() throws {
        let scratch = TemporaryFolder(inMemory: true)
        let store = try engine.open(scratch.path)
        var rounds = 0
        var number = 0
        // Ends in the middle of a round, with more than a megabyte in the log.
        while rounds < 3 || number % 500 != 0 {
            let value = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 4000)
            try store.put(value, [UInt8(number % 100)], durably: false)
            number += 1
            guard store.wantsMaintenance else { continue }
            try store.maintain()
            rounds += 1
            // What is live takes 0.4 MB, what was written four times as much and more.
            if rounds > 1 { try expect(tableBytes(of: scratch) < 1 << 20) }
        }
        expect(number > 3000)
        try store.maintain()
        expect(!store.wantsMaintenance)
        try store.close()
        expect(try tableBytes(of: scratch) < 1 << 20)
        let again = try engine.open(scratch.path)
        expect(try again.verify().isEmpty)
        expect(try again.contents(.metadata).count == 100)
        try again.close()
    }

    private func tableBytes(of store: TemporaryFolder) throws -> Int {
        let folder = "\(store.path)/db"
        let tables = try FileSystem.contents(of: folder).filter { $0.hasSuffix(".ldb") }
        return try tables.map { try FileSystem.status("\(folder)/\($0)")?.size ?? 0 }.reduce(0, +)
    }

    private func log(of store: TemporaryFolder) throws -> String {
        let names = try FileSystem.contents(of: "\(store.path)/db")
        let name = try require(names.last { $0.hasSuffix(".log") })
        return "\(store.path)/db/\(name)"
    }

    private func records(_ path: String) throws -> [(offset: Int, batch: LevelDBBatchRecord)] {
        try LevelDBLog(FileSystem.read(path)).items.compactMap { item in
            guard case .record(let offset, let bytes) = item else { return nil }
            return LevelDBBatchRecord(bytes).map { (offset, $0) }
        }
    }

    @Test(
        "A durable save with a destroyed end is missed as soon as another has begun",
        arguments: [true, false])
    func destroyedEnd(durably: Bool) throws {
        let original = TemporaryFolder(inMemory: true)
        let store = try engine.open(original.path)
        try store.put([1], [1])
        try store.put([UInt8](repeating: 2, count: 20_000), [2], durably: durably)
        try store.put([UInt8](repeating: 3, count: 20_000), [3])
        let copy = try TemporaryFolder(copying: original.path)
        try store.close()
        let last = try require(try records(log(of: copy)).last)
        // Of the last one, its first fragment alone.
        try FileSystem.change(log(of: copy)) {
            $0[last.offset - 100] ^= 0x5A
            $0.removeSubrange(LevelDBLog.blockSize...)
        }
        try copy.expectDestroyedEnd(behind: [[1]], isMissed: durably, by: engine)
    }

    @Test("A torn last write is left out with a note")
    func tornTail() throws {
        let sample = try engine.killedStore(10, durably: true)
        let last = try require(try records(log(of: sample)).last)
        let size = try FileSystem.read(log(of: sample)).count
        for end in [last.offset + 1, last.offset + 7, last.offset + 50, size - 1] {
            let copy = try TemporaryFolder(copying: sample.path)
            try FileSystem.change(log(of: copy)) { $0.removeSubrange(end...) }
            let store = try engine.open(copy.path)
            expect(store.openingNotes.count, is: 1)
            expect(try store.keys(.metadata) == (0..<9).map { [$0] })
            try store.close()
        }
        for damage in [last.offset, last.offset + 5, last.offset + 60, size - 1] {
            let copy = try TemporaryFolder(copying: sample.path)
            try FileSystem.change(log(of: copy)) { bytes in
                for index in damage..<bytes.count { bytes[index] = 0 }
            }
            let store = try engine.open(copy.path)
            expect(try store.keys(.metadata) == (0..<9).map { [$0] })
            try store.close()
        }
    }

    @Test("A lost durable write is damage, and nothing is changed", arguments: [0, 4, 8])
    func lostDurableWrite(index: Int) throws {
        let copy = try engine.killedStore(10, durably: true)
        let path = try log(of: copy)
        let offset = try records(path)[index].offset
        try FileSystem.change(path) { $0[offset + 30] ^= 4 }
        let before = try FileSystem.read(path)
        let error = expect(throws: StorageError.self) { try engine.open(copy.path) }
        expect(error?.code, is: .corrupted)
        expect(try FileSystem.read(path) == before)
    }

    @Test("Of unsynced writes a prefix survives", arguments: [0, 4, 9])
    func lostUnsyncedWrite(index: Int) throws {
        let copy = try engine.killedStore(10, durably: false)
        let path = try log(of: copy)
        let offset = try records(path)[index].offset
        try FileSystem.change(path) { $0[offset + 30] ^= 4 }
        let store = try engine.open(copy.path)
        expect(store.openingNotes.count, is: 1)
        expect(try store.keys(.metadata) == (0..<UInt8(index)).map { [$0] })
        try store.close()
    }

    @Test("A write in a later log does not survive one that the earlier log lost")
    func gapBetweenLogs() throws {
        for (durably, skipped) in [(false, 1), (true, 1), (false, 0)] {
            let copy = try engine.killedStore(5, durably: durably)
            let path = try log(of: copy)
            let next = try require(try records(path).last?.batch.next).value
            let number = try require(
                path.split(separator: "/").last.flatMap {
                    LevelDBFormat.number(of: String($0), ".log")
                })
            let mark = durably ? [LevelDBFormat.mark] : []
            let bytes = Self.log(sequence: next + UInt64(skipped), removing: mark + [[0x6D, 0]])
            let after = try require(number.adding(100))
            let later = "\(copy.path)/db/\(LevelDBFormat.fileName(after, ".log"))"
            try FileSystem.replace(later, with: bytes)
            guard !durably else {
                let error = expect(throws: StorageError.self) { try engine.open(copy.path) }
                expect(error?.code, is: .corrupted)
                continue
            }
            let store = try engine.open(copy.path)
            expect(store.openingNotes.count, is: skipped)
            expect(try store.keys(.metadata).count == (skipped == 0 ? 4 : 5))
            try store.close()
        }
    }

    /// A log with one batch of removals.
    private static func log(sequence: UInt64, removing keys: [[UInt8]]) -> [UInt8] {
        func little(_ number: UInt64, _ bytes: Int) -> [UInt8] {
            (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        let operations: [UInt8] = keys.flatMap { key -> [UInt8] in [0, UInt8(key.count)] + key }
        let batch = little(sequence, 8) + little(UInt64(keys.count), 4) + operations
        let crc = CRC32C.masked(CRC32C.checksum([1] + batch))
        return little(UInt64(crc), 4) + little(UInt64(batch.count), 2) + [1] + batch
    }

    @Test("The sequence number is known at any time")
    func sequence() throws {
        let scratch = TemporaryFolder(inMemory: true)
        let store = try engine.open(scratch.path)
        var random = SeededGenerator(seed: 3)
        for number in UInt8(0)..<100 {
            try store.put(random.bytes(90_000), [number], in: .state, durably: number % 3 == 0)
            if store.wantsMaintenance { try store.maintain() }
        }
        // 100 records, and a mark after each of the 34 durable ones and after opening.
        expect(
            try LevelDBInspection(of: PosixDirectory(opening: "\(scratch.path)/db")).lastSequence
                .value
                == 134)
        try store.close()
    }

    @Test("Maintenance ends the log, so that opening is fast")
    func maintenance() throws {
        let scratch = TemporaryFolder(inMemory: true)
        let store = try engine.open(scratch.path)
        for number in UInt8(0)..<5 {
            try store.put([UInt8](repeating: number, count: 1 << 20), [number], in: .state)
        }
        expect(store.wantsMaintenance)
        try store.maintain()
        let copy = try TemporaryFolder(copying: scratch.path)
        expect(try FileSystem.read(log(of: copy)).isEmpty)
        expect(try FileSystem.contents(of: "\(copy.path)/db").contains { $0.hasSuffix(".ldb") })
        try store.close()
    }

    @Test("Salvage reads compressed tables, and tables without an index", arguments: [false, true])
    func salvageTables(losesIndex: Bool) throws {
        let scratch = TemporaryFolder(inMemory: true)
        var engine = engine
        engine.settings.compression = .snappy
        var values: [[UInt8]: [UInt8]] = [:]
        let store = try engine.open(scratch.path)
        var random = SeededGenerator(seed: 5)
        for number in UInt8(0)..<200 {
            let phrase = random.bytes(20)
            let value = (0..<100).flatMap { _ in phrase + random.bytes(3) }
            values[[number]] = value
            try store.put(value, [number], in: .state, durably: false)
        }
        try store.put([UInt8](repeating: 7, count: 5 << 20), [1], durably: false)
        try store.maintain()
        try store.close()
        if losesIndex {
            for name in try FileSystem.contents(of: "\(scratch.path)/db")
            where name.hasSuffix(".ldb") {
                try FileSystem.change("\(scratch.path)/db/\(name)") { $0.removeLast(40) }
            }
        }
        var found: [[UInt8]: [UInt8]] = [:]
        let notes = try engine.salvage(scratch.path) { space, key, value in
            if space == .state { found[[UInt8](key)] = [UInt8](value) }
        }
        expect(found.count == values.count && found == values)
        expect(notes.isEmpty, is: !losesIndex)
    }

    @Test("A damaged byte of a block costs salvage one value")
    func salvageDamagedBlock() throws {
        let scratch = TemporaryFolder(inMemory: true)
        let store = try engine.open(scratch.path)
        // All of them are in one block, with a large one that closes it.
        let large = (0..<8000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        for number in UInt8(0)..<20 { try store.put([number, 1, 2], [number], durably: false) }
        try store.put(large, [20], durably: false)
        try store.put([UInt8](repeating: 7, count: 5 << 20), [21], durably: false)
        try store.maintain()
        try store.close()
        var changed = 0
        for name in try FileSystem.contents(of: "\(scratch.path)/db") where name.hasSuffix(".ldb") {
            try FileSystem.change("\(scratch.path)/db/\(name)") { bytes in
                let place = Data(bytes).range(of: Data(large[4000..<4100]))
                guard let start = place?.lowerBound else { return }
                bytes[start] ^= 1
                changed += 1
            }
        }
        expect(changed, is: 1)
        var found: [[UInt8]: [UInt8]] = [:]
        let notes = try engine.salvage(scratch.path) { _, key, value in
            found[[UInt8](key)] = [UInt8](value)
        }
        for number in UInt8(0)..<20 { expect(found[[number]], is: [number, 1, 2]) }
        expect(found[[20]] != large)
        expect(!notes.isEmpty)
    }

    @Test("A damaged byte of a log costs salvage one value", arguments: [1000, 70_000])
    func salvageDamagedLog(size: Int) throws {
        let large = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        let original = TemporaryFolder(inMemory: true)
        let store = try engine.open(original.path)
        for number in UInt8(0)..<3 {
            var batch = ByteBatch()
            batch.put([number, 1], for: [number], in: .metadata)
            batch.put(number == 1 ? large : [number, 2], for: [number], in: .state)
            try store.write(batch, durably: true)
        }
        let copy = try TemporaryFolder(copying: original.path)
        try store.close()
        try FileSystem.change(log(of: copy)) { bytes in
            let place = Data(bytes).range(of: Data(large[500..<520]))
            bytes[place?.lowerBound ?? 0] ^= 1
        }
        var found: [KeySpace: [[UInt8]: [UInt8]]] = [:]
        let notes = try engine.salvage(copy.path) { space, key, value in
            found[space, default: [:]][[UInt8](key)] = [UInt8](value)
        }
        expect(found[.metadata], is: [[0]: [0, 1], [1]: [1, 1], [2]: [2, 1]])
        expect(found[.state]?[[0]] == [0, 2] && found[.state]?[[2]] == [2, 2])
        expect(found[.state]?[[1]] != large)
        expect(!notes.isEmpty)
    }

    @Test(
        "a log that an opening left counts only if LevelDB has not read it",
        arguments: [true, false])
    func leftLog(isRead: Bool) throws {
        let scratch = TemporaryFolder(inMemory: true)
        var store = try engine.open(scratch.path)
        try store.put([1], [1])
        let name = try log(of: scratch)
        let early = try FileSystem.read(name)
        try store.put([2], [1])
        let late = try FileSystem.read(name)
        try store.close()
        if isRead {
            // It has lost its end since: what is left is older than what LevelDB made of it.
            store = try engine.open(scratch.path)
            try store.close()
            try FileSystem.replace("\(name).kept", with: early)
        } else {
            // As if LevelDB had not seen it and removed it.
            try FileSystem.replace(name, with: [])
            store = try engine.open(scratch.path)
            expect(try store.value(of: [1], in: .metadata) == nil)
            try store.close()
            try FileSystem.replace("\(name).kept", with: late)
        }
        store = try engine.open(scratch.path)
        expect(try store.value(of: [1], in: .metadata) == [2])
        try store.close()
        store = try engine.open(scratch.path)
        expect(try store.value(of: [1], in: .metadata) == [2])
        expect(try TemporaryFolder.files(in: scratch.path).allSatisfy { !$0.hasSuffix(".kept") })
        try store.close()
    }

    @Test(
        "copies in memory of processes that were killed are swept, those in use are not",
        .enabled(if: TemporaryFolder.memory != nil))
    func copiesInMemory() throws {
        let memory = try PosixDirectory(opening: "/dev/shm")
        let (left, used) = (
            "browser-sessions-copy-left-\(UUID())", "browser-sessions-copy-used-\(UUID())"
        )
        try memory.makeDirectory(used)
        defer { try? memory.remove(used) }
        let holder = try memory.directory(used)
        expect(try holder.lock())
        try memory.makeDirectory(left)
        // A test in another process may sweep it at this very moment.
        try? memory.directory(left).create("000001.log", with: [1, 2, 3])
        let scratch = TemporaryFolder(inMemory: true)
        try engine.open(scratch.path).close()
        expect(try !memory.has(left))
        expect(try memory.has(used))
        holder.unlock()
    }

    /// Another process that sweeps meets a copy that is just being made: it has it open, or is done with it.
    @Test(.enabled(if: TemporaryFolder.memory != nil))
    func aCopyThatIsMadeWhileOthersSweep() throws {
        let scratch = TemporaryFolder(inMemory: true)
        try engine.open(scratch.path).close()
        let database = try PosixDirectory(opening: scratch.path)
        let memory = try PosixDirectory(opening: "/dev/shm")
        var made: [String] = []
        var swept: (any FileDirectory)?
        let copy = try LevelDBMemoryCopy.make(
            of: database, because: StorageError(.outOfSpace, "the disk is full")
        ) { name in
            made.append(name)
            switch made.count {
            case 1: LevelDBMemoryCopy.sweep()
            case 2:
                swept = try? memory.directory(name)
                _ = try? swept?.lock()
            default: break
            }
        }
        // Other tests sweep, too.
        expect(made.count >= 3)
        expect(try copy.directory.names() == database.names())
        expect(try copy.directory.whereabouts() != .removed)
        swept?.unlock()
        LevelDBMemoryCopy.sweep()
        let there = try made.filter { try memory.has($0) }
        expect(there, is: [made[made.count - 1]])
    }
}
