/// What the home of a store knows of its sides.
extension LocalHome {
    /// The name of a side's directory.
    private func name(_ side: StorageSide) -> String { side.rawValue }

    /// Whether the side's directory is there.
    func holds(_ side: StorageSide) throws(StorageError) -> Bool { try directory.has(name(side)) }

    /// The directory of a side, which is made if it is not there.
    func makeFiles(of side: StorageSide) throws(StorageError) -> any FileDirectory {
        let files = try directory.makeDurableDirectory(name(side))
        // Whoever made files in it may have been killed before this.
        try files.sync()
        return files
    }

    func files(of side: StorageSide) throws(StorageError) -> any FileDirectory {
        try directory.directory(name(side))
    }

    /// Whether there is an incognito side, or was one that nobody deleted.
    var holdsIncognito: Bool {
        get throws(StorageError) {
            if try holds(.incognito) { return true }
            return try mark(of: .incognito).map { $0.sequence > 0 } ?? false
        }
    }

    // MARK: How far a side came

    /// A sequence number that a side had, so that an older or shorter one is noticed.
    struct CloseMark: Equatable {
        var sequence: UInt64
        /// Whether the side had this number at its last change.
        var isLast: Bool
    }

    private func closedFile(of side: StorageSide) -> String { "\(side.rawValue).closed" }
    private func openedFile(of side: StorageSide) -> String { "\(side.rawValue).opened" }

    /// Notes the last sequence number at an orderly close.
    func markClosed(_ side: StorageSide, sequence: UInt64) throws(StorageError) {
        try directory.replace(closedFile(of: side), with: Self.markText(side, sequence))
        try directory.removeEntry(openedFile(of: side))
    }

    /// From now on the side may change.
    func markOpen(_ side: StorageSide) throws(StorageError) {
        guard try directory.has(closedFile(of: side)) else { return }
        try directory.rename(closedFile(of: side), to: openedFile(of: side))
        try directory.sync()
    }

    /// The side is known to be older than its mark, and that was written down.
    func forgetMark(of side: StorageSide) throws(StorageError) {
        try directory.removeEntry(openedFile(of: side))
        try directory.removeEntry(closedFile(of: side))
        try directory.sync()
    }

    /// `nil` if there is none or it is damaged.
    func mark(of side: StorageSide) throws(StorageError) -> CloseMark? {
        if let closed = try readMark(closedFile(of: side), side) {
            return CloseMark(sequence: closed, isLast: true)
        }
        return try readMark(openedFile(of: side), side).map {
            CloseMark(sequence: $0, isLast: false)
        }
    }

    /// The number and a checksum of it: `42 3735928559`.
    private static func markText(_ side: StorageSide, _ sequence: UInt64) -> [UInt8] {
        let checksum = CRC32C.checksum([UInt8]("\(side.rawValue) \(sequence)".utf8))
        return [UInt8]("\(sequence) \(checksum)\n".utf8)
    }

    private func readMark(_ file: String, _ side: StorageSide) throws(StorageError) -> UInt64? {
        guard let status = try directory.status(of: file), status.kind == .file, status.size < 100
        else { return nil }
        let bytes = try directory.read(file)
        let digits = String(decoding: bytes.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
        guard let sequence = UInt64(digits), bytes == Self.markText(side, sequence) else {
            return nil
        }
        return sequence
    }

    // MARK: Removing and replacing

    private static let trash = "incognito.removed"

    /// Makes the incognito side vanish at once and for good; its files are left to remove.
    func moveIncognitoAway() throws(StorageError) {
        try removeIncognitoRemains()
        if try holds(.incognito) { try directory.rename(name(.incognito), to: Self.trash) }
        try forgetMark(of: .incognito)
    }

    /// Removes what a deletion or an interrupted repair left and would otherwise take the place of
    /// a side that is gone; the trash goes last, because it tells that there was a deletion.
    func removeIncognitoRemains() throws(StorageError) {
        for ending in ["repaired", "damaged", "removed"] {
            try directory.remove("incognito.\(ending)")
        }
    }

    /// Ends what a killed process began: a removal, or the exchange of a repaired side; and sweeps what
    /// never got its name.
    func finishInterruptedWork() throws(StorageError) {
        if try directory.has(Self.trash) {
            try forgetMark(of: .incognito)
            try removeIncognitoRemains()
        }
        for side in StorageSide.allCases {
            let (repaired, damaged) = (repairedName(side), damagedName(side))
            if try holds(side) {
                try directory.remove(repaired)
            } else if try directory.has(repaired) {
                // Moved away, not yet replaced: the repaired side was complete by then.
                try directory.rename(repaired, to: name(side))
                try directory.sync()
            } else if try directory.has(damaged) {
                try directory.rename(damaged, to: name(side))
            }
            if try holds(side) { try directory.remove(damaged) }
        }
        for draft in Self.drafts { try directory.remove(draft) }
    }

    /// What may be left of a file that was being written.
    private static let drafts =
        (StoreIdentity.fileNames + IncognitoHeader.fileNames
        + StorageSide.allCases.map { "\($0.rawValue).closed" }).map { $0 + ".new" }

    private func repairedName(_ side: StorageSide) -> String { "\(side.rawValue).repaired" }
    private func damagedName(_ side: StorageSide) -> String { "\(side.rawValue).damaged" }

    /// An empty directory in which a side is built anew.
    func makeRepaired(_ side: StorageSide) throws(StorageError) -> any FileDirectory {
        try directory.remove(repairedName(side))
        return try directory.makeDurableDirectory(repairedName(side))
    }

    func removeRepaired(_ side: StorageSide) throws(StorageError) {
        try directory.remove(repairedName(side))
    }

    /// Puts the repaired side, which is durable, in the place of the damaged one. That goes to the
    /// quarantine as it is, which takes no space and leaves nothing out. Of the incognito side nothing
    /// is kept.
    func exchange(_ side: StorageSide, report: [String]) throws(StorageError) {
        if side == .regular {
            try Quarantine(in: self).move(name(side), reason: "damaged-store", report)
        } else {
            try directory.rename(name(side), to: damagedName(side))
        }
        try directory.rename(repairedName(side), to: name(side))
        try directory.sync()
        try directory.remove(damagedName(side))
    }
}
