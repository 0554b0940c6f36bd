import BrowserSessions

/// Removes a store as a whole.
///
/// First it is noted that the store counts as gone, so that every opening ends what a killed process began;
/// then the key of the incognito side is destroyed, which is why no side is readable that is still there; then
/// everything goes. Only a key that cannot be destroyed takes the note back.
struct StoreRemoval {
    private let home: any StoreHome
    private let vault: IncognitoVault

    init(of home: any StoreHome, _ protection: IncognitoProtection?) {
        self.home = home
        vault = IncognitoVault(home: home, protection: protection)
    }

    func run() throws(StorageError) {
        let isContinued = try home.isBeingRemoved
        if !isContinued { try vault.requireRemovable() }
        let key = try vault.removal()
        if !isContinued { try home.beginRemoval() }
        do throws(StorageError) {
            // Of another store, which this one was copied from, it stays.
            _ = try key?.run()
            _ = try vault.abandonedKey()?.run()
        } catch {
            // Without the side the key opens nothing.
            if try home.holdsIncognito {
                throw isContinued ? Self.unfinished(error) : cancelled(error)
            }
        }
        do throws(StorageError) {
            try home.remove()
        } catch {
            var error = error
            error.effect = .applied
            error.message += "; the store counts as removed, remove it again for the rest"
            throw error
        }
    }

    private func cancelled(_ error: StorageError) -> StorageError {
        do throws(StorageError) {
            try home.cancelRemoval()
            return error
        } catch { return Self.unfinished(error) }
    }

    /// The key is to be destroyed, and nobody knows whether it was.
    private static func unfinished(_ error: StorageError) -> StorageError {
        var error = error
        error.effect = .indeterminate
        error.message +=
            "; the removal of the store was begun and not ended: remove it with the program that has the key"
        return error
    }
}
