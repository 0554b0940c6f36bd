import BrowserSessions

/// A record as it is stored: a payload with its version, kind, sequence number and checksum.
///
/// ```text
/// frame := version:u8 kind:u8 sequence:u64 length:u32 payload checksum:u32     (little-endian)
/// ```
/// The checksum is the masked CRC-32C of the record's key, followed by the frame up to the
/// checksum. So it reveals a value under a wrong key as well as a changed one.
struct RecordFrame {
    /// The kind of a record; its key says the same.
    enum Kind: UInt8 {
        case session = 1
        case tab = 2
        case stateEntry = 3
        case state = 4
        case manifest = 5
        case commit = 6
        case losses = 7
        case root = 8
        case point = 9
        /// A version without content: the record was gone at a restore point.
        case gone = 10
        case node = 11

        init(_ item: SessionItem) {
            switch item {
            case .session: self = .session
            case .tab: self = .tab
            case .node: self = .node
            }
        }
    }

    static let version: UInt8 = 2
    static let headerLength = 14
    static let overhead = headerLength + 4

    var kind: UInt8
    /// The number of the change set that wrote the record.
    var sequence: StoredNumber
    var payload: UnsafeRawBufferPointer
    var checksum: UInt32

    /// The length of the frame.
    var byteCount: Int { payload.count + Self.overhead }

    /// What identifies this version of the record.
    var stamp: RecordStamp { RecordStamp(checksum: checksum, sequence: sequence) }

    /// Why bytes are not a frame.
    enum Problem: Error {
        case damaged
        /// Complete and sound, but of another version.
        case otherVersion
    }

    /// Checks and opens a frame. The result is valid as long as `bytes` is.
    init(_ bytes: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) throws(Problem) {
        guard bytes.count >= Self.overhead else { throw .damaged }
        let end = bytes.count - 4
        checksum = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt32.self))
        let body = UnsafeRawBufferPointer(rebasing: bytes[..<end])
        let crc = CRC32C.checksum(body, continuing: CRC32C.checksum(key))
        guard CRC32C.masked(crc) == checksum else { throw .damaged }
        guard bytes[0] == Self.version else { throw .otherVersion }
        kind = bytes[1]
        let number = bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self)
        guard let sequence = StoredNumber(UInt64(littleEndian: number)) else { throw .damaged }
        self.sequence = sequence
        let length = UInt32(
            littleEndian: bytes.loadUnaligned(fromByteOffset: 10, as: UInt32.self))
        guard Int(length) == end - Self.headerLength else { throw .damaged }
        payload = UnsafeRawBufferPointer(rebasing: bytes[Self.headerLength..<end])
    }

    /// Opens the frame of a value, and does work that needs it. Throws ``Problem`` if the value is none.
    static func read<Success>(
        _ value: [UInt8], key: [UInt8], _ work: (RecordFrame) throws -> Success
    ) throws -> Success {
        try key.withUnsafeBytes { key in
            try value.withUnsafeBytes { try work(RecordFrame($0, key: key)) }
        }
    }

    /// A sealed record: the bytes to store and what the index needs to know.
    struct Sealed {
        var bytes: [UInt8]
        var stamp: RecordStamp
    }

    static func seal(_ kind: Kind, _ sequence: StoredNumber, _ payload: [UInt8], key: [UInt8])
        -> Sealed
    {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + overhead)
        bytes.append(contentsOf: emptyHeader)
        bytes.append(contentsOf: payload)
        return seal(kind, sequence, &bytes, key)
    }

    /// Encodes the payload in place, without a copy.
    static func seal(
        _ kind: Kind, _ sequence: StoredNumber, _ payload: some WireMessage, key: [UInt8]
    )
        -> Sealed
    {
        var writer = WireWriter()
        writer.bytes.reserveCapacity(payload.encodedCapacity + overhead)
        writer.bytes.append(contentsOf: emptyHeader)
        payload.encode(to: &writer)
        return seal(kind, sequence, &writer.bytes, key)
    }

    /// Fills in the header of a payload and appends the checksum.
    private static func seal(
        _ kind: Kind, _ sequence: StoredNumber, _ bytes: inout [UInt8], _ key: [UInt8]
    ) -> Sealed {
        bytes.append(contentsOf: emptyChecksum)
        let checksum = bytes.withUnsafeMutableBytes { bytes in
            let end = bytes.count - 4
            bytes[0] = version
            bytes[1] = kind.rawValue
            bytes.storeBytes(of: sequence.value.littleEndian, toByteOffset: 2, as: UInt64.self)
            bytes.storeBytes(
                of: UInt32(end - headerLength).littleEndian, toByteOffset: 10, as: UInt32.self)
            let crc = CRC32C.checksum(
                UnsafeRawBufferPointer(rebasing: bytes[..<end]), continuing: CRC32C.checksum(key))
            let masked = CRC32C.masked(crc)
            bytes.storeBytes(of: masked.littleEndian, toByteOffset: end, as: UInt32.self)
            return masked
        }
        return Sealed(bytes: bytes, stamp: RecordStamp(checksum: checksum, sequence: sequence))
    }

    private static let emptyHeader = [UInt8](repeating: 0, count: headerLength)
    private static let emptyChecksum: [UInt8] = [0, 0, 0, 0]
}

/// What identifies one version of a record.
struct RecordStamp: Hashable {
    /// The checksum of its frame, as stored.
    var checksum: UInt32
    /// The number of the change set that wrote it.
    var sequence: StoredNumber

    /// The number for this version in the sums of the manifest and of restore points.
    var fingerprint: UInt64 {
        var mixed =
            UInt64(checksum) &* 0x9E37_79B9_7F4A_7C15 ^ sequence.value &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 30) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
