import BrowserSessions

/// The removal of a store on this machine.
///
/// It begins with a new name for one copy of the identity, which works on a full disk too, and ends
/// when that file is removed, after everything else.
extension StoreDirectory {
    var isBeingRemoved: Bool {
        get throws(StorageError) { try directory.has(StoreIdentity.removedName) }
    }

    func beginRemoval() throws(StorageError) {
        let mark = StoreIdentity.removedName
        for name in StoreIdentity.fileNames
        where try StoreIdentity.read(name, in: directory) == identity {
            try directory.rename(name, to: mark)
            return try directory.sync()
        }
        // The files that are left of the store may not identify it any more.
        try directory.create(mark, with: identity.json)
    }

    func cancelRemoval() throws(StorageError) {
        let name = StoreIdentity.fileNames.first { (try? directory.has($0)) == false }
        if let name {
            try directory.rename(StoreIdentity.removedName, to: name)
        } else {
            try directory.removeEntry(StoreIdentity.removedName)
        }
        try directory.sync()
    }

    func remove() throws(StorageError) {
        defer { directory.unlock() }
        for name in Self.ownNames { try directory.remove(name) }
        try directory.sync()
        try directory.removeEntry(StoreIdentity.removedName)
        try directory.sync()
        // A folder that cannot be removed is empty, and not a store.
        guard (try? directory.names().isEmpty) == true,
            (try? directory.whereabouts()) == .inPlace
        else { return }
        try? fileSystem.removeDirectory(directory.path)
    }

    /// Returns whether a name belongs to a partition. Key stores may add names to the incognito
    /// one.
    static func isOfPartition(_ name: String) -> Bool {
        let begins = StoragePartition.allCases.contains { name.hasPrefix($0.rawValue) }
        return name.hasPrefix("incognito.") || begins && ownNames.contains(name)
    }

    /// All names of a store in its directory, except the removal marker. Others are not the
    /// store's.
    private static let ownNames: [String] = {
        let partitions = StoragePartition.allCases.flatMap { partition in
            ["", ".repaired", ".replaced", ".copy", ".removed"].map { partition.rawValue + $0 }
        }
        let marks = StoragePartition.allCases.flatMap { partition in
            [".closed", ".opened", ".checksums"].map { partition.rawValue + $0 }
        }
        let files =
            marks + IncognitoHeader.fileNames + ResealingFiles.headers + StoreIdentity.fileNames
            + [StoreHolder.name]
        let drafts = (files + [StoreIdentity.removedName]).map { $0 + ".new" }
        return partitions + [Quarantine.name] + files + drafts
    }()
}
