#if FaultyBackends
    import BrowserSessions

    extension StorageDecorator {
        /// Saves, or does something else about an error of that kind.
        func save(
            _ changes: SessionChanges, _ durability: Durability, or code: StorageError.Code,
            _ otherwise: () async throws(StorageError) -> SaveReceipt
        ) async throws(StorageError) -> SaveReceipt {
            do throws(StorageError) {
                return try await base.save(changes, durability: durability)
            } catch {
                guard error.code == code else { throw error }
                return try await otherwise()
            }
        }
    }
#endif
