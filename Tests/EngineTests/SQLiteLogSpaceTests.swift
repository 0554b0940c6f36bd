import BrowserSessions
import Expectations
import Foundation
import SessionSamples
import StorageEngines
import TestSupport

@testable import SQLiteBackend

/// The zeros that are written behind SQLite's log, and logs that a kill left.
@Suite("SQLite log space")
struct SQLiteLogSpaceTests {
    private let engine = SQLiteEngine()
    private static let frame = 24 + 4096

    private func log(of store: TemporaryFolder) throws -> [UInt8] {
        try FileSystem.read("\(store.path)/sessions.db-wal")
    }

    private func value(_ number: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 100)
    }

    private func expectContents(_ count: Int, of store: any OrderedByteStore) throws {
        var expected: [[UInt8]: [UInt8]] = [:]
        for number in 0..<count { expected[[UInt8(number % 10)]] = value(number) }
        expect(try store.contents(.metadata) == expected)
        expect(try store.verify().isEmpty)
    }

    @Test("Zeros behind the log are its end, for us and for SQLite")
    func zerosBehind() throws {
        let copy = try engine.killedStore(10, keys: 10)
        let bytes = try log(of: copy)
        let end = 32 + 10 * Self.frame
        expect(bytes.count, is: SQLiteLogSpace.chunk)
        expect(bytes[end...].allSatisfy { $0 == 0 })
        let other = try TemporaryFolder(copying: copy.path)
        let database = try SQLiteDatabase(opening: "\(other.path)/sessions.db")
        expect(try database.numbers("SELECT count(*) FROM metadata").map(\.value) == [10])
        expect(try database.texts("PRAGMA integrity_check") == ["ok"])

        let store = try engine.open(copy.path)
        expect(store.openingNotes.isEmpty)
        try expectContents(10, of: store)
        try store.put([1], [9, 9])
        try store.close()
        expect(try FileSystem.contents(of: copy.path) == ["sessions.db"])
        let again = try engine.open(copy.path)
        expect(try again.keys(.metadata).count == 11)
        try again.close()
    }

    @Test("A log of zeros alone is an empty one", arguments: [1, 32, 512, 5000, 1 << 18])
    func zerosAlone(count: Int) throws {
        let scratch = TemporaryFolder(inMemory: true)
        let store = try engine.open(scratch.path)
        try store.put([1], [1])
        try store.close()
        try FileSystem.replace(
            "\(scratch.path)/sessions.db-wal", with: [UInt8](repeating: 0, count: count))
        var found: [[UInt8]: [UInt8]] = [:]
        let copy = try TemporaryFolder(copying: scratch.path)
        let notes = try engine.salvage(copy.path) { found[[UInt8]($1)] = [UInt8]($2) }
        expect(found, is: [[1]: [1]])
        expect(notes.isEmpty)
        let revived = try engine.open(scratch.path)
        expect(revived.openingNotes.count, is: (count > SQLiteLog.headerSize ? 1 : 0))
        try revived.put([2], [2])
        try revived.close()
        expect(try FileSystem.contents(of: scratch.path) == ["sessions.db"])
        let again = try engine.open(scratch.path)
        expect(try again.contents(.metadata) == [[1]: [1], [2]: [2]])
        try again.close()
    }

    @Test("A log that begins with zeros is damaged", arguments: [32, 56, 512, 4096])
    func lostBeginning(count: Int) throws {
        let copy = try engine.killedStore(10, keys: 10)
        var bytes = try log(of: copy)
        for place in 0..<count { bytes[place] = 0 }
        try FileSystem.replace("\(copy.path)/sessions.db-wal", with: bytes)
        let error = expect(throws: StorageError.self) { try engine.open(copy.path) }
        expect(error?.code, is: .corrupted)
        var found: Set<[UInt8]> = []
        _ = try engine.salvage(copy.path) { _, key, _ in found.insert([UInt8](key)) }
        expect(found.count, is: 10)
    }

    @Test("Damage in the zeros costs nothing", arguments: [0, 3, 5, 8, 20, 24, 2000])
    func damagedZeros(place: Int) throws {
        let copy = try engine.killedStore(10, keys: 10)
        var bytes = try log(of: copy)
        bytes[32 + 10 * Self.frame + place] ^= 0x10
        bytes[32 + 12 * Self.frame + place] ^= 0x01
        try FileSystem.replace("\(copy.path)/sessions.db-wal", with: bytes)
        let store = try engine.open(copy.path)
        expect(store.openingNotes.isEmpty)
        try expectContents(10, of: store)
        try store.close()
    }

    @Test("Only synced saves prepare space, and no more than the next ones need")
    func amount() throws {
        let unsynced = try engine.killedStore(10, durably: false, keys: 10)
        expect(try log(of: unsynced).count == 32 + 10 * Self.frame)
        expect(try log(of: engine.killedStore(1, keys: 10)).count == SQLiteLogSpace.chunk)
        // There is place for 63 frames, and 8 must be left.
        expect(try log(of: engine.killedStore(55, keys: 10)).count == SQLiteLogSpace.chunk)
        expect(try log(of: engine.killedStore(56, keys: 10)).count == 2 * SQLiteLogSpace.chunk)
    }

    @Test("Space is prepared for eight commits like the last, unless it was very large")
    func largeCommits() throws {
        for pages in [25, 80] {
            let scratch = TemporaryFolder(inMemory: true)
            let store = try engine.open(scratch.path)
            try store.put([UInt8](repeating: 1, count: 4096 * pages), [1], in: .state)
            let bytes = try log(of: scratch)
            // From the last byte that is not zero to the end of its frame.
            let used = (bytes.lastIndex { $0 != 0 } ?? 0) + 1
            let end = 32 + (used - 32 + Self.frame - 1) / Self.frame * Self.frame
            let commits = bytes.count / end - 1
            expect(commits, is: (pages < 64 ? 8 : 0), "\(bytes.count) bytes after \(end)")
            try store.close()
        }
    }

    @Test("A log that wrapped needs no zeros, and loses nothing")
    func wrapped() throws {
        let original = TemporaryFolder(inMemory: true)
        let store = try engine.open(original.path)
        var sizes: Set<Int> = []
        for number in 0..<2500 {
            try store.put(value(number), [UInt8(number % 10)])
            if store.wantsMaintenance {
                try store.maintain()
                expect(!store.wantsMaintenance)
                sizes.insert(try log(of: original).count)
            }
        }
        expect(sizes.count, is: 1)
        let copy = try TemporaryFolder(copying: original.path)
        try store.close()
        for path in [copy.path, original.path] {
            let revived = try engine.open(path)
            try expectContents(2500, of: revived)
            try revived.close()
        }
    }

    @Test("A large log that a kill left is copied into the database when the store is opened")
    func largeLog() throws {
        for (count, isLarge) in [(700, false), (1100, true)] {
            let copy = try engine.killedStore(count, keys: 10)
            let store = try engine.open(copy.path)
            expect(try log(of: copy).isEmpty == isLarge)
            expect(store.openingNotes.isEmpty)
            try expectContents(count, of: store)
            try store.close()
        }
    }
}

@Suite(
    "SQLite log space on a full disk", .serialized,
    .enabled(if: SmallDisk.isPossible, "mounting a small tmpfs needs more rights"))
struct SQLiteLogSpaceFullDiskTests {
    @Test("The last space of a disk is left for saves")
    func noSpace() throws {
        let disk = try SmallDisk(kibibytes: 1 << 10)
        let path = "\(disk.path)/sessions.db"
        let original = [UInt8](repeating: 7, count: 32 + 24 + 4096)
        for (reserve, filler, expected) in [
            (0, 900 << 10, original.count), (2 << 20, 0, original.count),
            (0, 0, SQLiteLogSpace.chunk),
        ] {
            try FileSystem.replace(path + "-wal", with: original)
            try FileSystem.replace(
                "\(disk.path)/filler", with: [UInt8](repeating: 1, count: filler))
            var space = SQLiteLogSpace(
                in: try PosixDirectory(opening: disk.path), reserve: reserve)
            space.extend(behind: 1)
            let bytes = try FileSystem.read(path + "-wal")
            expect(bytes.count, is: expected)
            expect(bytes.starts(with: original))
            expect(bytes.dropFirst(original.count).allSatisfy { $0 == 0 })
        }
    }

    @Test("A closed store on a disk that takes no more files can be read")
    func noFiles() throws {
        let engine = SQLiteEngine()
        let disk = try SmallDisk(kibibytes: 16 << 10, files: 8)
        // A name that has a meaning in the names that SQLite takes.
        let path = "\(disk.path)/a?b=c%20#d"
        try FileSystem.makeDirectory(path)
        let store = try engine.open(path)
        try store.put([1], [1])
        try store.close()
        var fillers: [String] = []
        while fillers.count < 8 {
            let filler = "\(disk.path)/filler\(fillers.count)"
            guard (try? PosixFile(opening: filler, flags: O_WRONLY | O_CREAT)) != nil else { break }
            fillers.append(filler)
        }
        let full = try engine.open(path, wasClosed: true)
        for _ in 1...2 {
            expect(try full.contents(.metadata) == [[1]: [1]])
            expect(try full.verify().isEmpty)
            let error = expect(throws: StorageError.self) { try full.put([2], [2]) }
            expect(error?.code == .outOfSpace && error?.effect == .notApplied)
        }
        // It was closed in order, and is again.
        try engine.open(path, wasClosed: true).close()
        try FileSystem.remove(fillers[0])
        try FileSystem.remove(fillers[1])
        try full.put([2], [2])
        try full.close()
        let again = try engine.open(path)
        expect(try again.contents(.metadata) == [[1]: [1], [2]: [2]])
        try again.close()
    }

    @Test("A full disk with a large log that a kill left can be read")
    func largeLogOnFullDisk() throws {
        let engine = SQLiteEngine()
        let disk = try SmallDisk(kibibytes: 16 << 10)
        let original = TemporaryFolder(inMemory: true)
        let store = try engine.open(original.path)
        var random = SeededGenerator(seed: 6)
        var expected: [[UInt8]: [UInt8]] = [:]
        for number in UInt8(0)..<60 {
            expected[[number]] = random.bytes(90_000)
            try store.put(expected[[number]] ?? [], [number], in: .state)
        }
        let path = "\(disk.path)/store"
        try FileSystem.copy(original.path, to: path)
        try store.close()
        try disk.fill()
        let full = try engine.open(path)
        expect(try full.contents(.state) == expected)
        try disk.release()
        try full.put([1], [1])
        try full.close()
        let revived = try engine.open(path)
        expect(try revived.contents(.state) == expected)
        expect(try revived.contents(.metadata) == [[1]: [1]])
        try revived.close()
    }
}
