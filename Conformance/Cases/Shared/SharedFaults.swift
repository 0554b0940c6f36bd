#if FaultyBackends
    import BrowserSessions
    import Synchronization

    /// Faults in handling a lost connection, in front of a sound medium.
    enum SharedFaults {
        /// Saves again what another connection than the first answered.
        @Sendable static func saveTwice(
            _ medium: MediumAccess, _ configuration: StorageConfiguration
        ) throws(StorageError) -> any SessionStorage {
            let wire = medium.wire
            return AlteredStorage(
                base: try medium.open(configuration),
                onSave: { base, changes, durability throws(StorageError) in
                    let before = wire?.traffic.connections
                    let receipt = try await base.save(changes, durability: durability)
                    guard wire?.traffic.connections != before else { return receipt }
                    return try await base.save(changes, durability: durability)
                })
        }

        /// Returns earlier results if the medium cannot be reached.
        @Sendable static func readFromMemory(
            _ medium: MediumAccess, _ configuration: StorageConfiguration
        ) throws(StorageError) -> any SessionStorage {
            let known = FaultMemory<[SessionID: RestoredSession]>([:])
            return AlteredStorage(
                base: try medium.open(configuration),
                onRestore: { base, id, version throws(StorageError) in
                    do throws(StorageError) {
                        let found = try await base.restore(id, at: version)
                        known.use { $0[id] = found }
                        return found
                    } catch {
                        guard error.code == .unavailable else { throw error }
                        return known.use { $0[id] }
                    }
                })
        }

        /// Assumes that a save with an unknown result arrived.
        @Sendable static func acknowledgeTheUnknown(
            _ medium: MediumAccess, _ configuration: StorageConfiguration
        ) throws(StorageError) -> any SessionStorage {
            AlteredStorage.refused(try medium.open(configuration), for: [.unavailable]) {
                _, _, durability, error throws(StorageError) in
                guard error.effect == .indeterminate else { throw error }
                return SaveReceipt(sequence: 2, durability: durability)
            }
        }

        /// Claims falsely that incognito is sealed with a key elsewhere.
        @Sendable static func claimKeysElsewhere(
            _ medium: MediumAccess, _ configuration: StorageConfiguration
        ) throws(StorageError) -> any SessionStorage {
            AlteredStorage(
                base: try medium.open(configuration),
                onTraits: { traits in
                    var traits = traits
                    traits.incognitoErasure = .sealed
                    traits.incognitoSealing = StorageTraits.Sealing(
                        cipher: "none", keyStore: "nowhere", survives: .memory,
                        keyLiesInStore: false)
                    return traits
                })
        }
    }
#endif
