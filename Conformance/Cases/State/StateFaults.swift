import BrowserSessions

extension SessionStorage {
    /// Answers with the blobs that were ever put, whatever is saved of them.
    func rememberingStates() -> AlteredStorage {
        let kept = FaultMemory<[TabStateKey: [UInt8]]>([:])
        return saving {
            for case .putState(let bytes, let key) in $0.changes {
                kept.use { $0[key] = bytes }
            }
        }.on(StatesRequest.self) { states, store in
            guard states.version == .current else { return try await states.perform(on: store) }
            let wanted = Set(states.keys)
            return kept.value.filter { wanted.contains($0.key) }
        }
    }
    /// Keeps blobs under other names, and finds them by the given names.
    func renamingStates(_ rename: @escaping @Sendable (StateName) -> StateName) -> AlteredStorage {
        let renamed: @Sendable (TabStateKey) -> TabStateKey = {
            TabStateKey(tab: $0.tab, name: rename($0.name), partition: $0.partition)
        }
        return saving { changes in
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
            changes = changes.replacing(others + last.values)
        }.on(StatesRequest.self) { states, store in
            let keys = states.keys
            states.keys = keys.map(renamed)
            let found = try await states.perform(on: store)
            var answer: [TabStateKey: [UInt8]] = [:]
            for key in keys { answer[key] = found[renamed(key)] }
            return answer
        }
    }
}
