#if FaultyBackends
    import BrowserSessions

    /// Treats only sessions of the kind `incognito` as incognito.
    struct KeepsOwnIncognito: StorageDecorator {
        let base: any SessionStorage
        func deleteIncognito() async throws(StorageError) {
            var kept = SessionChanges()
            for id in try await base.sessions() where id.kind.rawValue.hasPrefix("incognito-") {
                guard let session = try await base.restore(id) else { continue }
                kept.put(session.attributes, for: id)
            }
            try await base.deleteIncognito()
            if !kept.isEmpty { _ = try await base.save(kept) }
        }
    }
#endif
