#if FaultyBackends
    import BrowserSessions

    extension FaultyBackend {

        /// Applies the first half of a set before checking whether it must be refused.
        static func applyingHalfOfRefused(_ base: any SessionStorage) -> AlteredStorage {
            AlteredStorage.refused(base, for: StorageError.Code.allCases) {
                base, changes, durability, error throws(StorageError) in
                let half = Array(changes.changes.prefix(max(1, changes.changes.count / 2)))
                _ = try await base.save(SessionChanges(all: half), durability: durability)
                throw error
            }
        }
    }
#endif
