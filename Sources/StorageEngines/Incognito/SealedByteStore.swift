import BrowserSessions

/// A store over an engine that holds sealed records. It holds all metadata in memory, in the order
/// of the unencrypted keys, and reads states one by one.
final class SealedByteStore: OrderedByteStore {
    private let base: any OrderedByteStore
    private let records: SealedRecords
    private var metadata: SortedRecords

    /// Throws `StorageError.Code.corrupted` if a metadata record cannot be opened.
    init(_ base: any OrderedByteStore, _ records: SealedRecords) throws {
        self.base = base
        self.records = records
        let (found, damaged) = try Self.readMetadata(base, records)
        guard damaged == 0 else {
            throw StorageError(.corrupted, "\(damaged) sealed records do not open")
        }
        metadata = SortedRecords(found)
    }

    private static func readMetadata(_ base: any OrderedByteStore, _ records: SealedRecords) throws
        -> (found: [SealedRecords.Record], damaged: Int)
    {
        var found: [SealedRecords.Record] = []
        var damaged = 0
        try base.scan(.metadata, prefix: []) { pseudonym, sealed in
            if let record = try records.openIfSound(.metadata, pseudonym, sealed) {
                found.append(record)
            } else {
                damaged += 1
            }
        }
        return (found, damaged)
    }

    func value(of key: [UInt8], in space: KeySpace) throws -> [UInt8]? {
        if space == .metadata { return metadata[key] }
        let pseudonym = try records.pseudonym(of: key, in: space)
        guard let sealed = try base.value(of: pseudonym, in: space) else { return nil }
        return try records.open(sealed, as: pseudonym, in: space).value
    }

    func scan(
        _ space: KeySpace,
        prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        if space == .metadata {
            let metadata = metadata  // The visit may write.
            return try metadata.scan(prefix, visit)
        }
        var keys: [[UInt8]] = []
        try base.scan(space, prefix: []) { pseudonym, sealed in
            let key = try records.open([UInt8](sealed), as: [UInt8](pseudonym), in: space).key
            if key.starts(with: prefix) { keys.append(key) }
        }
        for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            guard let value = try value(of: key, in: space) else { continue }
            try key.withUnsafeBytes { key in try value.withUnsafeBytes { try visit(key, $0) } }
        }
    }

    func write(_ batch: ByteBatch, durably: Bool) throws {
        var sealed = ByteBatch()
        for operation in batch.operations {
            switch operation {
            case .put(let space, let key, let value):
                let name = try records.pseudonym(of: key, in: space)
                let bytes = try records.seal(value, for: key, in: space, as: name)
                sealed.put(bytes, for: name, in: space)
            case .remove(let space, let key):
                try sealed.remove(records.pseudonym(of: key, in: space), in: space)
            }
        }
        try base.write(sealed, durably: durably)
        metadata.apply(batch.operations, of: .metadata)
    }

    func sync() throws { try base.sync() }
    var wantsMaintenance: Bool { base.wantsMaintenance }
    func requirePresence() throws { try base.requirePresence() }

    func maintain() throws { try base.maintain() }
    var openingNotes: [String] { base.openingNotes }
    func close() throws { try base.close() }

    /// Also rereads the records on the disk, since metadata in memory would not show damage.
    func verify() throws -> [String] {
        let findings = try base.verify()
        guard findings.isEmpty else { return findings }
        let (found, damaged) = try Self.readMetadata(base, records)
        if damaged > 0 { return ["\(damaged) sealed records do not open"] }
        let isSame = SortedRecords(found) == metadata
        return isSame ? [] : ["the sealed records are not those that were written"]
    }
}
