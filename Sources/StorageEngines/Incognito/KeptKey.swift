/// What a key store keeps for a partition: its key, and then the location of the store.
///
/// ```text
/// kept := key [place:UTF-8 length:u32 "BSPLACE1"]          (little-endian)
/// ```
/// If the sessions were deleted while the store could not be reached, "BSGONE01" replaces the key.
///
/// The location is kept with the key, not in the store, because a copy of the store contains
/// everything that is in it: only the key store knows which of the two owns the key. A key inside
/// the store has no location, because each copy has a key of its own.
struct KeptKey: Equatable {
    var key: SecretBytes
    /// An absolute path without links; `nil` if none was noted.
    var location: String?

    /// Replaces a key that was destroyed before the records were moved away.
    static let destroyed = SecretBytes(copying: [UInt8]("BSGONE01".utf8))
    private static let mark = [UInt8]("BSPLACE1".utf8)
    /// A longer location is not noted.
    private static let maximumLocation = 4096

    init(_ key: SecretBytes, of location: String?) {
        self.key = key
        self.location = location.flatMap { $0.utf8.count <= Self.maximumLocation ? $0 : nil }
    }

    init(_ kept: SecretBytes) {
        let parts = kept.withUnsafeBytes { bytes in
            Self.location(in: bytes).map { location in
                let key = UnsafeRawBufferPointer(rebasing: bytes[..<location.startIndex])
                return KeptKey(
                    SecretBytes(copying: key), of: String(decoding: location, as: UTF8.self))
            }
        }
        self = parts ?? KeptKey(kept, of: nil)
    }

    /// The bytes of the location that is noted behind a key; `nil` if none is.
    static func location(in bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer>? {
        let end = bytes.count - mark.count - 4
        guard end >= 0, bytes[(end + 4)...].elementsEqual(mark) else { return nil }
        let length = bytes[end..<end + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
        return length <= end ? bytes[end - length..<end] : nil
    }

    var isDestroyed: Bool { key == Self.destroyed }

    var bytes: SecretBytes {
        guard let location else { return key }
        var rest = [UInt8](location.utf8)
        withUnsafeBytes(of: UInt32(location.utf8.count).littleEndian) {
            rest.append(contentsOf: $0)
        }
        return SecretBytes(copying: key, after: [], before: rest + Self.mark)
    }
}
