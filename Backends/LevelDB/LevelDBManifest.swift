internal import BrowserSessions
internal import StorageEngines

/// The files that make up a database: the sum of the edits in the manifest that `CURRENT` names.
struct LevelDBManifest {
    /// The name of the manifest file.
    let name: String
    /// The bytes of it that are undamaged; what follows is an edit whose writing never ended.
    private(set) var size = 0
    /// The size of each table, by its number.
    private(set) var tables: [UInt64: UInt64] = [:]
    /// The oldest log whose batches are not all in tables; 0 for none.
    private(set) var firstLog: UInt64 = 0
    private(set) var lastSequence: UInt64 = 0
    /// The tags of the fields that were there.
    private var seen: Set<UInt64> = []

    init(of directory: any FileDirectory) throws(StorageError) {
        name = try Self.currentName(in: directory)
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
            case .gap(let offset):
                if isWhole { size = offset }
                isWhole = false
            }
        }
        // The first edit can lack them; then the second has them.
        guard seen.isSuperset(of: [2, 3, 4]) else {
            throw LevelDBErrors.corrupted("the beginning of \(name) is damaged")
        }
    }

    private static func currentName(in directory: any FileDirectory) throws(StorageError) -> String
    {
        guard try directory.has("CURRENT") else {
            throw LevelDBErrors.corrupted("CURRENT is missing")
        }
        let text = String(
            decoding: try directory.open("CURRENT", .read).read(100, at: 0), as: UTF8.self)
        let prefix = "MANIFEST-"
        guard text.hasPrefix(prefix), text.hasSuffix("\n"),
            UInt64(text.dropFirst(prefix.count).dropLast()) != nil
        else { throw LevelDBErrors.corrupted("CURRENT is damaged") }
        return String(text.dropLast())
    }

    /// Applies an edit: a sequence of tagged fields. `false` if it is none.
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
        case 2: return set(&firstLog, cursor.number())
        case 3, 9: return cursor.number() != nil  // next file, previous log: not used
        case 4: return set(&lastSequence, cursor.number())
        case 5:  // where the next compaction of a level begins
            return cursor.number() != nil && cursor.string() != nil
        case 6:  // a table is gone from a level
            guard cursor.number() != nil, let table = cursor.number() else { return false }
            tables[table] = nil
            return true
        case 7:  // a table is new in a level, with its smallest and largest key
            guard cursor.number() != nil, let table = cursor.number(), let size = cursor.number(),
                cursor.string() != nil, cursor.string() != nil
            else { return false }
            tables[table] = size
            return true
        default: return false
        }
    }

    private func set(_ field: inout UInt64, _ value: UInt64?) -> Bool {
        guard let value else { return false }
        field = value
        return true
    }
}
