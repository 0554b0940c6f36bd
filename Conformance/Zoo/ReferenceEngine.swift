#if FaultyBackends
    import BrowserSessions

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// The simplest sound engine: one append-only, checksummed log, read whole when it is opened. The
    /// faulty backends of the zoo are made of it.
    struct ReferenceEngine: ByteStoreEngine {
        var name: String { "reference" }
        var formatVersion: Int { 1 }

        static func open(_ configuration: StorageConfiguration) throws(StorageError)
            -> any SessionStorage
        {
            try OrderedSessionStorage(opening: configuration, engine: ReferenceEngine())
        }

        func open(_ directory: String) throws -> any OrderedByteStore {
            try ReferenceStore(directory)
        }

        /// Nothing was being written when it was closed, so an unfinished end is a damaged one.
        func openClosed(_ directory: String) throws -> any OrderedByteStore {
            let path = ReferenceLog.file(in: directory)
            if try FileSystem.exists(path),
                ReferenceLog(bytes: try FileSystem.read(path)).unfinishedBytes > 0
            {
                throw StorageError(.corrupted, "the end of the log is damaged")
            }
            return try open(directory)
        }

        func salvage(
            _ directory: String,
            _ emit: (KeySpace, UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
        ) throws -> [String] {
            let log = ReferenceLog(bytes: try FileSystem.read(ReferenceLog.file(in: directory)))
            var records = ReferenceRecords()
            for batch in log.soundBatches { records.apply(batch) }
            var found = records.values.flatMap { space, values in
                values.map { ByteBatch.Operation.put(space, key: $0.key, value: $0.value) }
            }
            found += log.doubtfulPuts
            for case .put(let space, let key, let value) in found {
                try key.withUnsafeBytes { key in
                    try value.withUnsafeBytes { try emit(space, key, $0) }
                }
            }
            return ["\(log.soundBatches.count) batches of the log are sound"]
        }
    }

    /// The records of a store.
    struct ReferenceRecords: Sendable {
        var values: [KeySpace: [[UInt8]: [UInt8]]] = [:]

        mutating func apply(_ operations: [ByteBatch.Operation]) {
            for operation in operations {
                switch operation {
                case .put(let space, let key, let value): values[space, default: [:]][key] = value
                case .remove(let space, let key): values[space]?[key] = nil
                }
            }
        }
    }

    /// A store of ``ReferenceEngine``.
    final class ReferenceStore: OrderedByteStore {
        private let directory: String
        private var records = ReferenceRecords()
        /// The keys of ``records`` in order, made when they are needed.
        private var sortedKeys: [KeySpace: [[UInt8]]] = [:]
        private var file: OpenFile
        private(set) var openingNotes: [String] = []
        /// A fault: syncs return at once.
        var syncsNothing = false

        /// An owner for a file that cannot be copied.
        private final class OpenFile {
            let descriptor: FileDescriptor
            init(_ path: String) throws {
                descriptor = try FileDescriptor(opening: path, O_RDWR | O_CREAT | O_APPEND)
            }
        }

        init(_ directory: String) throws {
            self.directory = directory
            let path = ReferenceLog.file(in: directory)
            let isNew = try !FileSystem.exists(path)
            if isNew, try !FileSystem.contents(of: directory).isEmpty {
                throw StorageError(.corrupted, "the log is missing")
            }
            let log = ReferenceLog(bytes: isNew ? [] : try FileSystem.read(path))
            guard !log.isDamaged else {
                throw StorageError(.corrupted, "the log is damaged before its last batch")
            }
            for batch in log.batches { records.apply(batch) }
            if log.isWorthRewriting(records) {
                try FileSystem.replace(path, with: ReferenceLog.encode(records))
            }
            file = try OpenFile(path)
            if !log.isWorthRewriting(records), log.unfinishedBytes > 0 {
                openingNotes.append(
                    "\(log.unfinishedBytes) bytes of an unfinished batch were cut off")
                try file.descriptor.truncate(to: log.soundBytes)
            }
            if isNew { try FileSystem.syncDirectory(directory) }
        }

        func value(of key: [UInt8], in space: KeySpace) throws -> [UInt8]? {
            records.values[space]?[key]
        }

        func scan(
            _ space: KeySpace, prefix: [UInt8],
            _ visit: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
        ) throws {
            let values = records.values[space] ?? [:]
            let keys =
                sortedKeys[space]
                ?? values.keys.sorted { $0.lexicographicallyPrecedes($1) }
            sortedKeys[space] = keys
            var low = 0
            var high = keys.count
            while low < high {
                let middle = (low + high) / 2
                if keys[middle].lexicographicallyPrecedes(prefix) {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            for key in keys[low...] {
                guard key.starts(with: prefix) else { return }
                guard let value = values[key] else { continue }
                try key.withUnsafeBytes { key in try value.withUnsafeBytes { try visit(key, $0) } }
            }
        }

        func write(_ batch: ByteBatch, durably: Bool) throws {
            try file.descriptor.write(ReferenceLog.frame(batch.operations))
            if durably { try sync() }
            records.apply(batch.operations)
            sortedKeys = [:]
        }

        func sync() throws { if !syncsNothing { try file.descriptor.syncData() } }
        var wantsMaintenance: Bool { false }
        func maintain() throws {}
        func verify() throws -> [String] {
            let log = ReferenceLog(bytes: try FileSystem.read(ReferenceLog.file(in: directory)))
            return log.isDamaged || log.unfinishedBytes > 0 ? ["the log is damaged"] : []
        }
        func close() throws {}
    }
#endif
