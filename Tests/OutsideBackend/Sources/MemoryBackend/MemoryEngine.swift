import BrowserSessions
import Synchronization

/// Opens stores in memory. A store's directory holds nothing but the name of its records, so that
/// they follow the directory when it is moved or copied, and are gone with it.
final class MemoryEngine: ByteStoreEngine {
    let name = "memory"
    let formatVersion = 1
    private let stores = Mutex<[[UInt8]: MemoryRecords]>([:])

    func open(_ directory: String) throws -> any OrderedByteStore {
        MemoryStore(try records(in: directory))
    }

    /// There is nothing to rescue that opening would not find.
    func salvage(
        _ directory: String,
        _ emit: (KeySpace, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws
            -> Void
    ) throws -> [String] {
        let store = MemoryStore(try records(in: directory))
        for space in KeySpace.allCases {
            try store.scan(space, prefix: []) { try emit(space, $0, $1) }
        }
        return []
    }

    private func records(in directory: String) throws -> MemoryRecords {
        let file = "\(directory)/name"
        if try FileSystem.exists(file) {
            let name = try FileSystem.read(file)
            if let records = stores.withLock({ $0[name] }) { return records }
            throw StorageError(.corrupted, "the records ended with the process that had them")
        }
        let (name, records) = (CommitID.random().bytes, MemoryRecords())
        stores.withLock { $0[name] = records }
        try FileSystem.replace(file, with: name)
        return records
    }
}
