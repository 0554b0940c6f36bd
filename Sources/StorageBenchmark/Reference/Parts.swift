import BrowserSessions

extension [UInt8] {
    /// Reads a record that these are the bytes of.
    func record<Record>(
        _ read: (UnsafeRawBufferPointer) throws -> Record
    ) throws(StorageError) -> Record {
        do { return try withUnsafeBytes { try read($0) } } catch { throw .damagedRecord }
    }

    /// Reads fields in their order. The closure takes the bytes of each, which have their length before them.
    func readFields(_ take: (_ number: Int, inout WireReader) throws -> Void) throws(StorageError) {
        try record { bytes in
            var reader = WireReader(bytes)
            while let field = try reader.next() { try take(field.number, &reader) }
        }
    }
}

extension StorageError {
    static let damagedRecord = StorageError(
        .corrupted, "the record of a tab or a window is damaged")
}
