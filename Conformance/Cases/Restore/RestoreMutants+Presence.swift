import BrowserSessions

extension Mutant {
    static let restorePresenceMutants: [Mutant] = [
        Mutant(
            "answers-absence-with-an-empty-session", breaks: "RESTORE-8",
            says: "in a new store: the session is there"
        ) { base in
            AlteredStorage(
                base: base,
                onRestore: { base, id, generation throws(StorageError) in
                    try await base.restore(id, generation: generation)
                        ?? RestoredSession(id: id, attributes: SessionAttributes(), tabs: [])
                })
        },
        Mutant(
            "takes-empty-sessions-for-absent", breaks: "RESTORE-8",
            says: "a session without tabs: the session is absent"
        ) { base in
            AlteredStorage(
                base: base,
                onRestore: { base, id, generation throws(StorageError) in
                    let session = try await base.restore(id, generation: generation)
                    return session?.tabs.isEmpty == true ? nil : session
                })
        },
        Mutant(
            "revives-removed-sessions", breaks: "RESTORE-9",
            says: "at opening 3: the session is there"
        ) { base in
            let removed = FaultMemory<Set<SessionID>>([])
            return AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    let others = changes.changes.filter {
                        guard case .removeSession(let id) = $0 else { return true }
                        removed.use { _ = $0.insert(id) }
                        return false
                    }
                    return try await base.save(
                        changes.replacing(others), durability: durability)
                },
                onRestore: { base, id, generation throws(StorageError) in
                    if removed.use({ $0.contains(id) }) { return nil }
                    return try await base.restore(id, generation: generation)
                })
        },
        Mutant(
            "calls-everything-salvaged", breaks: "RESTORE-10", says: "the provenance"
        ) { base in
            AlteredStorage.restoring(base) { $0.provenance = .salvaged }
        },
        Mutant("reports-repairs", breaks: "RESTORE-10", says: "the repairs") { base in
            AlteredStorage.restoring(base) {
                $0.repairs.append(SessionRepair(.openerRemoved, tab: $0.tabs.first?.id))
            }
        },
        Mutant(
            "lists-sessions-backwards", breaks: "RESTORE-11", says: "are not ascending"
        ) { base in
            AlteredStorage(
                base: base,
                onSessions: { base throws(StorageError) in
                    try await base.sessions().reversed()
                })
        },
        Mutant(
            "lists-the-regular-side", breaks: "RESTORE-11", says: "the number of sessions"
        ) { base in
            AlteredStorage(
                base: base,
                onSessions: { base throws(StorageError) in
                    try await base.sessions().filter { $0.side == .regular }
                })
        },
    ]

    static let restoreGenerationMutants: [Mutant] = [
        Mutant(
            "refuses-broken-lists", breaks: "RESTORE-12",
            says: "a tab that opened itself: the set was refused"
        ) { base in
            AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    for case .putTab(let tab, _) in changes.changes where tab.opener?.tab == tab.id
                    {
                        throw StorageError(.invalidChanges, "a tab cannot open itself")
                    }
                    return try await base.save(changes, durability: durability)
                })
        },
        Mutant("repairs-in-silence", breaks: "RESTORE-12", says: "the repairs") { base in
            AlteredStorage.restoring(base) { $0.repairs = [] }
        },
        Mutant(
            "leaves-lists-broken", breaks: "RESTORE-12", says: "the rule is still broken"
        ) { base in
            AlteredStorage.restoring(base) { session in
                for repair in session.repairs where repair.kind == .openerRemoved {
                    for index in session.tabs.indices where session.tabs[index].id == repair.tab {
                        session.tabs[index].opener = TabOpener(tab: session.tabs[index].id)
                    }
                }
            }
        },
        Mutant(
            "calls-the-current-one-previous", breaks: "RESTORE-13",
            says: "the previous generation of session 0"
        ) { base in
            AlteredStorage(
                base: base,
                onRestore: { base, id, generation throws(StorageError) in
                    var session = try await base.restore(id, generation: .current)
                    if generation == .previous { session?.provenance = .previousGeneration }
                    return session
                })
        },
        Mutant(
            "forgets-the-generation-of-removed-sessions", breaks: "RESTORE-13",
            says: "the previous generation of session 2 is absent"
        ) { base in
            AlteredStorage(
                base: base,
                onRestore: { base, id, generation throws(StorageError) in
                    guard try await base.restore(id, generation: .current) != nil else {
                        return nil
                    }
                    return try await base.restore(id, generation: generation)
                })
        },
        Mutant(
            "keeps-a-generation-it-does-not-claim", breaks: "RESTORE-14",
            says: "expected .unsupported, no error was thrown"
        ) { base in
            AlteredStorage(
                base: base,
                onTraits: {
                    var traits = $0
                    traits.keepsPreviousGeneration = false
                    return traits
                })
        },
        Mutant(
            "claims-a-generation-it-does-not-keep", breaks: "RESTORE-14",
            says: "the previous generation is claimed and threw"
        ) { base in
            AlteredStorage(
                base: base,
                onRestore: { base, id, generation throws(StorageError) in
                    guard generation == .current else {
                        throw StorageError(.unsupported, "no generation is kept")
                    }
                    return try await base.restore(id, generation: generation)
                })
        },
        Mutant(
            "reads-state-to-restore", breaks: "RESTORE-15", says: "restoring read",
            opening: { configuration throws(StorageError) in
                AlteredStorage(
                    base: try ReferenceEngine.open(configuration),
                    onRestore: { base, id, generation throws(StorageError) in
                        // The engine has everything in memory; this one reads its log again.
                        let log = ReferenceLog.file(in: "\(configuration.location)/regular")
                        _ = try FileSystem.read(log)
                        return try await base.restore(id, generation: generation)
                    })
            }),
    ]
}
