#if FaultyBackends
    import BrowserSessions
    import Foundation
    import StorageEngines

    /// Ignores that the same tab may be in both partitions.
    struct ListsTabsOfOtherPartition: StorageDecorator {
        let base: any SessionStorage

        func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
            -> [RestoredSession]
        {
            let others = ids.map { SessionID(window: $0.window) }
            let regular = try await base.restore(others, at: version)
            return try await restoreEach(ids, version) { session in
                guard session.id.partition == .incognito else { return }
                let other = regular.first { $0.id.window == session.id.window }
                session.tabs = other?.tabs ?? []
            }
        }
    }

    /// Removes a session of the same window in the other partition, too.
    struct RemovesOnBothPartitions: StorageDecorator {
        let base: any SessionStorage

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            var others = SessionChanges()
            for case .removeSession(let id) in changes.changes {
                let kind: SessionKind = id.partition == .regular ? .incognito : .regular
                others.remove(SessionID(window: id.window, kind: kind))
            }
            if !others.isEmpty { _ = try await base.save(others, durability: durability) }
            return try await base.save(changes, durability: durability)
        }
    }

    /// Deletes by removing the sessions that it considers incognito.
    struct DeletesSome: StorageDecorator {
        let base: any SessionStorage
        let isMeant: @Sendable (SessionID) -> Bool

        func deleteIncognito() async throws(StorageError) {
            for id in try await base.sessions() where isMeant(id) {
                var changes = SessionChanges()
                changes.remove(id)
                _ = try await base.save(changes)
            }
        }
    }

    /// Answers as if incognito were deleted, until something is saved or the store is opened again.
    final class HidesIncognito: StorageDecorator {
        let base: any SessionStorage
        private let isHidden = Flag()

        init(base: any SessionStorage) { self.base = base }

        func sessions() async throws(StorageError) -> [SessionID] {
            let isHidden = isHidden.isSet
            return try await base.sessions().filter { !isHidden || $0.partition == .regular }
        }

        func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
            -> [RestoredSession]
        {
            try await base.restore(ids, at: version)
                .filter { !isHidden.isSet || $0.id.partition != .incognito }
        }

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            isHidden.set(false)
            return try await base.save(changes, durability: durability)
        }

        func deleteIncognito() async throws(StorageError) { isHidden.set(true) }
    }

    /// Treats a deletion of nothing as an error.
    struct RefusesEmptyDeletion: StorageDecorator {
        let base: any SessionStorage

        func deleteIncognito() async throws(StorageError) {
            guard try await base.sessions().contains(where: { $0.partition == .incognito }) else {
                throw StorageError(.notFound, "there is no incognito session")
            }
            try await base.deleteIncognito()
        }
    }

    /// Treats the end of a run as the end of incognito.
    struct DeletesAtClose: StorageDecorator {
        let base: any SessionStorage

        func close() async throws(StorageError) {
            try await base.deleteIncognito()
            try await base.close()
        }
    }

    /// Holds incognito sets back until it is closed.
    struct SavesIncognitoAtClose: StorageDecorator {
        let base: any SessionStorage

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            let isIncognito = changes.changes.contains { change in
                if case .putSession(let id, _) = change {
                    id.partition == .incognito
                } else {
                    false
                }
            }
            guard isIncognito else { return try await base.save(changes, durability: durability) }
            return SaveReceipt(sequence: 1, durability: durability)
        }
    }

    /// Deletes session by session; the process ends after the first one.
    struct DiesInDeletion: StorageDecorator {
        let base: any SessionStorage

        func deleteIncognito() async throws(StorageError) {
            guard ConformanceChild.isChild else { return try await base.deleteIncognito() }
            let first = try await base.sessions().first { $0.partition == .incognito }
            var changes = SessionChanges()
            if let first { changes.remove(first) }
            _ = try await base.save(changes, durability: .processCrash)
            kill(getpid(), SIGKILL)
        }
    }
#endif
