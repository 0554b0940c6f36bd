import BrowserSessions

/// The removal of a store on this machine.
///
/// It begins with a new name for a copy of the identity, for which a full disk has room, too, and ends
/// when that goes, behind everything else.
extension LocalHome {
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
        // What is left of the store may not tell any more whose it was.
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
        // A folder that cannot go is empty, and no store.
        guard (try? directory.names().isEmpty) == true,
            (try? directory.whereabouts()) == .inPlace
        else { return }
        try? fileSystem.removeDirectory(directory.path)
    }

    /// Whether a name tells of a side; of the incognito side key stores may have names of their own.
    static func isOfSide(_ name: String) -> Bool {
        let begins = StorageSide.allCases.contains { name.hasPrefix($0.rawValue) }
        return name.hasPrefix("incognito.") || begins && ownNames.contains(name)
    }

    /// All that a store has in its directory but the mark of its removal. Whatever else is there is
    /// somebody else's.
    private static let ownNames: [String] = {
        let sides = StorageSide.allCases.flatMap { side in
            ["", ".repaired", ".replaced", ".copy", ".removed"].map { side.rawValue + $0 }
        }
        let marks = StorageSide.allCases.flatMap { side in
            [".closed", ".opened", ".checksums"].map { side.rawValue + $0 }
        }
        let files =
            marks + IncognitoHeader.fileNames + ResealingFiles.headers + StoreIdentity.fileNames
            + [LockFile.name]
        let drafts = (files + [StoreIdentity.removedName]).map { $0 + ".new" }
        return sides + [Quarantine.name] + files + drafts
    }()
}
