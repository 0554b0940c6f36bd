import BrowserSessions

/// A reader of parts, each behind its length in 32 bits.
struct PartReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { offset >= bytes.count }

    mutating func next() throws(StorageError) -> UnsafeRawBufferPointer {
        guard offset + 4 <= bytes.count else { throw Self.damaged }
        let length = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        let start = offset + 4
        let end = start + Int(UInt32(littleEndian: length))
        guard end <= bytes.count else { throw Self.damaged }
        offset = end
        return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    }

    /// Returns the record of the next part.
    mutating func record<Record: FieldRecord>() throws(StorageError) -> Record {
        try Self.record(try next())
    }

    static func record<Record: FieldRecord>(_ bytes: UnsafeRawBufferPointer)
        throws(StorageError) -> Record
    {
        var record = Record.blank
        do {
            try WireDecoder.read(&record, from: bytes)
        } catch {
            throw damaged
        }
        return record
    }

    static let damaged = StorageError(.corrupted, "the record of a tab or a window is damaged")
}

extension [UInt8] {
    /// Appends bytes behind their length.
    mutating func append(part: [UInt8]) {
        Swift.withUnsafeBytes(of: UInt32(part.count).littleEndian) { append(contentsOf: $0) }
        append(contentsOf: part)
    }

    /// Reads the bytes.
    func reading<Value>(
        _ read: (inout PartReader) throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        let result: Result<Value, StorageError> = withUnsafeBytes { bytes in
            var reader = PartReader(bytes)
            return Result { () throws(StorageError) in try read(&reader) }
        }
        return try result.get()
    }
}
