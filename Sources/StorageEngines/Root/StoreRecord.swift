import BrowserSessions

/// What a ``StoreConnection`` knows of its store: one record. <doc:OnDisk> lists its fields.
struct StoreRecord: Equatable, WireMessage {
    /// The content of a `store.json`; empty while the store is being made.
    var identity = ""
    var regular = Partition()
    var incognito = Partition()
    /// The copies of a sealed partition's header, by name.
    var headers: [String: [UInt8]] = [:]
    /// Namespaces that are to be destroyed.
    var removed: [String] = []
    var quarantine: [Quarantined] = []
    /// The count by which the quarantine ages, and when it was last counted: see ``QuarantineAge``.
    var quarantineCount: Int64 = 0
    var quarantineSeen: Int64 = 0
    /// Whether the store counts as removed.
    var isBeingRemoved = false

    /// The namespaces of a partition, and its clean-close marker.
    struct Partition: Equatable {
        /// The number of its namespace; 0 if there is none.
        var namespace = StoredNumber.zero
        /// The number of the namespace in which it is being rebuilt; 0 if there is none.
        var repaired = StoredNumber.zero
        /// The highest number that a namespace of the partition had; no number is used twice.
        var lastNamespace = StoredNumber.zero
        var mark: CloseMarker?

        /// Returns a number that no namespace of the partition had.
        mutating func nextNamespace() throws(StorageError) -> StoredNumber {
            lastNamespace = try lastNamespace.next(of: "the last namespace of the store")
            return lastNamespace
        }
    }

    /// Damaged records that were set aside.
    struct Quarantined: Equatable {
        /// The namespace that has them.
        var namespace: String
        /// In seconds since 1970.
        var time: Int64
        var report: String
        /// The count when it was first seen; negative if it has not been seen yet.
        var mark: Int64 = -1
    }

    subscript(partition: StoragePartition) -> Partition {
        get { partition == .regular ? regular : incognito }
        set {
            switch partition {
            case .regular: regular = newValue
            case .incognito: incognito = newValue
            }
        }
    }

    init() {}

    static func name(_ partition: StoragePartition, _ number: StoredNumber) -> String {
        "\(partition.rawValue)-\(number)"
    }

    /// The namespaces of the partitions.
    var namespaces: [String] {
        StoragePartition.allCases.flatMap { partition in
            [self[partition].namespace, self[partition].repaired].filter { $0 > .zero }
                .map { Self.name(partition, $0) }
        }
    }

    /// Throws for well-formed content that our stores never write: it would lose a used namespace.
    private func requirePossible() throws(WireError) {
        for partition in [regular, incognito] {
            guard max(partition.namespace, partition.repaired) <= partition.lastNamespace,
                partition.repaired == .zero || partition.repaired != partition.namespace
            else { throw WireError(problem: "impossible numbers of namespaces") }
        }
        let given = removed + quarantine.map(\.namespace)
        guard Set(given).isDisjoint(with: namespaces + [StoreConnection.namespace]) else {
            throw WireError(problem: "a namespace is in use and given up")
        }
    }
}

// MARK: - Coding

extension StoreRecord {
    var encodedCapacity: Int { 1024 }

    func encode(to writer: inout WireWriter) {
        writer.string(1, identity)
        writer.message(2) { regular.encode(to: &$0) }
        writer.message(3) { incognito.encode(to: &$0) }
        for (name, bytes) in headers.sorted(by: { $0.key < $1.key }) {
            writer.message(4) { message in
                message.string(1, name)
                message.bytes(2, bytes)
            }
        }
        for name in removed { writer.string(5, name) }
        for item in quarantine {
            writer.message(6) { message in
                message.string(1, item.namespace)
                message.fixed64(2, item.time)
                message.string(3, item.report)
                if item.mark >= 0 { message.fixed64(4, item.mark) }
            }
        }
        if isBeingRemoved { writer.bool(7, true) }
        if quarantineCount > 0 { writer.fixed64(8, quarantineCount) }
        if quarantineSeen > 0 { writer.fixed64(9, quarantineSeen) }
    }

    init(payload: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(payload)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .lengthDelimited): identity = try reader.string()
            case (2, .lengthDelimited): regular = try Partition(payload: reader.span())
            case (3, .lengthDelimited): incognito = try Partition(payload: reader.span())
            case (4, .lengthDelimited):
                let (name, bytes) = try Self.header(reader.span())
                headers[name] = bytes
            case (5, .lengthDelimited): removed.append(try reader.string())
            case (6, .lengthDelimited): quarantine.append(try Quarantined(payload: reader.span()))
            case (7, .varint): isBeingRemoved = try reader.bool()
            case (8, .fixed64): quarantineCount = try reader.fixed64()
            case (9, .fixed64): quarantineSeen = try reader.fixed64()
            default: _ = try reader.skip(field)
            }
        }
        try requirePossible()
    }

    private static func header(_ payload: UnsafeRawBufferPointer) throws(WireError)
        -> (String, [UInt8])
    {
        var (name, bytes): (String, [UInt8]) = ("", [])
        var reader = WireReader(payload)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .lengthDelimited): name = try reader.string()
            case (2, .lengthDelimited): bytes = [UInt8](try reader.span())
            default: _ = try reader.skip(field)
            }
        }
        return (name, bytes)
    }
}

extension StoreRecord.Partition {
    func encode(to writer: inout WireWriter) {
        writer.fixed64(1, Int64(namespace.value))
        writer.fixed64(2, Int64(repaired.value))
        writer.fixed64(3, Int64(lastNamespace.value))
        guard let mark else { return }
        writer.message(4) { message in
            message.string(1, mark.token)
            message.bool(2, mark.isLast)
        }
    }

    init(payload: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(payload)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .fixed64): namespace = try Self.number(reader.fixed64())
            case (2, .fixed64): repaired = try Self.number(reader.fixed64())
            case (3, .fixed64): lastNamespace = try Self.number(reader.fixed64())
            case (4, .lengthDelimited): mark = try CloseMarker(payload: reader.span())
            default: _ = try reader.skip(field)
            }
        }
    }

    private static func number(_ number: Int64) throws(WireError) -> StoredNumber {
        guard let number = StoredNumber(number) else {
            throw WireError(problem: "the number of a namespace is none of ours")
        }
        return number
    }
}

extension StoreRecord.Quarantined {
    init(payload: UnsafeRawBufferPointer) throws(WireError) {
        self.init(namespace: "", time: 0, report: "")
        var reader = WireReader(payload)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .lengthDelimited): namespace = try reader.string()
            case (2, .fixed64): time = try reader.fixed64()
            case (3, .lengthDelimited): report = try reader.string()
            case (4, .fixed64): mark = try reader.fixed64()
            default: _ = try reader.skip(field)
            }
        }
    }
}

extension CloseMarker {
    init(payload: UnsafeRawBufferPointer) throws(WireError) {
        self.init(token: "", isLast: false)
        var reader = WireReader(payload)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .lengthDelimited): token = try reader.string()
            case (2, .varint): isLast = try reader.bool()
            default: _ = try reader.skip(field)
            }
        }
    }
}
