import BrowserSessions

extension SessionStorage {
    /// Applies the first half of a set before checking whether it must be refused.
    func applyingHalfOfRefused() -> AlteredStorage {
        refused(for: StorageError.Code.allCases) { save, store, error in
            let half = save.changes.changes.prefix(max(1, save.changes.changes.count / 2))
            _ = try await store.save(SessionChanges(all: Array(half)), durability: save.durability)
            throw error
        }
    }
}
