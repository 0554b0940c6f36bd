/// What a key store keeps of a side: its key and, behind that, the place of the store that it belongs to.
///
/// ```text
/// kept := key [place:UTF-8 length:u32 "BSPLACE1"]          (little-endian)
/// ```
/// When the sessions were deleted while the store could not be reached, "BSGONE01" stands for the key.
///
/// The place lies with the key and not in the store, because a copy of the store has everything that lies
/// in it: only the key store knows which of the two is meant. A key that lies in the store has none, since
/// each copy has a key of its own.
struct KeptKey: Equatable {
    var key: SecretBytes
    /// An absolute path without links; `nil` if none was noted.
    var place: String?

    /// What is kept in the place of a key that was destroyed before the records were out of the way.
    static let destroyed = SecretBytes(copying: [UInt8]("BSGONE01".utf8))
    private static let mark = [UInt8]("BSPLACE1".utf8)
    /// A longer place is not noted.
    private static let maximumPlace = 4096

    init(_ key: SecretBytes, of place: String?) {
        self.key = key
        self.place = place.flatMap { $0.utf8.count <= Self.maximumPlace ? $0 : nil }
    }

    init(_ kept: SecretBytes) {
        let parts = kept.withUnsafeBytes { bytes -> KeptKey? in
            let end = bytes.count - Self.mark.count - 4
            guard end >= 0, bytes[(end + 4)...].elementsEqual(Self.mark) else { return nil }
            let length = bytes[end..<end + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
            guard length <= end else { return nil }
            let key = UnsafeRawBufferPointer(rebasing: bytes[..<(end - length)])
            return KeptKey(
                SecretBytes(copying: key),
                of: String(decoding: bytes[end - length..<end], as: UTF8.self))
        }
        self = parts ?? KeptKey(kept, of: nil)
    }

    var isDestroyed: Bool { key == Self.destroyed }

    var bytes: SecretBytes {
        guard let place else { return key }
        var rest = [UInt8](place.utf8)
        withUnsafeBytes(of: UInt32(place.utf8.count).littleEndian) { rest.append(contentsOf: $0) }
        return SecretBytes([], key, rest + Self.mark)
    }
}
