import BrowserSessions

/// The checksums of a partition, for engines that cannot be trusted with damaged files.
///
/// They are written at a clean close, before the marker, which names them, so that older ones are
/// never believed. They are removed before the engine may change a file: a kill in between leaves a
/// partition of unknown state, never one that looks damaged.
extension StoreDirectory {
    func checksumsFile(of partition: StoragePartition) -> String {
        "\(partition.rawValue).checksums"
    }

    /// More than any store needs; a larger file is not read.
    private static let largest = 1 << 28

    /// Notes checksums of the files of a closed partition. Returns their checksum for the marker.
    ///
    /// If that fails, there are no checksums: the next opening notices less, and nothing is lost.
    func keepChecksums(of partition: StoragePartition) -> UInt32? {
        guard !engine.abilities.findsDamage else { return nil }
        do throws(StorageError) {
            let bytes = try PartitionChecksums(of: directory.directory(name(partition))).encoded
            guard bytes.count <= Self.largest else { return nil }
            try directory.replace(checksumsFile(of: partition), with: bytes)
            return CRC32C.checksum(bytes)
        } catch {
            return nil
        }
    }

    /// Returns `nil` if there are none: the partition was not closed cleanly, they are gone or
    /// damaged, or the engine needs none.
    func checksums(of partition: StoragePartition) throws(StorageError) -> PartitionChecksums? {
        guard !engine.abilities.findsDamage, let noted = try closedMark(of: partition)?.checksums,
            let bytes = try directory.read(checksumsFile(of: partition), ifAtMost: Self.largest)
        else { return nil }
        return CRC32C.checksum(bytes) == noted ? PartitionChecksums(encoded: bytes) : nil
    }

    /// Throws `StorageError.Code.corrupted`, and changes nothing, if the files of a closed
    /// partition have changed. Otherwise they may change from now on.
    func requireUndamaged(_ partition: StoragePartition) throws(StorageError) {
        if let checksums = try checksums(of: partition),
            let damage = try checksums.damage(of: directory.directory(name(partition)))
        {
            throw StorageError(
                .corrupted, "the \(partition.rawValue) partition is damaged: \(damage)")
        }
        try forgetChecksums(of: partition)
    }

    /// Removes the checksums durably, after everything that was done in the directory before.
    func forgetChecksums(of partition: StoragePartition) throws(StorageError) {
        guard try directory.has(checksumsFile(of: partition)) else { return }
        try directory.sync()
        try directory.remove(checksumsFile(of: partition))
        try directory.sync()
    }
}
