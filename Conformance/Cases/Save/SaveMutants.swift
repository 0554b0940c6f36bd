import BrowserSessions

extension Mutant {
    static let save: [Mutant] =
        saveSetMutants + saveMeaningMutants + saveRefusalMutants + saveRemovalMutants
        + saveNumberMutants

    private static let saveSetMutants: [Mutant] = [
        Mutant(
            "answers-with-the-first-restore", breaks: "SAVE-1",
            says: "after set 2: the session differs in title"
        ) { base in
            let answers = FaultMemory<[SessionID: RestoredSession]>([:])
            return AlteredStorage(
                base: base,
                onRestore: { base, id, generation throws(StorageError) in
                    if let old = answers.use({ $0[id] }) { return old }
                    let new = try await base.restore(id, generation: generation)
                    answers.use { $0[id] = new }
                    return new
                })
        },
        Mutant(
            "drops-all-but-the-first-session", breaks: "SAVE-2",
            says: "session 1 of the set: the session is absent"
        ) { base in
            AlteredStorage.changing(base) { changes in
                changes.replacing(
                    changes.changes.filter {
                        switch $0 {
                        case .putSession(let id, _), .putTab(_, let id):
                            id == Plain.session(0)
                        default: true
                        }
                    })
            }
        },
        Mutant(
            "cuts-large-sets", breaks: "SAVE-3", says: "the large set: the number of tabs"
        ) { base in
            AlteredStorage.changing(base) { $0.replacing(Array($0.changes.prefix(4096))) }
        },
        Mutant("shows-half-a-set", breaks: "SAVE-4", says: "half a set") { base in
            AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    let middle = changes.changes.count / 2
                    let first = SessionChanges(all: Array(changes.changes[..<middle]))
                    let rest = changes.replacing(Array(changes.changes[middle...]))
                    _ = try await base.save(first, durability: durability)
                    return try await base.save(rest, durability: durability)
                })
        },
    ]

    private static let saveMeaningMutants: [Mutant] = [
        Mutant("repeats-a-repeated-set", breaks: "SAVE-5", says: "changed it") { base in
            let last = FaultMemory<SessionChanges?>(nil)
            return AlteredStorage.changing(base) { changes in
                let isRepeated = last.use { last in
                    defer { last = changes }
                    return last == changes
                }
                guard isRepeated else { return changes }
                return changes.replacing(
                    changes.changes.map {
                        guard case .putTab(var tab, let session) = $0 else { return $0 }
                        tab.navigationItemCount += 1
                        return .putTab(tab, in: session)
                    })
            }
        },
        Mutant(
            "applies-changes-in-turn", breaks: "SAVE-6", says: "gave another result"
        ) { base in
            AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    for change in changes.changes {
                        _ = try await base.save(SessionChanges(change), durability: durability)
                    }
                    return try await base.save(SessionChanges(), durability: durability)
                })
        },
        Mutant(
            "merges-records", breaks: "SAVE-7",
            says: "after replacing all records by bare ones: tab 0 differs in properties"
        ) { base in
            AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    var merged: [SessionChanges.Change] = []
                    for change in changes.changes {
                        guard case .putTab(var tab, let session) = change else {
                            merged.append(change)
                            continue
                        }
                        let old = try await base.restore(session)?.tabs.first { $0.id == tab.id }
                        tab.properties.merge(old?.properties ?? [:]) { new, _ in new }
                        merged.append(.putTab(tab, in: session))
                    }
                    return try await base.save(
                        changes.replacing(merged), durability: durability)
                })
        },
        Mutant(
            "refuses-empty-sets", breaks: "SAVE-8", says: "the empty set was refused"
        ) { base in
            AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    if changes.isEmpty { throw StorageError(.invalidChanges, "nothing to save") }
                    return try await base.save(changes, durability: durability)
                })
        },
        Mutant(
            "counts-empty-sets", breaks: "SAVE-8", says: "the number after an empty set"
        ) { base in
            let count = FaultMemory(0 as UInt64)
            return AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    var receipt = try await base.save(changes, durability: durability)
                    receipt.sequence = count.use {
                        $0 += 1
                        return $0
                    }
                    return receipt
                })
        },
    ]
}
