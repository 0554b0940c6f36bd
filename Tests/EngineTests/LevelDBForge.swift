import BrowserSessions
import Expectations
import Foundation
import StorageEngines
import TestSupport

@testable import LevelDBBackend

/// Makes files of a LevelDB database say what none of LevelDB's says, with checksums that are right.
struct LevelDBForge {
    let scratch: TemporaryFolder
    var folder: String { "\(scratch.path)/db" }

    init(_ scratch: TemporaryFolder) { self.scratch = scratch }

    /// A database with tables in several levels and a log, killed or closed.
    static func sample(closed: Bool = false) throws -> TemporaryFolder {
        let original = TemporaryFolder(inMemory: true)
        var store = try LevelDBEngine().open(original.path)
        for round in UInt8(0)..<3 {
            for number in UInt8(0)..<30 {
                let value = [UInt8](repeating: number ^ round, count: 300)
                try store.put(value, [0x74, number, round], durably: number == 29)
                try store.put(value, [number, round], in: .state, durably: false)
            }
            if round == 2 { break }
            try store.close()
            store = try LevelDBEngine().open(original.path)
        }
        if closed { try store.close() }
        let copy = try TemporaryFolder(copying: original.path)
        if !closed { try store.close() }
        return copy
    }

    /// How many records of metadata it has.
    static let keysOfSample = 90

    /// One that was killed and one that was closed, made once.
    static let samples = [Sample(closed: false), Sample(closed: true)]

    struct Sample: Sendable {
        private let files: Result<[String: [UInt8]], any Error>

        init(closed: Bool) {
            files = Result {
                let scratch = try LevelDBForge.sample(closed: closed)
                let names = try TemporaryFolder.files(in: scratch.path)
                return try Dictionary(
                    uniqueKeysWithValues: names.map {
                        ($0, try FileSystem.read("\(scratch.path)/\($0)"))
                    })
            }
        }

        func copy() throws -> TemporaryFolder {
            let scratch = TemporaryFolder(inMemory: true)
            try FileSystem.makeDirectory("\(scratch.path)/db")
            for (name, bytes) in try files.get() {
                try FileSystem.replace("\(scratch.path)/\(name)", with: bytes)
            }
            return scratch
        }
    }

    func path(_ ending: String) throws -> String {
        let names = try FileSystem.contents(of: folder).sorted()
        let name = try require(names.last { $0.hasPrefix(ending) || $0.hasSuffix(ending) })
        return "\(folder)/\(name)"
    }

    func change(_ ending: String, _ body: (inout [UInt8]) throws -> Void) throws {
        let path = try path(ending)
        var bytes = try FileSystem.read(path)
        try body(&bytes)
        try FileSystem.replace(path, with: bytes)
    }

    func add(_ name: String, _ bytes: [UInt8]) throws {
        try FileSystem.replace("\(folder)/\(name)", with: bytes)
    }

    /// Adds a table to the database, in the level that may have any.
    func put(_ table: [UInt8]) throws {
        try add("005000.ldb", table)
        let key = [UInt8](repeating: 0x6D, count: 9) + Self.little(1 << 8 | 1, 8)
        try edit([
            [3] + Self.number(10_000),
            [7, 0] + Self.number(5000) + Self.number(UInt64(table.count)),
            Self.string(key), Self.string(key),
        ])
    }

    /// Adds an edit to the manifest, of numbers and strings.
    func edit(_ parts: [[UInt8]]) throws {
        try change("MANIFEST-") { $0 += Self.record(parts.flatMap { $0 }) }
    }

    static func number(_ value: UInt64) -> [UInt8] {
        var (rest, bytes) = (value, [] as [UInt8])
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    static func string(_ bytes: [UInt8]) -> [UInt8] { number(UInt64(bytes.count)) + bytes }

    static func little(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    static func checksum(_ bytes: some Collection<UInt8>) -> [UInt8] {
        little(UInt64(CRC32C.masked(CRC32C.checksum([UInt8](bytes)))), 4)
    }

    /// A whole record of a log.
    static func record(_ data: [UInt8]) -> [UInt8] {
        checksum([1] + data) + little(UInt64(data.count), 2) + [1] + data
    }

    /// A table of some blocks, with an index of the places that are given or of the blocks.
    static func table(
        _ blocks: [[UInt8]], index: (_ places: [[UInt8]]) -> [UInt8] = { block($0) }
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ block: [UInt8]) -> [UInt8] {
            defer { bytes += block + [0] + checksum(block + [0]) }
            return number(UInt64(bytes.count)) + number(UInt64(block.count))
        }
        let places = blocks.map(append)
        let ends = append(block([])) + append(index(places))
        let padding = [UInt8](repeating: 0, count: 40 - ends.count)
        return bytes + ends + padding + little(0xDB47_7524_8B80_FB57, 8)
    }

    /// A block of values with keys in order.
    static func block(_ values: [[UInt8]]) -> [UInt8] {
        block(
            entries: values.enumerated().map { index, value in
                (0, [0x6D] + little(UInt64(index).byteSwapped, 8) + little(1 << 8 | 1, 8), value)
            })
    }

    /// A block of entries; only the first shares nothing by order.
    static func block(entries: [(shared: UInt64, key: [UInt8], value: [UInt8])]) -> [UInt8] {
        entries.flatMap { entry in
            number(entry.shared) + number(UInt64(entry.key.count))
                + number(UInt64(entry.value.count)) + entry.key + entry.value
        } + little(0, 4) + little(1, 4)
    }
}

extension LevelDBForge {
    /// Opens the database as often as a store would, reads all of it, and salvages it. Only damage is a
    /// reason not to open. Returns how many records came, by opening or by salvage.
    @discardableResult
    func use(wasClosed: Bool = false) throws -> Int {
        let engine = LevelDBEngine()
        var keys: Set<[UInt8]> = []
        let salvaged = try TemporaryFolder(copying: scratch.path)
        do {
            for _ in 0..<2 {
                let store = try engine.open(scratch.path, wasClosed: wasClosed)
                defer { try? store.close() }
                keys = []
                for space in KeySpace.allCases {
                    try store.scan(space, prefix: []) { key, _ in
                        if space == .metadata { keys.insert([UInt8](key)) }
                    }
                }
                try store.put([1], [0xFF, 1])
            }
        } catch let error as StorageError where error.code == .corrupted {
            keys = []
            _ = try engine.salvage(salvaged.path) { space, key, _ in
                if space == .metadata { keys.insert([UInt8](key)) }
            }
            return keys.count
        }
        keys.remove([0xFF, 1])
        return keys.count
    }
}
