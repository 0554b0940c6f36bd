import BrowserSessions
import Synchronization

/// Opens stores in memory.
///
/// A store's directory holds nothing but the name of its records, so that they follow the directory
/// when it is moved or copied.
final class MemoryEngine: ByteStoreEngine {
    let name = "memory"
    let formatVersion = 1
    /// A save is there as long as the process is, and the store must not claim more.
    let greatestDurability = Durability.memory
    private let stores = Mutex<[[UInt8]: MemoryRecords]>([:])

    func open(_ directory: any FileDirectory) throws -> any OrderedByteStore {
        guard try directory.has(Self.nameFile) else {
            return try make(in: directory)
        }
        guard let (name, records) = try find(in: directory) else {
            throw StorageError(.corrupted, "the records ended with the process that had them")
        }
        return MemoryStore(records, name: name, of: self)
    }

    /// Records do not go bad in memory: all of them are there, or none after the process ended.
    func salvage(
        _ directory: any FileDirectory,
        _ emit: (KeySpace, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws
            -> Void
    ) throws -> [String] {
        guard let (_, records) = try find(in: directory) else {
            return ["the records ended with the process that had them"]
        }
        for space in KeySpace.allCases {
            try records.scan(space, prefix: []) { try emit(space, $0, $1) }
        }
        return []
    }

    private func make(in directory: any FileDirectory) throws -> MemoryStore {
        let (name, records) = (CommitID.random().bytes, MemoryRecords())
        try directory.replace(Self.nameFile, with: name)
        stores.withLock { $0[name] = records }
        return MemoryStore(records, name: name, of: self)
    }

    private func find(in directory: any FileDirectory) throws
        -> (name: [UInt8], records: MemoryRecords)?
    {
        guard try directory.has(Self.nameFile) else { return nil }
        let name = try directory.read(Self.nameFile)
        return stores.withLock { $0[name] }.map { (name, $0) }
    }

    /// What was deleted must not stay in memory.
    func forget(_ name: [UInt8]) { stores.withLock { $0[name] = nil } }

    private static let nameFile = "name"
}
