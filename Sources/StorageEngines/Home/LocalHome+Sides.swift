import BrowserSessions

/// What the home of a store knows of its sides.
extension LocalHome {
    /// The name of a side's directory.
    func name(_ side: StorageSide) -> String { side.rawValue }

    func holds(_ side: StorageSide) throws(StorageError) -> Bool { try directory.has(name(side)) }

    func open(_ side: StorageSide, wasClosed: Bool) throws -> any OrderedByteStore {
        if wasClosed, try holds(side) { try requireUndamaged(side) }
        let files = try directory.makeDurableDirectory(name(side))
        // Whoever made files in it may have been killed before this.
        try files.sync()
        let (directory, closed, opened) = (directory, closedFile(of: side), openedFile(of: side))
        let request = OpenRequest(files, wasClosed: wasClosed, environment: environment) {
            () throws(StorageError) in
            try Self.rename(closed, to: opened, in: directory)
        }
        return try engine.open(request)
    }

    /// What was not closed, and has no mark.
    private func openRecords(_ files: any FileDirectory) throws -> any OrderedByteStore {
        try engine.open(OpenRequest(files, wasClosed: false, environment: environment))
    }

    func salvage(_ side: StorageSide, _ visit: RecordVisitor) throws -> [String] {
        let files = try directory.directory(name(side))
        if let engine = engine as? any SalvagingFileEngine {
            return try engine.salvage(files, visit)
        }
        return try scanCopy(of: side, visit)
    }

    /// Opens a copy of the damaged files, and visits what it has as far as that goes.
    private func scanCopy(of side: StorageSide, _ visit: RecordVisitor) throws -> [String] {
        let copy = copyName(side)
        try directory.remove(copy)
        defer { try? directory.remove(copy) }
        var notes: [String] = []
        if let checksums = try checksums(of: side) {
            notes = try checksums.copy(name(side), to: copy, in: directory)
        } else {
            try directory.copy(name(side), to: copy, in: directory)
        }
        let store: any OrderedByteStore
        do {
            store = try openRecords(directory.directory(copy))
        } catch let error as StorageError where error.code == .corrupted {
            return notes + ["nothing of it can be read: \(error.message)"]
        }
        defer { try? store.close() }
        var scan = PatientScan(of: store)
        return notes + (try scan.visitAll(visit))
    }

    // MARK: How far a side came

    func closedFile(of side: StorageSide) -> String { "\(side.rawValue).closed" }
    private func openedFile(of side: StorageSide) -> String { "\(side.rawValue).opened" }

    func markClosed(_ side: StorageSide, _ word: String) throws(StorageError) {
        let text = MarkText(side, word, checksums: keepChecksums(of: side))
        try directory.replace(closedFile(of: side), with: text.bytes)
        try directory.removeEntry(openedFile(of: side))
    }

    func markOpen(_ side: StorageSide) throws(StorageError) {
        try Self.rename(closedFile(of: side), to: openedFile(of: side), in: directory)
    }

    private static func rename(
        _ closed: String, to opened: String, in directory: any FileDirectory
    ) throws(StorageError) {
        guard try directory.has(closed) else { return }
        try directory.rename(closed, to: opened)
        try directory.sync()
    }

    func forgetMark(of side: StorageSide) throws(StorageError) {
        try directory.removeEntry(openedFile(of: side))
        try directory.removeEntry(closedFile(of: side))
        try directory.remove(checksumsFile(of: side))
        try directory.sync()
    }

    func mark(of side: StorageSide) throws(StorageError) -> CloseMark? {
        if let closed = try readMark(closedFile(of: side), side) {
            return CloseMark(word: closed.word, isLast: true)
        }
        return try readMark(openedFile(of: side), side).map {
            CloseMark(word: $0.word, isLast: false)
        }
    }

    func readMark(_ file: String, _ side: StorageSide) throws(StorageError) -> MarkText? {
        guard let status = try directory.status(of: file), status.kind == .file, status.size < 1024
        else { return nil }
        return MarkText(side, bytes: try directory.read(file))
    }

    // MARK: Removing and replacing

    private static let trash = "incognito.removed"

    func moveIncognitoAway() throws(StorageError) {
        try removeIncognitoRemains()
        if try holds(.incognito) { try directory.rename(name(.incognito), to: Self.trash) }
        try forgetMark(of: .incognito)
    }

    /// The trash goes last, because it tells that there was a deletion.
    func removeIncognitoRemains() throws(StorageError) {
        for ending in ["repaired", "replaced", "copy", "removed"] {
            try directory.remove("incognito.\(ending)")
        }
    }

    func finishInterruptedWork() throws(StorageError) {
        // What goes on here may follow upon names that an earlier process gave and did not sync.
        if try isInterrupted { try directory.sync() }
        try finishResealing()
        if try directory.has(Self.trash) {
            try forgetMark(of: .incognito)
            try removeIncognitoRemains()
        }
        for side in StorageSide.allCases {
            let (repaired, replaced) = (repairedName(side), replacedName(side))
            if try !holds(side) {
                let hasReplaced = try directory.has(replaced)
                if try directory.has(repaired), side == .regular || hasReplaced {
                    // Moved away, not yet exchanged: the new side was complete by then.
                    try forgetChecksums(of: side)
                    try directory.rename(repaired, to: name(side))
                    try directory.sync()
                } else if hasReplaced {
                    try directory.rename(replaced, to: name(side))
                }
            }
            if try holds(side) { try directory.remove(replaced) }
            for rest in [repaired, copyName(side)] { try directory.remove(rest) }
        }
        for draft in Self.drafts { try directory.remove(draft) }
        // What cannot be removed now is removed another time.
        removedFromQuarantine += (try? quarantine.age()) ?? []
    }

    private var isInterrupted: Bool {
        get throws(StorageError) {
            try directory.names().contains { name in
                name == Self.trash || name == ResealingFiles.decided
                    || name.hasSuffix(".repaired") || name.hasSuffix(".replaced")
            }
        }
    }

    /// What may be left of a file that was being written.
    private static let drafts =
        (StoreIdentity.fileNames + IncognitoHeader.fileNames + ResealingFiles.drafts
        + StorageSide.allCases.flatMap { ["\($0.rawValue).closed", "\($0.rawValue).checksums"] })
        .map { $0 + ".new" }

    func repairedName(_ side: StorageSide) -> String { "\(side.rawValue).repaired" }
    func replacedName(_ side: StorageSide) -> String { "\(side.rawValue).replaced" }

    private func copyName(_ side: StorageSide) -> String { "\(side.rawValue).copy" }

    func openRepaired(_ side: StorageSide) throws -> any OrderedByteStore {
        try directory.remove(repairedName(side))
        let files = try directory.makeDurableDirectory(repairedName(side))
        return try openRecords(files)
    }

    func discardRepaired(_ side: StorageSide) throws(StorageError) {
        try directory.remove(repairedName(side))
    }

    func exchange(_ side: StorageSide, keepingReplaced report: [String]?) throws(StorageError) {
        try directory.directory(repairedName(side)).sync()
        if side == .regular, let report {
            removedFromQuarantine += try quarantine.move(
                name(side), reason: "damaged-store", report)
            try putInPlace(side)
        } else {
            try directory.rename(name(side), to: replacedName(side))
            do throws(StorageError) {
                // Without order among names the second one could be there alone.
                try directory.sync()
                try putInPlace(side)
            } catch {
                // If the new one is there, or this fails as well, an opening finds what to do.
                try? directory.rename(
                    replacedName(side), to: name(side), in: nil, replacing: false)
                throw error
            }
        }
        try directory.sync()
        try directory.remove(replacedName(side))
    }

    private func putInPlace(_ side: StorageSide) throws(StorageError) {
        // Not earlier: they belong to what was moved away.
        try forgetChecksums(of: side)
        try directory.rename(repairedName(side), to: name(side))
    }

    var quarantine: Quarantine {
        Quarantine(in: directory, now: environment.seconds)
    }

    func setAside(_ bytes: [UInt8], reason: String, _ report: [String]) throws(StorageError) {
        if isReadOnly { return }
        removedFromQuarantine += try quarantine.keep(bytes: bytes, reason: reason, report)
    }

    func quarantined() throws(StorageError) -> [String] {
        guard let copy else { return try quarantine.items() }
        return try Quarantine(in: copy.source, now: environment.seconds).items()
    }

    func purgeQuarantine() throws(StorageError) { try quarantine.purge() }
}

/// The header of a sealed side lies beside the sides.
extension LocalHome {
    var directoryForKeys: (any FileDirectory)? { directory }

    func header(_ name: String) throws(StorageError) -> [UInt8]? {
        guard let status = try directory.status(of: name) else { return nil }
        guard status.kind == .file, status.size < 1 << 16 else { return [] }
        return try directory.read(name)
    }

    func putHeader(_ name: String, _ bytes: [UInt8]) throws(StorageError) {
        try directory.replace(name, with: bytes)
    }

    func removeHeaders() throws(StorageError) {
        for name in IncognitoHeader.fileNames {
            try directory.remove(name)
            try directory.remove(name + ".new")
        }
    }

    func syncRemovals() throws(StorageError) { try directory.sync() }
}
