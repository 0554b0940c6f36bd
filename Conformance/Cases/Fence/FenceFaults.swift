#if FaultyBackends
    import BrowserSessions
    import StorageEngines
    import Synchronization

    /// Faults in the change of owners, in front of a sound medium.
    enum FenceFaults {
        /// Drops the incognito partition when the owner changes.
        @Sendable static func dropIncognito(
            _ medium: MediumAccess, _ configuration: StorageConfiguration
        ) throws(StorageError) -> any SessionStorage {
            let isTaken = medium.medium.isTaken(configuration.location)
            let store = try medium.open(configuration)
            if isTaken { try store.deleteIncognitoBlocking() }
            return store
        }

        /// Lists no session of a store that another owner has.
        @Sendable static func listNothing(
            _ medium: MediumAccess, _ configuration: StorageConfiguration
        ) throws(StorageError) -> any SessionStorage {
            AlteredStorage(
                base: try medium.open(configuration),
                onSessions: { base throws(StorageError) in
                    do throws(StorageError) {
                        return try await base.sessions()
                    } catch {
                        guard error.code == .fenced else { throw error }
                        return []
                    }
                })
        }

        /// Accepts an empty set from any owner.
        @Sendable static func takeEmptySets(
            _ medium: MediumAccess, _ configuration: StorageConfiguration
        ) throws(StorageError) -> any SessionStorage {
            AlteredStorage.refused(try medium.open(configuration), for: [.fenced]) {
                _, changes, durability, error throws(StorageError) in
                guard changes.isEmpty else { throw error }
                return SaveReceipt(sequence: 0, durability: durability)
            }
        }

        /// Deletes incognito for any owner.
        @Sendable static func deleteForOthers(
            _ medium: MediumAccess, _ configuration: StorageConfiguration
        ) throws(StorageError) -> any SessionStorage {
            DeletesForOthers(
                base: try medium.open(configuration), medium: medium.medium,
                location: configuration.location)
        }
    }

    private struct DeletesForOthers: StorageDecorator {
        let base: any SessionStorage
        let medium: SharedMedium
        let location: String

        func deleteIncognito() async throws(StorageError) {
            do throws(StorageError) {
                try await base.deleteIncognito()
            } catch {
                if error.code == .fenced { medium.removeIncognito(at: location) }
                throw error
            }
        }
    }

    /// Leaves the incognito sets of a replaced owner to the next one.
    final class LeavesIncognito: StorageDecorator {
        /// The sets left, by location.
        final class Heritage: Sendable {
            fileprivate let sets = Mutex<[String: [SessionChanges]]>([:])

            @Sendable func open(_ medium: MediumAccess, _ configuration: StorageConfiguration)
                throws(StorageError) -> any SessionStorage
            {
                let store = try medium.open(configuration)
                let left = sets.withLock { $0.removeValue(forKey: configuration.location) ?? [] }
                for changes in left { _ = try store.saveBlocking(changes, durability: .memory) }
                return LeavesIncognito(store, configuration.location, self)
            }
        }

        let base: any SessionStorage
        private let location: String
        private let heritage: Heritage
        private let own = Mutex<[SessionChanges]>([])

        private init(_ base: any SessionStorage, _ location: String, _ heritage: Heritage) {
            (self.base, self.location, self.heritage) = (base, location, heritage)
        }

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            let receipt = try await base.save(changes, durability: durability)
            for case .putSession(let id, _) in changes.changes where id.partition == .incognito {
                own.withLock { $0.append(changes) }
            }
            return receipt
        }

        func close() async throws(StorageError) {
            do throws(StorageError) {
                _ = try await base.sessions()
            } catch {
                let left = own.withLock(\.self)
                if error.code == .fenced { heritage.sets.withLock { $0[location] = left } }
            }
            try await base.close()
        }
    }
#endif
