import BrowserSessions

extension Mutant {
    static let limits: [Mutant] = [
        Mutant("limit-off-by-one", breaks: "LIMITS-1", says: "as large as the limit of 1 was") {
            let limit = $0.traits.maximumStateBytes
            return EditsSets(base: $0) { change throws(StorageError) in
                if case .putState(let bytes, _) = change, bytes.count >= limit {
                    throw StorageError(.tooLarge, "a state is too large", operation: "save")
                }
                return change
            }
        },
        Mutant("ignores-the-limit", breaks: "LIMITS-1", says: "the limit in the traits") {
            configuration throws(StorageError) in
            var configuration = configuration
            configuration.options["maximumStateBytes"] = nil
            return try ReferenceEngine.open(configuration)
        },
        Mutant("lists-128-sessions", breaks: "LIMITS-2", says: "the sessions are not those") {
            ListsFewSessions(base: $0)
        },
        Mutant("cuts-addresses", breaks: "LIMITS-3", says: "the tabs are not as saved") {
            EditsSets(base: $0) { change in
                guard case .putTab(var tab, let id) = change else { return change }
                tab.url = String(tab.url.prefix(65_535))
                return .putTab(tab, in: id)
            }
        },
        Mutant("keeps-255-groups", breaks: "LIMITS-4", says: "the attributes are not as saved") {
            EditsSets(base: $0) { change in
                guard case .putSession(let id, var attributes) = change else { return change }
                attributes.groups = Array(attributes.groups.prefix(255))
                return .putSession(id, attributes)
            }
        },
        Mutant("cuts-places", breaks: "LIMITS-5", says: "the tabs are not as saved") {
            EditsSets(base: $0) { change in
                guard case .putTab(var tab, let id) = change, tab.place.length > 64 else {
                    return change
                }
                tab.place = OrderKey(bytes: tab.place.bytes.prefix(63) + [2]) ?? tab.place
                return .putTab(tab, in: id)
            }
        },
        Mutant("aliases-identifiers", breaks: "LIMITS-6", says: "the sessions are not those") {
            EditsSets(base: $0) { change in
                func cut(_ id: SessionID) -> SessionID {
                    let window = WindowID(high: id.window.high, low: id.window.low & ~0xFFFF_FFFF)
                    return SessionID(window: window, kind: id.kind)
                }
                return switch change {
                case .putSession(let id, let attributes): .putSession(cut(id), attributes)
                case .putTab(let tab, let id): .putTab(tab, in: cut(id))
                default: change
                }
            }
        },
        Mutant("keeps-incognito-work", breaks: "LIMITS-7", says: "the kinds left after") {
            KeepsOwnIncognito(base: $0)
        },
        Mutant("cuts-state-names", breaks: "LIMITS-8", says: "a state is not as saved") {
            EditsSets(base: $0) { change in
                guard case .putState(let bytes, let key) = change, key.name.rawValue.last == "b"
                else { return change }
                let name = StateName(rawValue: String(key.name.rawValue.prefix(63))) ?? key.name
                return .putState(bytes, for: TabStateKey(tab: key.tab, name: name, side: key.side))
            }
        },
        Mutant("sets-of-32-MiB", breaks: "LIMITS-9", says: "a set of 64 MiB was refused") {
            RefusesLargeSets(base: $0)
        },
        Mutant("keeps-60-MiB", breaks: "LIMITS-9", says: "of 8 MiB is not as saved") { base in
            let sum = FaultMemory(0)
            return EditsSets(base: base) { change in
                guard case .putState(let bytes, let key) = change else { return change }
                let all = sum.use { sum in
                    sum += bytes.count
                    return sum
                }
                return .putState(all > 60 << 20 ? Array(bytes.dropLast(4 << 20)) : bytes, for: key)
            }
        },
    ]
}

/// Saves something else than it was given.
private struct EditsSets: StorageDecorator {
    let base: any SessionStorage
    let edit: @Sendable (SessionChanges.Change) throws(StorageError) -> SessionChanges.Change

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        var edited = SessionChanges()
        edited.commitID = changes.commitID
        edited.expectedSequence = changes.expectedSequence
        for change in changes.changes { edited.add(try edit(change)) }
        return try await base.save(edited, durability: durability)
    }
}

private struct ListsFewSessions: StorageDecorator {
    let base: any SessionStorage
    func sessions() async throws(StorageError) -> [SessionID] {
        Array(try await base.sessions().prefix(128))
    }
}

/// Takes only sessions of the kind `incognito` for incognito ones.
private struct KeepsOwnIncognito: StorageDecorator {
    let base: any SessionStorage
    func deleteIncognito() async throws(StorageError) {
        var kept = SessionChanges()
        for id in try await base.sessions() where id.kind.rawValue.hasPrefix("incognito-") {
            guard let session = try await base.restore(id) else { continue }
            kept.put(session.attributes, for: id)
        }
        try await base.deleteIncognito()
        if !kept.isEmpty { _ = try await base.save(kept) }
    }
}

private struct RefusesLargeSets: StorageDecorator {
    let base: any SessionStorage
    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        var bytes = 0
        for case .putState(let state, _) in changes.changes { bytes += state.count }
        guard bytes <= 32 << 20 else {
            throw StorageError(.tooLarge, "the set is too large", operation: "save")
        }
        return try await base.save(changes, durability: durability)
    }
}
