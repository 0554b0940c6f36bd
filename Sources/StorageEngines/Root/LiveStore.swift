import BrowserSessions

/// The directory of a store that another opener may have, and change, at any time.
struct LiveStore {
    private let directory: any FileDirectory

    init(_ directory: any FileDirectory) { self.directory = directory }

    /// Does work on files that may vanish. Throws `unavailable` if one did and the store is still
    /// there.
    func noticingChanges(_ work: () throws(StorageError) -> Void) throws(StorageError) {
        do throws(StorageError) { try work() } catch {
            guard error.code == .notFound, try isThere else { throw error }
            throw LiveStoreCopy.changed("a file vanished")
        }
    }

    private var isThere: Bool {
        get throws(StorageError) {
            guard try directory.whereabouts() == .inPlace,
                try !directory.has(StoreIdentity.removedName)
            else { return false }
            return try StoreIdentity.found(in: directory) != nil
        }
    }

    /// Copies the identity and the regular partition to an empty directory, as a kill could have left
    /// them. Throws `unavailable` if the files changed in a way that spoils the copy, and `notFound` if
    /// one vanished.
    func copy(to target: any FileDirectory, with engine: any FileEngine) throws(StorageError) {
        let partition = StoragePartition.regular
        for name in StoreIdentity.fileNames where try directory.has(name) {
            try directory.copy(name, to: name, in: target, durably: false)
        }
        // Before the records: they are then at least as new as the marker says.
        if let mark = try mark(of: partition) {
            let text = CloseMarkerText(partition, mark.token)
            try target.open(CloseMarkNames(of: partition).opened, mode: .new).write(text.bytes)
        }
        let records = try directory.directory(partition.rawValue)
        try target.makeDirectory(partition.rawValue)
        do {
            let copy = LiveStoreCopy(in: try target.directory(partition.rawValue))
            try engine.copyLive(records, to: copy)
        } catch { throw StorageError(ofEngine: error) }
        try requireUse(of: records)
    }

    /// Throws if the partition was exchanged or the store was removed: its files then vanish one by
    /// one, and each of them may be missing in a copy that was made before this call.
    private func requireUse(of records: any FileDirectory) throws(StorageError) {
        guard try isThere else { throw LiveStoreCopy.changed("the store was moved or removed") }
        guard try records.whereabouts() == .inPlace else {
            throw LiveStoreCopy.changed("the regular partition was replaced")
        }
    }

    /// Returns the marker under either name; `nil` if there is none now.
    private func mark(of partition: StoragePartition) throws(StorageError) -> CloseMarkerText? {
        let names = CloseMarkNames(of: partition)
        for name in [names.closed, names.opened] {
            do throws(StorageError) {
                let mark = try CloseMarkerText(partition, file: name, in: directory)
                if let mark { return mark }
            } catch {
                guard error.code == .notFound else { throw error }
            }
        }
        return nil
    }
}
