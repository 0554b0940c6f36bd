import BrowserSessions

/// What a ``StoreConnection`` knows of its store: one record. <doc:OnDisk> lists its fields.
struct StoreRecord: Equatable, WireRecord {
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
    struct Partition: Equatable, WireRecord {
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
    struct Quarantined: Equatable, WireRecord {
        /// The namespace that has them.
        var namespace = ""
        /// In seconds since 1970.
        var time: Int64 = 0
        var report = ""
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

    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.text(1, &identity)
        try visitor.part(2, &regular)
        try visitor.part(3, &incognito)
        var copies = headers.sorted { $0.key < $1.key }.map {
            Header(name: $0.key, bytes: $0.value)
        }
        try visitor.records(4, &copies)
        headers = Dictionary(copies.map { ($0.name, $0.bytes) }) { $1 }
        try visitor.texts(5, &removed)
        try visitor.records(6, &quarantine)
        try visitor.flag(7, &isBeingRemoved)
        try visitor.fixed(8, &quarantineCount)
        try visitor.fixed(9, &quarantineSeen)
    }

    private struct Header: WireRecord {
        var name = ""
        var bytes: [UInt8] = []

        mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
            try visitor.text(1, &name)
            try visitor.bytes(2, &bytes)
        }
    }

    /// Reads a record. Throws for what cannot be read, and for what our stores never write.
    init(checked payload: UnsafeRawBufferPointer) throws(WireError) {
        try self.init(payload: payload)
        try requirePossible()
    }
}

extension StoreRecord.Partition {
    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.stored(1, &namespace)
        try visitor.stored(2, &repaired)
        try visitor.stored(3, &lastNamespace)
        try visitor.record(4, &mark)
    }
}

extension StoreRecord.Quarantined {
    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.text(1, &namespace)
        try visitor.fixed(2, &time)
        try visitor.text(3, &report)
        // Without a count it was not seen yet.
        var seen = max(mark, 0)
        try visitor.fixed(4, &seen)
        if seen > 0 { mark = seen }
    }
}

extension CloseMarker: WireRecord {
    init() { self.init(token: "", isLast: false) }

    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.text(1, &token)
        try visitor.flag(2, &isLast)
    }
}
