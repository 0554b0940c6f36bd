internal import BrowserSessions
internal import StorageEngines

/// The files that make up a database: the sum of the edits in the manifest that `CURRENT` names.
///
/// LevelDB trusts the manifest, and stops the process over impossible content, so all of it is
/// checked.
struct LevelDBManifest {
    /// A table, and what the manifest says about it.
    struct Table {
        let number: StoredNumber
        let level: UInt64
        let size: StoredNumber
        let smallest: LevelDBKey
        let largest: LevelDBKey

        var name: String { LevelDBFormat.fileName(number, ".ldb") }
    }

    static let prefix = "MANIFEST-"
    private static let levels: UInt64 = 7

    /// The name of the manifest file.
    var name: String { Self.prefix + LevelDBFormat.digits(number) }
    private let number: StoredNumber
    /// The size of its undamaged part; what follows is an unfinished edit.
    private(set) var size = 0
    /// The tables by their numbers.
    private(set) var tables: [StoredNumber: Table] = [:]
    /// The oldest log with batches that are not in tables; 0 for none.
    private(set) var firstLog = StoredNumber.zero
    private(set) var lastSequence = StoredNumber.zero
    private var nextFile = StoredNumber.zero
    /// The tags of the fields that were found.
    private var seen: Set<UInt64> = []

    init(of directory: any FileDirectory) throws(StorageError) {
        number = try Self.currentNumber(in: directory)
        guard try directory.has(name) else {
            throw LevelDBErrors.corrupted("\(name) is missing")
        }
        let bytes = try directory.readDatabaseFile(name)
        size = bytes.count
        var isWhole = true
        for item in LevelDBLog(bytes).items {
            switch item {
            case .record(_, let edit):
                guard isWhole, apply(edit) else {
                    throw LevelDBErrors.corrupted("\(name) is damaged")
                }
            case .gap(let offset, _):
                if isWhole { size = offset }
                isWhole = false
            }
        }
        // The first edit can lack them; then the second has them.
        guard seen.isSuperset(of: [2, 3, 4]) else {
            throw LevelDBErrors.corrupted("the beginning of \(name) is damaged")
        }
        // LevelDB would overwrite existing files, or stop.
        guard number < nextFile, firstLog < nextFile, tables.keys.allSatisfy({ $0 < nextFile }),
            hasOrderedLevels
        else {
            throw LevelDBErrors.corrupted("\(name) says what cannot be")
        }
    }

    /// Returns the first log, or the last one with a durable name, if it is missing.
    func absentLog(_ names: LevelDBFileNames) -> StoredNumber? {
        var logs = [firstLog]
        if let lasting = names.lastingLog, lasting > firstLog { logs.append(lasting) }
        return logs.first { $0 != .zero && !names.has(LevelDBFormat.fileName($0, ".log")) }
    }

    private static func currentNumber(in directory: any FileDirectory) throws(StorageError)
        -> StoredNumber
    {
        guard try directory.has("CURRENT") else {
            throw LevelDBErrors.corrupted("CURRENT is missing")
        }
        let text = String(
            decoding: try directory.open("CURRENT", mode: .read).read(100, at: 0), as: UTF8.self)
        guard text.hasPrefix(prefix), text.hasSuffix("\n"),
            let number = LevelDBFormat.number(of: "\(text.dropFirst(prefix.count))", "\n")
        else { throw LevelDBErrors.corrupted("CURRENT is damaged") }
        return number
    }

    /// Whether the tables of each level except the first follow each other without sharing keys.
    private var hasOrderedLevels: Bool {
        for level in 1..<Self.levels {
            let tables = tables.values.filter { $0.level == level }
                .sorted { $0.smallest < $1.smallest }
            for (table, next) in zip(tables, tables.dropFirst())
            where table.largest >= next.smallest { return false }
        }
        return true
    }

    /// Applies an edit: a sequence of tagged fields. Returns `false` if it is not an edit.
    private mutating func apply(_ edit: [UInt8]) -> Bool {
        var cursor = LevelDBCursor(edit[...])
        while !cursor.isAtEnd {
            guard let tag = cursor.number(), apply(tag, &cursor) else { return false }
            seen.insert(tag)
        }
        return true
    }

    private mutating func apply(_ tag: UInt64, _ cursor: inout LevelDBCursor) -> Bool {
        switch tag {
        case 1:  // comparator
            return cursor.string()?.elementsEqual("leveldb.BytewiseComparator".utf8) ?? false
        case 2: return set(&firstLog, &cursor)
        case 3: return set(&nextFile, &cursor)
        case 4: return set(&lastSequence, &cursor)
        case 5:  // where the next compaction of a level begins
            return level(&cursor) != nil && cursor.string().flatMap(LevelDBKey.init) != nil
        case 6:  // a table is gone from a level
            guard let level = level(&cursor), let number = cursor.storedNumber() else {
                return false
            }
            return tables.removeValue(forKey: number)?.level == level
        case 7:  // a table is new in a level
            guard let table = table(&cursor) else { return false }
            return tables.updateValue(table, forKey: table.number) == nil
        case 9:  // a second log, which only databases of long ago have
            return cursor.number() == 0
        default: return false
        }
    }

    private func level(_ cursor: inout LevelDBCursor) -> UInt64? {
        cursor.number().flatMap { $0 < Self.levels ? $0 : nil }
    }

    private func table(_ cursor: inout LevelDBCursor) -> Table? {
        guard let level = level(&cursor), let number = cursor.storedNumber(),
            let size = cursor.storedNumber(),
            let smallest = cursor.string().flatMap(LevelDBKey.init),
            let largest = cursor.string().flatMap(LevelDBKey.init), smallest <= largest
        else { return nil }
        return Table(
            number: number, level: level, size: size, smallest: smallest, largest: largest)
    }

    private func set(_ field: inout StoredNumber, _ cursor: inout LevelDBCursor) -> Bool {
        guard let value = cursor.storedNumber() else { return false }
        field = value
        return true
    }
}
