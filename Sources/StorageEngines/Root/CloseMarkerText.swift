import BrowserSessions

/// The text of a partition's clean-close marker: `42 3735928559`, with a checksum at the end.
///
/// If the engine does not find damage itself, a number between them is the checksum of the file
/// with the partition's checksums.
struct CloseMarkerText: Equatable {
    /// A token for the sequence number; in a sealed partition it can be read only with the key.
    var token: String
    /// `nil` if there is no such file.
    var checksums: UInt32?
    private var partition: StoragePartition

    init(_ partition: StoragePartition, _ token: String, checksums: UInt32? = nil) {
        self.partition = partition
        self.token = token
        self.checksums = checksums
    }

    /// Returns `nil` if the bytes are not a marker of this partition.
    init?(_ partition: StoragePartition, bytes: [UInt8]) {
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard let token = parts.first else { return nil }
        self.init(partition, String(token), checksums: parts.count == 3 ? UInt32(parts[1]) : nil)
        guard bytes == self.bytes else { return nil }
    }

    var bytes: [UInt8] {
        let text = checksums.map { "\(token) \($0)" } ?? token
        let checksum = CRC32C.checksum([UInt8]("\(partition.rawValue) \(text)".utf8))
        return [UInt8]("\(text) \(checksum)\n".utf8)
    }
}
