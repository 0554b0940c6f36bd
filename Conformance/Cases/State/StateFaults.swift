#if FaultyBackends
    import BrowserSessions

    extension FaultyBackend {

        static func changingBlobs(
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

        /// Answers with the blobs that were ever put, whatever of a set it saves.
        static func rememberingStates(
            _ base: any SessionStorage,
            saving saved: @escaping @Sendable (SessionChanges) -> SessionChanges = { $0 }
        ) -> AlteredStorage {
            let kept = FaultMemory<[TabStateKey: [UInt8]]>([:])
            return AlteredStorage(
                base: base,
                onSave: { base, changes, durability throws(StorageError) in
                    for case .putState(let bytes, let key) in changes.changes {
                        kept.use { $0[key] = bytes }
                    }
                    return try await base.save(saved(changes), durability: durability)
                },
                onState: { _, keys throws(StorageError) in
                    let wanted = Set(keys)
                    return kept.use { $0.filter { wanted.contains($0.key) } }
                })
        }

        /// Keeps blobs under other names, and finds them by the given names.
        static func renamingStates(
            _ base: any SessionStorage, _ rename: @escaping @Sendable (StateName) -> StateName
        ) -> AlteredStorage {
            let renamed: @Sendable (TabStateKey) -> TabStateKey = {
                TabStateKey(tab: $0.tab, name: rename($0.name), partition: $0.partition)
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
                let found = try await base.states(of: keys.map(renamed))
                var answer: [TabStateKey: [UInt8]] = [:]
                for key in keys { answer[key] = found[renamed(key)] }
                return answer
            }
            return altered
        }
    }
#endif
