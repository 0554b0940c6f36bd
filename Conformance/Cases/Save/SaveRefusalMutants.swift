import BrowserSessions

extension Mutant {
    static let saveRefusalMutants: [Mutant] = [
        Mutant("lets-the-last-win", breaks: "SAVE-9", says: "no error was thrown") { base in
            AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    do throws(StorageError) {
                        return try await base.save(changes, durability: durability)
                    } catch {
                        guard error.code == .invalidChanges, let last = changes.changes.last else {
                            throw error
                        }
                        return try await base.save(SessionChanges(last), durability: durability)
                    }
                })
        },
        Mutant(
            "refuses-too-late", breaks: "SAVE-9", says: "the refused set changed the store"
        ) { applyingHalfOfRefused($0) },
        Mutant("splits-sides", breaks: "SAVE-10", says: "no error was thrown") { base in
            AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    do throws(StorageError) {
                        return try await base.save(changes, durability: durability)
                    } catch {
                        guard error.code == .invalidChanges else { throw error }
                        for change in changes.changes {
                            _ = try await base.save(SessionChanges(change), durability: durability)
                        }
                        return try await base.save(SessionChanges(), durability: durability)
                    }
                })
        },
        Mutant(
            "keeps-half-of-what-it-refuses", breaks: "SAVE-11",
            says: "after refusing a state over the limit"
        ) { applyingHalfOfRefused($0) },
    ]

    /// Applies the first half of a set before it sees that the set must be refused.
    private static func applyingHalfOfRefused(_ base: any SessionStorage) -> AlteredStorage {
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

    static let saveRemovalMutants: [Mutant] = [
        Mutant(
            "cannot-remove-what-is-absent", breaks: "SAVE-12",
            says: "removing what is not there threw"
        ) { base in
            AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    for case .removeSession(let id) in changes.changes
                    where try await base.restore(id) == nil {
                        throw StorageError(.notFound, "there is no such session")
                    }
                    return try await base.save(changes, durability: durability)
                })
        },
        Mutant(
            "removes-tabs-wherever-they-are", breaks: "SAVE-13",
            says: "after a removal from another session: the number of tabs"
        ) { base in
            AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    var found: [SessionChanges.Change] = []
                    for change in changes.changes {
                        found.append(change)
                        guard case .removeTab(let tab, let id) = change else { continue }
                        for other in try await base.sessions() where other != id {
                            found.append(.removeTab(tab, from: other))
                        }
                    }
                    return try await base.save(changes.replacing(found), durability: durability)
                })
        },
        Mutant(
            "copies-tabs-that-move", breaks: "SAVE-14",
            says: "session 0 when the tab is in 1: the number of tabs"
        ) { base in
            let put = FaultMemory<[SessionID: [TabID: TabMetadata]]>([:])
            return AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    for case .putTab(let tab, let id) in changes.changes {
                        put.use { $0[id, default: [:]][tab.id] = tab }
                    }
                    return try await base.save(changes, durability: durability)
                },
                onRestore: { base, id, generation throws(StorageError) in
                    var session = try await base.restore(id, generation: generation)
                    let tabs = put.use { $0[id] ?? [:] }
                    session?.tabs = tabs.values.sorted { $0.place < $1.place }
                    return session
                })
        },
        Mutant(
            "removes-what-moves-out", breaks: "SAVE-15",
            says: "the session that got the tab: the number of tabs"
        ) { base in
            AlteredStorage.changing(base) { changes in
                let removes = changes.changes.contains {
                    if case .removeSession = $0 { true } else { false }
                }
                guard removes else { return changes }
                return changes.replacing(
                    changes.changes.filter { if case .putTab = $0 { false } else { true } })
            }
        },
        Mutant(
            "keeps-state-of-removed-sessions", breaks: "SAVE-15",
            says: "the states after the removal"
        ) { base in
            let kept = FaultMemory<[TabStateKey: [UInt8]]>([:])
            return AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    for case .putState(let bytes, let key) in changes.changes {
                        kept.use { $0[key] = bytes }
                    }
                    return try await base.save(changes, durability: durability)
                },
                onState: { _, keys throws(StorageError) in
                    let wanted = Set(keys)
                    return kept.use { $0.filter { wanted.contains($0.key) } }
                })
        },
    ]
}
