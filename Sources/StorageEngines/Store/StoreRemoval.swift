import BrowserSessions

/// Removes a store as a whole.
///
/// First it notes that the store counts as removed, so that the next opening finishes what a killed
/// process began. Then it destroys the incognito key, so that what is left cannot be read. Then it
/// removes everything. Only a key that cannot be destroyed takes the note back.
struct StoreRemoval {
    private let root: any StoreRoot
    private let vault: IncognitoVault

    init(of root: any StoreRoot, _ protection: IncognitoProtection?) {
        self.root = root
        vault = IncognitoVault(root: root, protection: protection)
    }

    func run() throws(StorageError) {
        let isContinued = try root.isBeingRemoved
        if !isContinued { try vault.requireRemovable() }
        let key = try vault.removal()
        if !isContinued { try root.beginRemoval() }
        do throws(StorageError) {
            // If the key belongs to another store, which this one was copied from, it stays.
            _ = try key?.run(sparingShared: true)
            _ = try vault.abandonedKey()?.run()
        } catch {
            // Without the partition, the key opens nothing.
            if try root.holdsIncognito {
                throw isContinued ? Self.unfinished(error) : cancelled(error)
            }
        }
        do throws(StorageError) {
            try root.remove()
        } catch {
            throw error.with(
                .applied, adding: "; the store counts as removed, remove it again for the rest")
        }
    }

    private func cancelled(_ error: StorageError) -> StorageError {
        do throws(StorageError) {
            try root.cancelRemoval()
            return error
        } catch { return Self.unfinished(error) }
    }

    /// Returns the error for a key that is to be destroyed, when it is unknown whether it was.
    private static func unfinished(_ error: StorageError) -> StorageError {
        error.with(
            .indeterminate,
            adding: """
                ; the removal of the store was begun and not ended: remove it with the program that has the key
                """)
    }
}
