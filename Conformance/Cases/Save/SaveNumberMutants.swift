import BrowserSessions

extension Mutant {
    static let saveNumberMutants: [Mutant] = [
        Mutant(
            "takes-more-than-it-claims", breaks: "SAVE-23",
            says: "which the traits do not claim: expected .unsupported, no error was thrown"
        ) { base in
            AlteredStorage(
                base: base,
                onTraits: {
                    var traits = $0
                    traits.durability = [.memory]
                    traits.defaultDurability = .memory
                    return traits
                })
        },
        Mutant(
            "refuses-the-least-level", breaks: "SAVE-23", says: "a save at .memory was refused"
        ) { base in
            AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    guard durability > .memory else {
                        throw StorageError(.unsupported, "name a level")
                    }
                    return try await base.save(changes, durability: durability)
                })
        },
        Mutant("counts-by-two", breaks: "SAVE-16", says: "the number of set 1") { base in
            withReceipts(base) { $0.sequence *= 2 }
        },
        Mutant("counts-both-sides", breaks: "SAVE-16", says: "the number of set 1") { base in
            let count = FaultMemory(0 as UInt64)
            return AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    var receipt = try await base.save(changes, durability: durability)
                    receipt.sequence = count.use {
                        if !changes.isEmpty { $0 += 1 }
                        return $0
                    }
                    return receipt
                })
        },
        Mutant(
            "counts-anew-when-opened", breaks: "SAVE-17", says: "the number at opening 2"
        ) { base in
            let start = FaultMemory<UInt64?>(nil)
            return withReceipts(base) { receipt in
                let number = receipt.sequence
                receipt.sequence -= start.use {
                    $0 = $0 ?? number
                    return $0 ?? 0
                }
            }
        },
        Mutant(
            "ignores-the-expected-number", breaks: "SAVE-18",
            says: "a wrong expected number: expected .conflict, no error was thrown"
        ) { base in
            AlteredStorage.changing(base) {
                var changes = $0
                changes.expectedSequence = nil
                return changes
            }
        },
        Mutant("ignores-commit-ids", breaks: "SAVE-19", says: "is not known") { base in
            AlteredStorage.changing(base) {
                var changes = $0
                changes.commitID = nil
                return changes
            }
        },
        Mutant(
            "applies-known-commits", breaks: "SAVE-19", says: "after repeated commits"
        ) { base in
            AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    let receipt = try await base.save(changes, durability: durability)
                    if receipt.wasAlreadyApplied {
                        let again = SessionChanges(all: changes.changes)
                        _ = try await base.save(again, durability: durability)
                    }
                    return receipt
                })
        },
        Mutant(
            "forgets-commit-ids-when-closed", breaks: "SAVE-20", says: "commit id 64 is not known"
        ) { base in
            let known = FaultMemory<Set<CommitID>>([])
            return AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    var changes = changes
                    if let id = changes.commitID, !known.use({ $0.contains(id) }) {
                        changes.commitID = nil
                        known.use { _ = $0.insert(id) }
                    }
                    return try await base.save(changes, durability: durability)
                })
        },
        Mutant("promises-nothing", breaks: "SAVE-21", says: "less than asked") { base in
            withReceipts(base) { $0.durability = .memory }
        },
        Mutant("promises-more-than-its-traits", breaks: "SAVE-22", says: "is above") { base in
            var altered = withReceipts(base) { $0.durability = .powerLoss }
            altered.onTraits = {
                var traits = $0
                traits.durability = [.processCrash]
                traits.defaultDurability = .processCrash
                return traits
            }
            return altered
        },
        Mutant(
            "promises-more-than-its-incognito-key", breaks: "SAVE-22", says: "is above memory"
        ) { base in
            AlteredStorage(
                base: base,
                onTraits: {
                    var traits = $0
                    traits.incognitoSealing = StorageTraits.Sealing(
                        cipher: "none", keyStore: "memory", survives: .memory,
                        keyLiesInStore: false)
                    return traits
                })
        },
        Mutant(
            "applies-what-it-does-not-support", breaks: "SAVE-23", says: "the sessions"
        ) { base in
            AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    let receipt = try await base.save(changes, durability: durability)
                    guard durability == .powerLoss else { return receipt }
                    throw StorageError(.unsupported, "nothing is synced here", operation: "save")
                },
                onTraits: withoutPowerLoss)
        },
    ]

    @Sendable private static func withoutPowerLoss(_ traits: StorageTraits) -> StorageTraits {
        var traits = traits
        traits.durability = [.memory, .processCrash]
        traits.defaultDurability = min(traits.defaultDurability, .processCrash)
        return traits
    }

    private static func withReceipts(
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
