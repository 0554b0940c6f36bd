import BrowserSessions

/// The text of a partition's clean-close marker: `42 f1234 3735928559`, with a checksum at the end.
///
/// In the middle is what distinguishes the partition's files from copies. If the engine does not find damage itself,
/// the next number is the checksum of the file with the partition's checksums.
struct CloseMarkerText: Equatable {
    /// A token for the sequence number; in a sealed partition it can be read only with the key.
    var token: String
    /// See ``stamps(of:below:)``; `nil` if it is unknown.
    var files: UInt32?
    /// `nil` if there is no such file.
    var checksums: UInt32?
    private var partition: StoragePartition

    init(
        _ partition: StoragePartition, _ token: String, files: UInt32? = nil,
        checksums: UInt32? = nil
    ) {
        (self.partition, self.token) = (partition, token)
        (self.files, self.checksums) = (files, checksums)
    }

    /// Returns `nil` if the bytes are not a marker of this partition.
    init?(_ partition: StoragePartition, bytes: [UInt8]) {
        var parts = String(decoding: bytes, as: UTF8.self).split(separator: " ")[...]
        guard let token = parts.popFirst() else { return nil }
        self.init(partition, String(token))
        if let part = parts.first, part.hasPrefix("f") {
            files = UInt32(part.dropFirst())
            parts.removeFirst()
        }
        if parts.count == 2, let part = parts.first { checksums = UInt32(part) }
        guard bytes == self.bytes else { return nil }
    }

    /// Returns `nil` if there is no marker of this partition in the file.
    init?(_ partition: StoragePartition, file: String, in directory: any FileDirectory)
        throws(StorageError)
    {
        guard let bytes = try directory.read(file, ifAtMost: 1023) else { return nil }
        self.init(partition, bytes: bytes)
    }

    var bytes: [UInt8] {
        let parts = [token, files.map { "f\($0)" }, checksums.map { "\($0)" }]
        let text = parts.compactMap(\.self).joined(separator: " ")
        let checksum = CRC32C.checksum([UInt8]("\(partition.rawValue) \(text)".utf8))
        return [UInt8]("\(text) \(checksum)\n".utf8)
    }

    /// Returns a checksum of the names, numbers, sizes and times of the files of a partition, which no copy has.
    static func stamps(of files: any FileDirectory, below path: String = "")
        throws(StorageError) -> UInt32
    {
        var sum: UInt32 = 0
        for name in try files.names() {
            guard let stamp = try files.stamp(of: name, timed: true) else { continue }
            if stamp.isDirectory {
                sum ^= try stamps(of: files.directory(name), below: "\(path)\(name)/")
            } else {
                let text = "\(path)\(name) \(stamp.file) \(stamp.size) \(stamp.changed)"
                sum ^= CRC32C.checksum([UInt8](text.utf8))
            }
        }
        return sum
    }
}
