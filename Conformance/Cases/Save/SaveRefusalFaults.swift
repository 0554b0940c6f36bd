#if FaultyBackends
    import BrowserSessions

    extension FaultyBackend {

        /// Applies the first half of a set before it sees that the set must be refused.
        static func applyingHalfOfRefused(_ base: any SessionStorage) -> AlteredStorage {
            AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    do throws(StorageError) {
                        return try await base.save(changes, durability: durability)
                    } catch {
                        let half = Array(changes.changes.prefix(max(1, changes.changes.count / 2)))
                        _ = try await base.save(SessionChanges(all: half), durability: durability)
                        throw error
                    }
                })
        }
    }
#endif
