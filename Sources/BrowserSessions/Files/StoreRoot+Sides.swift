/// What the root of a store knows of its sides.
extension StoreRoot {
    /// The directory of a side.
    func directory(of side: StorageSide) -> String { "\(path)/\(side.rawValue)" }

    /// Whether there is an incognito side, or was one that nobody deleted.
    var holdsIncognito: Bool {
        get throws(StorageError) {
            if try FileSystem.exists(directory(of: .incognito)) { return true }
            return try mark(of: .incognito).map { $0.sequence > 0 } ?? false
        }
    }

    // MARK: How far a side came

    /// A sequence number that a side had, so that an older or shorter one is noticed.
    struct Mark: Equatable {
        var sequence: UInt64
        /// Whether the side had this number at its last change.
        var isLast: Bool
    }

    private func closedFile(of side: StorageSide) -> String { "\(path)/\(side.rawValue).closed" }
    private func openedFile(of side: StorageSide) -> String { "\(path)/\(side.rawValue).opened" }

    /// Notes the last sequence number at an orderly close.
    func markClosed(_ side: StorageSide, sequence: UInt64) throws(StorageError) {
        try FileSystem.replace(closedFile(of: side), with: Self.markText(side, sequence))
        try FileSystem.remove(openedFile(of: side))
    }

    /// From now on the side may change.
    func markOpen(_ side: StorageSide) throws(StorageError) {
        guard try FileSystem.exists(closedFile(of: side)) else { return }
        try FileSystem.move(closedFile(of: side), to: openedFile(of: side))
        try FileSystem.syncDirectory(path)
    }

    /// The side is known to be older than its mark, and that was written down.
    func forgetMark(of side: StorageSide) throws(StorageError) {
        try FileSystem.remove(openedFile(of: side))
        try FileSystem.remove(closedFile(of: side))
        try FileSystem.syncDirectory(path)
    }

    /// `nil` if there is none or it is damaged.
    func mark(of side: StorageSide) throws(StorageError) -> Mark? {
        if let closed = try Self.readMark(closedFile(of: side), side) {
            return Mark(sequence: closed, isLast: true)
        }
        return try Self.readMark(openedFile(of: side), side).map {
            Mark(sequence: $0, isLast: false)
        }
    }

    /// The number and a checksum of it: `42 3735928559`.
    private static func markText(_ side: StorageSide, _ sequence: UInt64) -> [UInt8] {
        let checksum = CRC32C.checksum([UInt8]("\(side.rawValue) \(sequence)".utf8))
        return [UInt8]("\(sequence) \(checksum)\n".utf8)
    }

    private static func readMark(_ file: String, _ side: StorageSide) throws(StorageError)
        -> UInt64?
    {
        guard let status = try FileSystem.status(file), status.size < 100 else { return nil }
        let bytes = try FileSystem.read(file)
        let digits = String(decoding: bytes.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
        guard let sequence = UInt64(digits), bytes == markText(side, sequence) else { return nil }
        return sequence
    }

    // MARK: Removing and replacing

    private var trash: String { "\(path)/incognito.removed" }

    /// Makes the incognito side vanish at once and for good; its files are left to remove.
    func moveIncognitoAway() throws(StorageError) {
        try removeIncognitoRemains()
        let side = directory(of: .incognito)
        if try FileSystem.exists(side) { try FileSystem.move(side, to: trash) }
        try forgetMark(of: .incognito)
    }

    /// Removes what a deletion or an interrupted mending left and would otherwise take the place of
    /// a side that is gone; the trash goes last, because it tells that there was a deletion.
    func removeIncognitoRemains() throws(StorageError) {
        for name in ["mended", "copy", "damaged", "removed"] {
            try FileSystem.remove("\(path)/incognito.\(name)")
        }
    }

    /// Ends what a killed process began: a removal, or the exchange of a mended side.
    func finishInterruptedWork() throws(StorageError) {
        if try FileSystem.exists(trash) {
            try forgetMark(of: .incognito)
            try removeIncognitoRemains()
        }
        for side in StorageSide.allCases {
            let directory = directory(of: side)
            let (mended, damaged) = ("\(directory).mended", "\(directory).damaged")
            try FileSystem.remove("\(directory).copy")
            if try FileSystem.exists(directory) {
                try FileSystem.remove(mended)
            } else if try FileSystem.exists(mended) {
                // Renamed away, not yet replaced: the mended side was complete by then.
                try FileSystem.move(mended, to: directory)
                try FileSystem.syncDirectory(path)
            } else if try FileSystem.exists(damaged) {
                try FileSystem.move(damaged, to: directory)
            }
            if try FileSystem.exists(directory) { try FileSystem.remove(damaged) }
        }
    }

    /// Puts a mended side in the place of the damaged one. The damaged one must have been copied.
    func exchange(_ side: StorageSide, with mended: String) throws(StorageError) {
        let directory = directory(of: side)
        try FileSystem.move(directory, to: "\(directory).damaged")
        try FileSystem.move(mended, to: directory)
        try FileSystem.syncDirectory(path)
        try FileSystem.remove("\(directory).damaged")
    }
}
