/// A key as tables have it: a record's key, and when it was written, in 8 bytes behind it. LevelDB stops
/// the process over a shorter one.
///
///     key = bytes (sequence:u56 << 8 | type:u8):u64        type: 1 put, 0 removal
struct LevelDBKey: Comparable {
    let bytes: ArraySlice<UInt8>
    let sequence: UInt64
    let isRemoval: Bool

    /// `nil` if the bytes are none.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 8, let type = bytes.suffix(8).first, type <= 1 else { return nil }
        self.bytes = bytes.dropLast(8)
        sequence = bytes.suffix(7).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        isRemoval = type == 0
    }

    /// A key that comes before it and behind all that do: the same one, an operation later.
    var before: LevelDBKey {
        LevelDBKey(bytes: bytes, sequence: sequence + 1, isRemoval: isRemoval)
    }

    private init(bytes: ArraySlice<UInt8>, sequence: UInt64, isRemoval: Bool) {
        (self.bytes, self.sequence, self.isRemoval) = (bytes, sequence, isRemoval)
    }

    /// Of one record the latest comes first.
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
