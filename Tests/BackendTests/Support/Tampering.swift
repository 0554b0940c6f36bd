import BrowserSessions
import DirectoryBackend
import LevelDBBackend
import SQLiteBackend
import StorageEngines

extension Subject {
    /// The engine without sealing.
    var engine: any SalvagingFileEngine {
        switch backend.name {
        case "sqlite": SQLiteEngine()
        case "leveldb": LevelDBEngine()
        default: DirectoryEngine()
        }
    }

    /// What becomes of a record.
    enum Tampering {
        case keep
        case replace([UInt8])
        case remove
    }

    /// Changes records of a closed partition behind the back of the core, in a way that the engine
    /// finds in order. Returns how many were changed.
    @discardableResult
    func tamper(
        _ partition: String, space: KeySpace = .metadata,
        _ edit: (_ key: [UInt8], _ value: [UInt8]) -> Tampering
    ) throws -> Int {
        let store = try engine.open(
            OpenRequest(PosixDirectory(opening: partition), wasClosed: false))
        var batch = ByteBatch()
        try store.scan(space, prefix: []) { key, value in
            let key = [UInt8](key)
            switch edit(key, [UInt8](value)) {
            case .keep: return
            case .replace(let new): batch.put(new, for: key, in: space)
            case .remove: batch.remove(key, in: space)
            }
        }
        try store.write(batch, durably: true)
        try store.close()
        return batch.operations.count
    }

    /// All records of a closed partition.
    func records(_ partition: String, space: KeySpace = .metadata) throws -> [[UInt8]: [UInt8]] {
        let store = try engine.open(
            OpenRequest(PosixDirectory(opening: partition), wasClosed: false))
        var records: [[UInt8]: [UInt8]] = [:]
        try store.scan(space, prefix: []) { key, value in records[[UInt8](key)] = [UInt8](value) }
        try store.close()
        return records
    }
}

extension [UInt8] {
    /// With one bit changed in the middle.
    var flipped: [UInt8] {
        var bytes = self
        if !isEmpty { bytes[count / 2] ^= 0x10 }
        return bytes
    }

    var isTabKey: Bool { first == UInt8(ascii: "t") }
}
