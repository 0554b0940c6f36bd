import BrowserSessions

/// The checksums of a side whose engine cannot be trusted with damaged files.
///
/// They are written at an orderly close, before the mark, which names them; so older ones are never believed.
/// They go before the engine may change a file: a kill in between leaves a side of which nothing is known,
/// never one that looks damaged.
extension LocalHome {
    func checksumsFile(of side: StorageSide) -> String { "\(side.rawValue).checksums" }

    /// More than any store needs; what is larger is not read.
    private static let largest = 1 << 28

    /// Notes what the files of a closed side are. Returns what the mark is to say of it.
    ///
    /// If that is not possible, there are no checksums: less is noticed at the next opening, nothing is lost.
    func keepChecksums(of side: StorageSide) -> UInt32? {
        guard !engine.abilities.findsDamage else { return nil }
        do throws(StorageError) {
            let bytes = try SideChecksums(of: directory.directory(name(side))).encoded
            guard bytes.count <= Self.largest else { return nil }
            try directory.replace(checksumsFile(of: side), with: bytes)
            return CRC32C.checksum(bytes)
        } catch {
            return nil
        }
    }

    /// `nil` if they are not known: the side was not closed in order, they are gone or damaged, or its
    /// engine needs none.
    func checksums(of side: StorageSide) throws(StorageError) -> SideChecksums? {
        let name = checksumsFile(of: side)
        guard !engine.abilities.findsDamage,
            let noted = try readMark(closedFile(of: side), side)?.checksums,
            let status = try directory.status(of: name), status.kind == .file,
            status.size <= Self.largest
        else { return nil }
        let bytes = try directory.read(name)
        return CRC32C.checksum(bytes) == noted ? SideChecksums(encoded: bytes) : nil
    }

    /// Throws `StorageError.Code.corrupted`, changing nothing, if the files of a closed side are not as
    /// they were. Otherwise they may change from now on.
    func requireUndamaged(_ side: StorageSide) throws(StorageError) {
        if let checksums = try checksums(of: side),
            let damage = try checksums.damage(of: directory.directory(name(side)))
        {
            throw StorageError(.corrupted, "the \(side.rawValue) side is damaged: \(damage)")
        }
        try forgetChecksums(of: side)
    }

    /// Durably, and behind everything that was done in the directory before.
    func forgetChecksums(of side: StorageSide) throws(StorageError) {
        guard try directory.has(checksumsFile(of: side)) else { return }
        try directory.sync()
        try directory.remove(checksumsFile(of: side))
        try directory.sync()
    }
}
