import BrowserSessions

extension Mutant {
    static let state: [Mutant] =
        stateReadingMutants + stateChangingMutants + stateEarlyMutants + stateBytesMutants

    private static let stateReadingMutants: [Mutant] = [
        Mutant(
            "reads-a-hundred-blobs", breaks: "STATE-1", says: "all blobs in one read"
        ) { base in
            AlteredStorage(
                base: base,
                onState: { base, keys throws(StorageError) in
                    try await base.state(of: Array(keys.prefix(100)))
                })
        },
        Mutant(
            "answers-every-key-with-one-blob", breaks: "STATE-1", says: "has other bytes"
        ) { base in
            AlteredStorage(
                base: base,
                onState: { base, keys throws(StorageError) in
                    let sound = try await base.state(of: keys)
                    let last = sound.values.first { $0.count == 1 }
                    return sound.mapValues { $0.count == 1 ? last ?? $0 : $0 }
                })
        },
        Mutant(
            "answers-absence-with-no-bytes", breaks: "STATE-2",
            says: "one blob among keys that have none"
        ) { base in
            AlteredStorage(
                base: base,
                onState: { base, keys throws(StorageError) in
                    let sound = try await base.state(of: keys)
                    return Dictionary(keys.map { ($0, sound[$0] ?? []) }) { first, _ in first }
                })
        },
        Mutant("drops-empty-blobs", breaks: "STATE-3", says: "the empty blob") { base in
            AlteredStorage.changing(base) { changes in
                changes.replacing(
                    changes.changes.map {
                        guard case .putState([], let key) = $0 else { return $0 }
                        return .removeState(key)
                    })
            }
        },
        Mutant("lists-only-navigation", breaks: "STATE-4", says: "the number of keys") { base in
            AlteredStorage(
                base: base,
                onStateKeys: { base, session throws(StorageError) in
                    try await base.stateKeys(in: session).filter { $0.name == .navigation }
                })
        },
        Mutant("lists-keys-backwards", breaks: "STATE-4", says: "in another order") { base in
            AlteredStorage(
                base: base,
                onStateKeys: { base, session throws(StorageError) in
                    try await base.stateKeys(in: session).reversed()
                })
        },
        Mutant("cuts-names", breaks: "STATE-5", says: "easily confused") { base in
            renamingStates(base) { StateName(rawValue: String($0.rawValue.prefix(63))) ?? $0 }
        },
    ]

    private static let stateChangingMutants: [Mutant] = [
        Mutant(
            "keeps-the-end-of-a-longer-blob", breaks: "STATE-6", says: "the blob after put 2"
        ) { base in
            AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    var merged: [SessionChanges.Change] = []
                    for change in changes.changes {
                        guard case .putState(let bytes, let key) = change else {
                            merged.append(change)
                            continue
                        }
                        let old = try await base.state(of: key) ?? []
                        merged.append(.putState(bytes + old.dropFirst(bytes.count), for: key))
                    }
                    return try await base.save(
                        changes.replacing(merged), durability: durability)
                })
        },
        Mutant("never-removes-blobs", breaks: "STATE-7", says: "after removing one") { base in
            AlteredStorage.changing(base) { changes in
                changes.replacing(
                    changes.changes.filter { if case .removeState = $0 { false } else { true } })
            }
        },
        Mutant("loses-state-in-moves", breaks: "STATE-8", says: "after move to 2") { base in
            AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    var all = changes.changes
                    for case .putTab(let tab, let target) in changes.changes {
                        for id in try await base.sessions() where id != target {
                            let keys = try await base.stateKeys(in: id)
                            all += keys.filter { $0.tab == tab.id }.map { .removeState($0) }
                        }
                    }
                    return try await base.save(changes.replacing(all), durability: durability)
                })
        },
        Mutant(
            "keeps-state-of-removed-tabs", breaks: "STATE-9",
            says: "the blobs after removing a tab"
        ) { base in
            let limbo = Plain.session(666)
            return AlteredStorage.changing(base) { changes in
                changes.replacing(
                    changes.changes.map {
                        guard case .removeTab(let tab, _) = $0 else { return $0 }
                        return .putTab(TabMetadata(id: tab, place: .between(nil, nil)), in: limbo)
                    })
            }
        },
        Mutant(
            "drops-state-with-new-metadata", breaks: "STATE-10",
            says: "after ten puts of metadata"
        ) { base in
            AlteredStorage.changing(base) { changes in
                var all = changes.changes
                let hasState = all.contains { if case .putState = $0 { true } else { false } }
                for case .putTab(let tab, let id) in changes.changes where !hasState {
                    all.append(.removeState(.init(tab: tab.id, name: .navigation, side: id.side)))
                }
                return changes.replacing(all)
            }
        },
    ]

    private static let stateEarlyMutants: [Mutant] = [
        Mutant(
            "drops-state-without-a-tab", breaks: "STATE-14", says: "state without a tab"
        ) { base in
            AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    var known: Set<TabID> = []
                    for id in try await base.sessions() {
                        known.formUnion(try await base.restore(id)?.tabs.map(\.id) ?? [])
                    }
                    for case .putTab(let tab, _) in changes.changes { known.insert(tab.id) }
                    let kept = changes.changes.filter {
                        guard case .putState(_, let key) = $0 else { return true }
                        return known.contains(key.tab)
                    }
                    return try await base.save(changes.replacing(kept), durability: durability)
                })
        }
    ]

    private static let stateBytesMutants: [Mutant] = [
        Mutant("cuts-blobs-at-64-KiB", breaks: "STATE-11", says: "the size of a blob") { base in
            changingBlobs(base) { Array($0.prefix(64 << 10)) }
        },
        Mutant("drops-the-high-bit", breaks: "STATE-11", says: "has other bytes") { base in
            changingBlobs(base) { $0.map { $0 & 0x7F } }
        },
        Mutant("keeps-state-in-memory", breaks: "STATE-12", says: "at opening 2") { base in
            let kept = FaultMemory<[TabStateKey: [UInt8]]>([:])
            return AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    for case .putState(let bytes, let key) in changes.changes {
                        kept.use { $0[key] = bytes }
                    }
                    let others = changes.changes.filter {
                        if case .putState = $0 { false } else { true }
                    }
                    return try await base.save(
                        changes.replacing(others), durability: durability)
                },
                onState: { _, keys throws(StorageError) in
                    let wanted = Set(keys)
                    return kept.use { $0.filter { wanted.contains($0.key) } }
                })
        },
        Mutant("drops-what-is-too-large", breaks: "STATE-13", says: "over the limit") { base in
            let limit = base.traits.maximumStateBytes
            return AlteredStorage.changing(base) { changes in
                changes.replacing(
                    changes.changes.filter {
                        guard case .putState(let bytes, _) = $0 else { return true }
                        return bytes.count <= limit
                    })
            }
        },
        Mutant("refuses-at-the-limit", breaks: "STATE-13", says: "was refused") { base in
            let limit = base.traits.maximumStateBytes
            return AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    for case .putState(let bytes, _) in changes.changes where bytes.count >= limit {
                        throw StorageError(.tooLarge, "the blob is too large")
                    }
                    return try await base.save(changes, durability: durability)
                })
        },
    ]

    private static func changingBlobs(
        _ base: any SessionStorage, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> AlteredStorage {
        AlteredStorage.changing(base) { changes in
            changes.replacing(
                changes.changes.map {
                    guard case .putState(let bytes, let key) = $0 else { return $0 }
                    return .putState(change(bytes), for: key)
                })
        }
    }

    /// Keeps blobs under other names and finds them by the names that were given.
    private static func renamingStates(
        _ base: any SessionStorage, _ rename: @escaping @Sendable (StateName) -> StateName
    ) -> AlteredStorage {
        let renamed: @Sendable (TabStateKey) -> TabStateKey = {
            TabStateKey(tab: $0.tab, name: rename($0.name), side: $0.side)
        }
        var altered = AlteredStorage.changing(base) { changes in
            var last: [TabStateKey: SessionChanges.Change] = [:]
            var others: [SessionChanges.Change] = []
            for change in changes.changes {
                switch change {
                case .putState(let bytes, let key):
                    last[renamed(key)] = .putState(bytes, for: renamed(key))
                case .removeState(let key): last[renamed(key)] = .removeState(renamed(key))
                default: others.append(change)
                }
            }
            return changes.replacing(others + last.values)
        }
        altered.onState = { base, keys throws(StorageError) in
            let found = try await base.state(of: keys.map(renamed))
            var answer: [TabStateKey: [UInt8]] = [:]
            for key in keys { answer[key] = found[renamed(key)] }
            return answer
        }
        return altered
    }
}
