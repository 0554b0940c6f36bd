import BrowserSessions

/// A call of ``SessionStorage`` with ordinary arguments, for rules that apply to all calls.
struct OrdinaryCall: Sendable {
    var name: String
    /// Whether it also runs in a cancelled task.
    var runsIfCancelled = false
    var run: @Sendable (any SessionStorage) async throws -> Void

    /// Returns every call but `close`, also with the arguments that give a store the least to do.
    ///
    /// - Parameter sample: the session to request and to save.
    static func all(about sample: SessionSnapshot) -> [OrdinaryCall] {
        let id = sample.id
        let keys = sample.tabs.map {
            TabStateKey(tab: $0.metadata.id, name: .navigation, in: id)
        }
        return [
            OrdinaryCall(name: "sessions") { _ = try await $0.sessions() },
            OrdinaryCall(name: "summaries") { _ = try await $0.summaries() },
            OrdinaryCall(name: "restore points") { _ = try await $0.restorePoints() },
            OrdinaryCall(name: "restore") { _ = try await $0.restore(id) },
            OrdinaryCall(name: "states") { _ = try await $0.states(of: keys) },
            OrdinaryCall(name: "states of no keys") { _ = try await $0.states(of: []) },
            OrdinaryCall(name: "state keys") { _ = try await $0.stateKeys(in: id) },
            OrdinaryCall(name: "save") { _ = try await $0.save(SessionChanges(saving: sample)) },
            OrdinaryCall(name: "save of an empty set") { _ = try await $0.save(SessionChanges()) },
            OrdinaryCall(name: "delete incognito", runsIfCancelled: true) {
                try await $0.deleteIncognito()
            },
            OrdinaryCall(name: "check") { _ = try await $0.check() },
            OrdinaryCall(name: "repair") { _ = try await $0.repair() },
            OrdinaryCall(name: "purge quarantine") { try await $0.erase(.quarantine) },
            OrdinaryCall(name: "erase removed") { try await $0.erase(.removedData) },
        ]
    }
}

extension CaseContext {
    /// Whether saved content is there at the next opening.
    var canReopen: Bool { harness.persistence >= .process }

    /// Returns the store as the next opening sees it, or unchanged if stores do not outlive one.
    func reopenIfPossible(_ store: any SessionStorage, at location: String) async throws
        -> any SessionStorage
    {
        canReopen ? try await reopen(store, at: location) : store
    }
}
