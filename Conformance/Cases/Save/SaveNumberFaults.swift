#if FaultyBackends
    import BrowserSessions

    extension FaultyBackend {

        @Sendable static func withoutPowerLoss(_ traits: StorageTraits) -> StorageTraits {
            var traits = traits
            traits.durability = [.memory, .processCrash]
            traits.defaultDurability = min(traits.defaultDurability, .processCrash)
            return traits
        }

        /// Treats every save as one without a condition.
        static func ignoringExpectedSequence(_ base: any SessionStorage) -> AlteredStorage {
            AlteredStorage.changing(base) {
                var changes = $0
                changes.expectedSequence = nil
                return changes
            }
        }

        static func withReceipts(
            _ base: any SessionStorage, _ change: @escaping @Sendable (inout SaveReceipt) -> Void
        ) -> AlteredStorage {
            AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    var receipt = try await base.save(changes, durability: durability)
                    change(&receipt)
                    return receipt
                })
        }
    }
#endif
