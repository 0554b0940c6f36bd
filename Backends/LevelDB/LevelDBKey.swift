/// A key in a table: a record's key, followed by 8 bytes that say when it was written. LevelDB
/// stops the process over a shorter key.
///
///     key = bytes (sequence:u56 << 8 | type:u8):u64        type: 1 put, 0 removal
struct LevelDBKey: Comparable {
    let bytes: ArraySlice<UInt8>
    let sequence: UInt64
    let isRemoval: Bool

    /// Returns `nil` if the bytes are not a key.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 8, let type = bytes.suffix(8).first, type <= 1 else { return nil }
        self.bytes = bytes.dropLast(8)
        sequence = bytes.suffix(7).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        isRemoval = type == 0
    }

    /// The key directly before this one: the same record, one operation later.
    var before: LevelDBKey {
        LevelDBKey(bytes: bytes, sequence: sequence + 1, isRemoval: isRemoval)
    }

    private init(bytes: ArraySlice<UInt8>, sequence: UInt64, isRemoval: Bool) {
        (self.bytes, self.sequence, self.isRemoval) = (bytes, sequence, isRemoval)
    }

    /// For one record, the latest comes first.
    static func < (left: LevelDBKey, right: LevelDBKey) -> Bool {
        if left.bytes.lexicographicallyPrecedes(right.bytes) { return true }
        return left.bytes == right.bytes
            && (left.sequence, left.isRemoval ? 0 : 1) > (right.sequence, right.isRemoval ? 0 : 1)
    }

    static func == (left: LevelDBKey, right: LevelDBKey) -> Bool {
        left.bytes == right.bytes && left.sequence == right.sequence
            && left.isRemoval == right.isRemoval
    }
}
