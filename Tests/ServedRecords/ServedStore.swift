import BrowserSessions
import Foundation
import StorageEngines

/// One store of the server: its records in memory, and a log of all that changed them.
///
/// ```text
/// log   := (length:u64 checksum:u32 entry)*        a part at the end that was not written does not count
/// entry := 0 epoch:u64 owner attempt:u64 | a write request without its code | 2 namespace
/// ```
final class ServedStore {
    /// Counts the connections that have had it: requests of any but the last are refused.
    private(set) var epoch: UInt64 = 0
    private(set) var lastOwner: [UInt8] = []
    private(set) var lastAttempt: UInt64 = 0
    /// Who has it now, and over which connection.
    var holder: (name: String, connection: Int, descriptor: Int32)?
    private var namespaces: [String: [UInt8: [[UInt8]: [UInt8]]]] = [:]
    private let log: FileHandle

    private enum Entry: UInt8 { case epoch, write, destroy }

    init(_ path: String) throws {
        let known = FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
        if known.isEmpty { _ = FileManager.default.createFile(atPath: path, contents: nil) }
        guard let log = FileHandle(forUpdatingAtPath: path) else { throw Message.Malformed() }
        self.log = log
        var place = 0
        while place + 12 <= known.count {
            var head = MessageReader(Array(known[place..<place + 8]))
            guard let count = Int(exactly: try head.number()), count <= known.count - place - 12
            else { break }
            let entry = Array(known[place + 12..<place + 12 + count])
            guard Self.checksum(entry) == Array(known[place + 8..<place + 12]) else { break }
            apply(try Change(entry))
            place += 12 + count
        }
        try log.truncate(atOffset: UInt64(place))
    }

    /// Shuts out the owner before.
    func take(_ owner: [UInt8], _ attempt: UInt64) throws {
        var entry = Message()
        entry.put(Entry.epoch.rawValue)
        entry.put(epoch + 1)
        entry.put(owner)
        entry.put(attempt)
        try change(entry.bytes)
    }

    /// - Parameter request: namespace and operations.
    func write(_ request: [UInt8]) throws {
        try change([Entry.write.rawValue] + request)
    }

    func destroy(_ namespace: String) throws {
        var entry = Message()
        entry.put(Entry.destroy.rawValue)
        entry.put(namespace)
        try change(entry.bytes)
    }

    func value(_ space: UInt8, _ namespace: String, _ key: [UInt8]) -> [UInt8]? {
        namespaces[namespace]?[space]?[key]
    }

    /// Records in the order of their keys: up to a megabyte of them, and whether there are more.
    func records(_ space: UInt8, _ namespace: String, _ prefix: [UInt8], after last: [UInt8]?)
        -> (records: [(key: [UInt8], value: [UInt8])], hasMore: Bool)
    {
        let table = namespaces[namespace]?[space] ?? [:]
        let keys = table.keys
            .filter { $0.starts(with: prefix) && (last == nil || Self.precedes(last ?? [], $0)) }
            .sorted(by: Self.precedes)
        var found: [(key: [UInt8], value: [UInt8])] = []
        var bytes = 0
        for key in keys {
            guard bytes < 1 << 20 else { return (found, true) }
            let value = table[key] ?? []
            found.append((key, value))
            bytes += key.count + value.count
        }
        return (found, false)
    }

    private static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        let order = memcmp(left, right, min(left.count, right.count))
        return order == 0 ? left.count < right.count : order < 0
    }

    private func change(_ entry: [UInt8]) throws {
        // What makes no sense must not come into the log.
        let change = try Change(entry)
        var frame = withUnsafeBytes(of: UInt64(entry.count).littleEndian) { [UInt8]($0) }
        frame += Self.checksum(entry)
        frame += entry
        try log.write(contentsOf: frame)
        apply(change)
    }

    private func apply(_ change: Change) {
        switch change {
        case .epoch(let number, let owner, let attempt):
            (epoch, lastOwner, lastAttempt) = (number, owner, attempt)
        case .destroy(let namespace): namespaces[namespace] = nil
        case .write(let namespace, let operations):
            for (space, key, value) in operations {
                namespaces[namespace, default: [:]][space, default: [:]][key] = value
            }
        }
    }

    /// What an entry of the log says.
    private enum Change {
        case epoch(UInt64, owner: [UInt8], attempt: UInt64)
        case destroy(String)
        case write(String, [(space: UInt8, key: [UInt8], value: [UInt8]?)])

        init(_ entry: [UInt8]) throws {
            var reader = MessageReader(entry)
            switch Entry(rawValue: try reader.byte()) {
            case .epoch:
                self = .epoch(
                    try reader.number(), owner: try reader.field(), attempt: try reader.number())
            case .destroy: self = .destroy(try reader.text())
            case .write:
                let namespace = try reader.text()
                var operations: [(UInt8, [UInt8], [UInt8]?)] = []
                while !reader.isAtEnd {
                    let isPut = try reader.byte() == 1
                    let (space, key) = (try reader.byte(), try reader.field())
                    operations.append((space, key, isPut ? try reader.field() : nil))
                }
                self = .write(namespace, operations)
            case nil: throw Message.Malformed()
            }
        }
    }

    private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: CRC32C.checksum(bytes).littleEndian) { [UInt8]($0) }
    }
}
