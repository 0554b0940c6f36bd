import BrowserSessions

/// A call of ``SessionStorage`` with ordinary arguments, for rules that apply to all calls.
struct StorageCall: Sendable {
    var name: String
    /// Whether it also runs in a cancelled task.
    var runsIfCancelled = false
    var run: @Sendable (any SessionStorage) async throws -> Void

    /// Returns every call, also with the arguments that give a store the least to do.
    ///
    /// - Parameter sample: the session to request and to save.
    static func all(withClose: Bool = false, about sample: SessionSnapshot) -> [StorageCall] {
        let id = sample.id
        let keys = sample.tabs.map {
            TabStateKey(tab: $0.metadata.id, name: .navigation, in: id)
        }
        var calls = [
            StorageCall(name: "sessions") { _ = try await $0.sessions() },
            StorageCall(name: "summaries") { _ = try await $0.summaries() },
            StorageCall(name: "generations") { _ = try await $0.generations() },
            StorageCall(name: "restore") { _ = try await $0.restore(id) },
            StorageCall(name: "state") { _ = try await $0.state(of: keys) },
            StorageCall(name: "state of no keys") { _ = try await $0.state(of: []) },
            StorageCall(name: "state keys") { _ = try await $0.stateKeys(in: id) },
            StorageCall(name: "save") { _ = try await $0.save(SessionChanges(saving: sample)) },
            StorageCall(name: "save of an empty set") { _ = try await $0.save(SessionChanges()) },
            StorageCall(name: "delete incognito", runsIfCancelled: true) {
                try await $0.deleteIncognito()
            },
            StorageCall(name: "check") { _ = try await $0.check() },
            StorageCall(name: "repair") { _ = try await $0.repair() },
            StorageCall(name: "purge quarantine") { try await $0.purgeQuarantine() },
            StorageCall(name: "erase removed") { try await $0.eraseRemoved() },
        ]
        if withClose {
            calls.append(StorageCall(name: "close", runsIfCancelled: true) { try await $0.close() })
        }
        return calls
    }
}

/// Returns the error of a call; throws a ``Violation`` if there is none or one of another type.
func storageError(from subject: String, _ call: () async throws -> Void) async throws
    -> StorageError
{
    do {
        try await call()
    } catch let error as StorageError {
        return error
    }
    throw Violation("\(subject): expected an error, none was thrown")
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
