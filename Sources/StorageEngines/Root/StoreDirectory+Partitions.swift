import BrowserSessions

/// The partitions in a store directory.
extension StoreDirectory {
    /// Returns the name of a partition's directory.
    func name(_ partition: StoragePartition) -> String { partition.rawValue }

    func holds(_ partition: StoragePartition) throws(StorageError) -> Bool {
        try directory.has(name(partition))
    }

    func open(_ partition: StoragePartition, wasClosed: Bool) throws -> any OrderedByteStore {
        let isThere = try holds(partition)
        if wasClosed, isThere { try requireUndamaged(partition) }
        let files =
            wasClosed && isThere
            ? try directory.directory(name(partition))
            : try directory.makeDurableDirectory(name(partition))
        stamps[partition] = try? files.stamp(of: ".", timed: true)
        // The process that made files in it may have been killed before it synced.
        if !wasClosed { try files.sync() }
        if isThere, !isNew, copy == nil, try !isKnown(files, of: partition) {
            // Before an engine opens it: to close a file would drop the locks that its library has.
            syncFailure = syncFailure ?? directory.failureToSync(with: files)
        }
        let marks = CloseMarkNames(of: partition)
        let request = OpenRequest(files, wasClosed: wasClosed, environment: environment) {
            [directory] () throws(StorageError) in
            try marks.markOpen(in: directory)
        }
        return try engine.open(request)
    }

    /// Opens records that were not closed, and have no marker.
    private func openRecords(_ files: any FileDirectory) throws -> any OrderedByteStore {
        try engine.open(OpenRequest(files, wasClosed: false, environment: environment))
    }

    func salvage(_ partition: StoragePartition, _ visit: RecordVisitor) throws -> [String] {
        let files = try directory.directory(name(partition))
        if let engine = engine as? any SalvagingFileEngine {
            return try engine.salvage(files, visit)
        }
        return try scanCopy(of: partition, visit)
    }

    /// Opens a copy of the damaged files, and visits what can be read.
    private func scanCopy(of partition: StoragePartition, _ visit: RecordVisitor) throws -> [String]
    {
        let copy = copyName(partition)
        try directory.remove(copy)
        defer { try? directory.remove(copy) }
        var notes: [String] = []
        if let checksums = try checksums(of: partition) {
            notes = try checksums.copy(name(partition), to: copy, in: directory)
        } else {
            try directory.copy(name(partition), to: copy, in: directory)
        }
        let store: any OrderedByteStore
        do {
            store = try openRecords(directory.directory(copy))
        } catch let error as StorageError where error.code == .corrupted {
            return notes + ["nothing of it can be read: \(error.message)"]
        }
        defer { try? store.close() }
        var scan = DamageTolerantScan(of: store)
        return notes + (try scan.visitAll(visit))
    }

    // MARK: Clean-close markers

    func markClosed(_ partition: StoragePartition, _ token: String) throws(StorageError) {
        let text = CloseMarkerText(
            partition, token,
            files: try? CloseMarkerText.stamps(of: directory.directory(name(partition))),
            checksums: keepChecksums(of: partition))
        let names = CloseMarkNames(of: partition)
        try directory.replace(names.closed, with: text.bytes)
        try directory.removeEntry(names.opened)
    }

    func markOpen(_ partition: StoragePartition) throws(StorageError) {
        try CloseMarkNames(of: partition).markOpen(in: directory)
    }

    /// Returns whether the files of a partition are those that an earlier opening closed here or, if a kill ended it,
    /// had here. Bytes and names of a copy may be in memory alone.
    private func isKnown(_ files: any FileDirectory, of partition: StoragePartition)
        throws(StorageError) -> Bool
    {
        guard let closed = try closedMark(of: partition) else { return wasHere }
        return try closed.files == CloseMarkerText.stamps(of: files)
    }

    func forgetMark(of partition: StoragePartition) throws(StorageError) {
        let names = CloseMarkNames(of: partition)
        for name in [names.opened, names.closed] { try directory.removeEntry(name) }
        try directory.remove(checksumsFile(of: partition))
        try directory.sync()
    }

    func mark(of partition: StoragePartition) throws(StorageError) -> CloseMarker? {
        if let closed = try closedMark(of: partition) {
            return CloseMarker(token: closed.token, isLast: true)
        }
        let name = CloseMarkNames(of: partition).opened
        return try CloseMarkerText(partition, file: name, in: directory).map {
            CloseMarker(token: $0.token, isLast: false)
        }
    }

    func closedMark(of partition: StoragePartition) throws(StorageError) -> CloseMarkerText? {
        try CloseMarkerText(partition, file: CloseMarkNames(of: partition).closed, in: directory)
    }

    // MARK: Removing and replacing

    private static let trash = "incognito.removed"

    func moveIncognitoAway() throws(StorageError) {
        try removeIncognitoRemains()
        if try holds(.incognito) { try directory.rename(name(.incognito), to: Self.trash) }
        try forgetMark(of: .incognito)
    }

    /// The trash goes last, because it shows that there was a deletion.
    func removeIncognitoRemains() throws(StorageError) {
        for ending in ["repaired", "replaced", "copy", "removed"] {
            try directory.remove("incognito.\(ending)")
        }
    }

    func finishInterruptedWork() throws(StorageError) {
        if copy == nil { PrivateFolder.sweep(on: fileSystem) }
        // What follows may depend on names that an earlier process gave and did not sync.
        if try isInterrupted { try directory.sync() }
        try finishResealing()
        if try directory.has(Self.trash) {
            try forgetMark(of: .incognito)
            try removeIncognitoRemains()
        }
        for partition in StoragePartition.allCases {
            let (repaired, replaced) = (repairedName(partition), replacedName(partition))
            if try !holds(partition) {
                let hasReplaced = try directory.has(replaced)
                if try directory.has(repaired), partition == .regular || hasReplaced {
                    // Moved away, not yet exchanged: the new partition was complete by then.
                    try forgetChecksums(of: partition)
                    try directory.rename(repaired, to: name(partition))
                    try directory.sync()
                } else if hasReplaced {
                    try directory.rename(replaced, to: name(partition))
                }
            }
            if try holds(partition) { try directory.remove(replaced) }
            for rest in [repaired, copyName(partition)] { try directory.remove(rest) }
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

    /// What may be left of an unfinished file.
    private static let drafts =
        (StoreIdentity.fileNames + IncognitoHeader.fileNames + ResealingFiles.drafts
        + StoragePartition.allCases.flatMap {
            ["\($0.rawValue).closed", "\($0.rawValue).checksums"]
        })
        .map { $0 + ".new" }

    func repairedName(_ partition: StoragePartition) -> String { "\(partition.rawValue).repaired" }
    func replacedName(_ partition: StoragePartition) -> String { "\(partition.rawValue).replaced" }

    private func copyName(_ partition: StoragePartition) -> String { "\(partition.rawValue).copy" }

    func makeReplacement(_ partition: StoragePartition) throws -> any OrderedByteStore {
        try directory.remove(repairedName(partition))
        let files = try directory.makeDurableDirectory(repairedName(partition))
        return try openRecords(files)
    }

    func discardReplacement(_ partition: StoragePartition) throws(StorageError) {
        try directory.remove(repairedName(partition))
    }

    func exchange(_ partition: StoragePartition, keepingReplaced report: [String]?)
        throws(StorageError)
    {
        try directory.directory(repairedName(partition)).sync()
        if partition == .regular, let report {
            removedFromQuarantine += try quarantine.move(
                [name(partition)], reason: "damaged-store", report)
            try putInPlace(partition)
        } else {
            try directory.rename(name(partition), to: replacedName(partition))
            do throws(StorageError) {
                // Names have no order on the medium: without a sync, only the second may be there.
                try directory.sync()
                try putInPlace(partition)
            } catch {
                // If the new one is there, or this fails too, an opening finds what to do.
                try? directory.rename(
                    replacedName(partition), to: name(partition), in: nil, replacing: false)
                throw error
            }
        }
        try directory.sync()
        try directory.remove(replacedName(partition))
    }

    private func putInPlace(_ partition: StoragePartition) throws(StorageError) {
        // Not earlier: they belong to what was moved away.
        try forgetChecksums(of: partition)
        try directory.rename(repairedName(partition), to: name(partition))
    }

    var quarantine: Quarantine {
        Quarantine(root: directory, now: environment.seconds)
    }

    func setAside(_ bytes: [UInt8], reason: String, _ report: [String]) throws(StorageError) {
        if isReadOnly { return }
        removedFromQuarantine += try quarantine.keep(bytes: bytes, reason: reason, report)
    }

    func quarantined() throws(StorageError) -> [String] {
        guard let copy else { return try quarantine.items() }
        return try Quarantine(root: copy.source, now: environment.seconds).items()
    }

    func quarantineItems() throws(StorageError) -> [QuarantinedItem] {
        try QuarantinedItem.items(in: copy?.source ?? directory)
    }

    func purgeQuarantine() throws(StorageError) { try quarantine.purge() }
}

/// The header of a sealed partition, which is in the store directory itself.
extension StoreDirectory {
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

extension FileDirectory {
    /// Makes the directory's own files, and all that is in one of its directories, survive a power cut. Returns why
    /// that failed: the system may have dropped bytes, and would report a second sync as a success.
    fileprivate func failureToSync(with inner: any FileDirectory) -> StorageError? {
        do throws(StorageError) {
            try PartitionChecksums.visit(inner, syncing: true) { file, _ throws(StorageError) in
                try file.syncData()
            }
            for name in try names() where try status(of: name)?.kind == .file {
                // Another program's file may be unreadable, or gone.
                try (try? open(name, mode: .read))?.syncData()
            }
            try sync()
            return nil
        } catch {
            return StorageError(
                .durabilityLost,
                """
                what '\(path)' held when it was opened could not be made durable; close the store and open it again
                """, effect: .indeterminate, underlying: error)
        }
    }
}
