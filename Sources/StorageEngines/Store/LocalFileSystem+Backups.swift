import BrowserSessions

extension LocalFileSystem {
    /// Throws unless a backup of the store may be made at a path: outside that store, every other one, and
    /// every backup, with which it would go.
    func requireApart(_ path: String, from store: String) throws(StorageError) {
        let own = try realPath(of: store)
        var place = path
        // The nearest folder that is there says where the rest will be.
        while try status(of: place) == nil {
            let parent = Self.parts(of: place).parent
            if parent == place { return }
            place = parent
        }
        guard var real = try realPath(of: place) else { return }
        var isAround = place != path
        while true {
            let found = real == own ? "the store itself" : isAround ? try holder(at: real) : nil
            if let found {
                throw StorageError(
                    .unsafeLocation,
                    """
                    '\(path)' is \(found) or inside it ('\(real)'), and would go with it; name a folder \
                    elsewhere for the backup
                    """)
            }
            let parent = Self.parts(of: real).parent
            if parent == real { return }
            (real, isAround) = (parent, true)
        }
    }

    /// Returns what a folder is, if it is removed with all that is in it; `nil` for any other.
    private func holder(at path: String) throws(StorageError) -> String? {
        do throws(StorageError) {
            let directory = try directory(at: path)
            func hasFile(_ name: String) throws(StorageError) -> Bool {
                try directory.status(of: name)?.kind == .file
            }
            for name in StoreIdentity.fileNames + [StoreIdentity.removedName]
            where try hasFile(name) {
                if try StoreIdentity.read(name, in: directory) != nil { return "a store" }
            }
            if try BackupMark.read(in: directory) != nil { return "a backup" }
            // A draft with a lock is in use: an archive is made of the backup in it.
            guard try hasFile(BackupMark.unfinishedName), try directory.lock() else { return nil }
            directory.unlock()
            return "an unfinished backup"
        } catch {
            // What this user may not look into, is no store or backup of this user.
            guard error.code == .permissionDenied else { throw error }
            return nil
        }
    }
}
