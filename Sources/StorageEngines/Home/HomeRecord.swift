import BrowserSessions

/// What a ``ConnectedHome`` knows of its store: one record,
/// whose fields <doc:OnDisk> lists.
struct HomeRecord: Equatable, WireMessage {
    /// The content of a `store.json`; empty as long as the store is being made.
    var identity = ""
    var regular = Side()
    var incognito = Side()
    /// The copies of the header of a sealed side, by their names.
    var headers: [String: [UInt8]] = [:]
    /// Partitions that are to be destroyed.
    var removed: [String] = []
    var quarantine: [Quarantined] = []
    /// The count by which the quarantine ages, and the time at which it was counted last, as in
    /// ``QuarantineAge``.
    var quarantineCount: Int64 = 0
    var quarantineSeen: Int64 = 0
    /// Whether the store counts as gone.
    var isBeingRemoved = false

    /// Where a side is and how far it came.
    struct Side: Equatable {
        /// The number of its partition; 0 if there is none.
        var partition = StoredNumber.zero
        /// The number of the partition in which it is being built anew; 0 if it is not.
        var repaired = StoredNumber.zero
        /// The highest number that a partition of the side had: none is used twice.
        var lastPartition = StoredNumber.zero
        var mark: CloseMark?

        /// A number that no partition of the side had.
        mutating func nextPartition() throws(StorageError) -> StoredNumber {
            lastPartition = try lastPartition.next(of: "the last partition of the store")
            return lastPartition
        }
    }

    /// Damaged records that were set aside.
    struct Quarantined: Equatable {
        /// The partition that has them.
        var partition: String
        /// In seconds since 1970.
        var time: Int64
        var report: String
        /// The count at which it was seen first; negative if it was not seen yet.
        var mark: Int64 = -1
    }

    subscript(side: StorageSide) -> Side {
        get { side == .regular ? regular : incognito }
        set {
            switch side {
            case .regular: regular = newValue
            case .incognito: incognito = newValue
            }
        }
    }

    init() {}

    static func name(_ side: StorageSide, _ number: StoredNumber) -> String {
        "\(side.rawValue)-\(number)"
    }

    /// The partitions in which the sides are.
    var partitions: [String] {
        StorageSide.allCases.flatMap { side in
            [self[side].partition, self[side].repaired].filter { $0 > .zero }
                .map { Self.name(side, $0) }
        }
    }

    /// What no store of ours writes, though it is well-formed: it would lose a partition that is in use.
    private func requirePossible() throws(WireError) {
        for side in [regular, incognito] {
            guard max(side.partition, side.repaired) <= side.lastPartition,
                side.repaired == .zero || side.repaired != side.partition
            else { throw WireError(problem: "impossible numbers of partitions") }
        }
        let given = removed + quarantine.map(\.partition)
        guard Set(given).isDisjoint(with: partitions + [ConnectedHome.partition]) else {
            throw WireError(problem: "a partition is in use and given up")
        }
    }
}

// MARK: - Coding

extension HomeRecord {
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
                message.string(1, item.partition)
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
            case (2, .lengthDelimited): regular = try Side(payload: reader.span())
            case (3, .lengthDelimited): incognito = try Side(payload: reader.span())
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

extension HomeRecord.Side {
    func encode(to writer: inout WireWriter) {
        writer.fixed64(1, Int64(partition.value))
        writer.fixed64(2, Int64(repaired.value))
        writer.fixed64(3, Int64(lastPartition.value))
        guard let mark else { return }
        writer.message(4) { message in
            message.string(1, mark.word)
            message.bool(2, mark.isLast)
        }
    }

    init(payload: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(payload)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .fixed64): partition = try Self.number(reader.fixed64())
            case (2, .fixed64): repaired = try Self.number(reader.fixed64())
            case (3, .fixed64): lastPartition = try Self.number(reader.fixed64())
            case (4, .lengthDelimited): mark = try CloseMark(payload: reader.span())
            default: _ = try reader.skip(field)
            }
        }
    }

    private static func number(_ number: Int64) throws(WireError) -> StoredNumber {
        guard let number = StoredNumber(number) else {
            throw WireError(problem: "the number of a partition is none of ours")
        }
        return number
    }
}

extension HomeRecord.Quarantined {
    init(payload: UnsafeRawBufferPointer) throws(WireError) {
        self.init(partition: "", time: 0, report: "")
        var reader = WireReader(payload)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .lengthDelimited): partition = try reader.string()
            case (2, .fixed64): time = try reader.fixed64()
            case (3, .lengthDelimited): report = try reader.string()
            case (4, .fixed64): mark = try reader.fixed64()
            default: _ = try reader.skip(field)
            }
        }
    }
}

extension CloseMark {
    init(payload: UnsafeRawBufferPointer) throws(WireError) {
        self.init(word: "", isLast: false)
        var reader = WireReader(payload)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .lengthDelimited): word = try reader.string()
            case (2, .varint): isLast = try reader.bool()
            default: _ = try reader.skip(field)
            }
        }
    }
}
