import BrowserSessions
import Foundation

extension Mutant {
    static let incognito: [Mutant] =
        [
            Mutant(
                "takes-incognito-for-regular", breaks: "INCOGNITO-1", says: "tabs or state differ"
            ) {
                ListsTabsOfOtherSide(base: $0)
            },
            Mutant("removes-on-both-sides", breaks: "INCOGNITO-1", says: "one side") {
                RemovesOnBothSides(base: $0)
            },
            Mutant("deletes-one-kind", breaks: "INCOGNITO-2", says: "incognito side lists") {
                DeletesSome(base: $0) { $0.kind == .incognito }
            },
            Mutant("deletes-everything", breaks: "INCOGNITO-2", says: "regular side lists 0") {
                DeletesSome(base: $0) { _ in true }
            },
            Mutant(
                "hides-instead-of-deleting", breaks: "INCOGNITO-3", says: "incognito side lists 1"
            ) {
                HidesIncognito(base: $0)
            },
            Mutant("wants-something-to-delete", breaks: "INCOGNITO-4", says: "nothing to delete") {
                RefusesEmptyDeletion(base: $0)
            },
            Mutant("hides-until-the-next-save", breaks: "INCOGNITO-5", says: "a save that followed")
            {
                HidesIncognito(base: $0)
            },
            Mutant("saves-when-closed", breaks: "INCOGNITO-6", says: "no error was thrown") {
                configuration throws(StorageError) in
                OpensAgainToSave(
                    base: try ReferenceEngine.open(configuration), configuration: configuration)
            },
            Mutant("keeps-incognito-while-open", breaks: "INCOGNITO-7", says: "at the next opening")
            {
                DeletesAtClose(base: $0)
            },
            Mutant("saves-incognito-at-close", breaks: "INCOGNITO-8", says: "before the kill") {
                SavesIncognitoAtClose(base: $0)
            },
            Mutant("half-deletion", breaks: "INCOGNITO-13", says: "neither all nor") {
                DiesInDeletion(base: $0)
            },
            Mutant("claims-no-rest-of-removed-tabs", breaks: "INCOGNITO-14", says: "is claimed") {
                Claims(base: $0) { $0.removalErasure = .erased }
            },
        ] + incognitoResidue
}

/// Forgets that the same tab may be on both sides.
private struct ListsTabsOfOtherSide: StorageDecorator {
    let base: any SessionStorage

    func restore(_ id: SessionID, generation: SessionGeneration) async throws(StorageError)
        -> RestoredSession?
    {
        var found = try await base.restore(id, generation: generation)
        if id.side == .incognito {
            let other = SessionID(window: id.window)
            found?.tabs = try await base.restore(other, generation: generation)?.tabs ?? []
        }
        return found
    }
}

/// Removes a session of the same window on the other side too.
private struct RemovesOnBothSides: StorageDecorator {
    let base: any SessionStorage

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        var others = SessionChanges()
        for case .removeSession(let id) in changes.changes {
            let kind: SessionKind = id.side == .regular ? .incognito : .regular
            others.remove(SessionID(window: id.window, kind: kind))
        }
        if !others.isEmpty { _ = try await base.save(others, durability: durability) }
        return try await base.save(changes, durability: durability)
    }
}

/// Deletes by removing the sessions that it takes for incognito.
private struct DeletesSome: StorageDecorator {
    let base: any SessionStorage
    let isMeant: @Sendable (SessionID) -> Bool

    func deleteIncognito() async throws(StorageError) {
        for id in try await base.sessions() where isMeant(id) {
            var changes = SessionChanges()
            changes.remove(id)
            _ = try await base.save(changes)
        }
    }
}

/// Answers as if incognito were deleted, until something is saved or it is opened again.
private final class HidesIncognito: StorageDecorator {
    let base: any SessionStorage
    private let isHidden = Flag()

    init(base: any SessionStorage) { self.base = base }

    func sessions() async throws(StorageError) -> [SessionID] {
        let isHidden = isHidden.isSet
        return try await base.sessions().filter { !isHidden || $0.side == .regular }
    }

    func restore(_ id: SessionID, generation: SessionGeneration) async throws(StorageError)
        -> RestoredSession?
    {
        isHidden.isSet && id.side == .incognito
            ? nil : try await base.restore(id, generation: generation)
    }

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        isHidden.set(false)
        return try await base.save(changes, durability: durability)
    }

    func deleteIncognito() async throws(StorageError) { isHidden.set(true) }
}

/// Takes a deletion of nothing for a mistake.
private struct RefusesEmptyDeletion: StorageDecorator {
    let base: any SessionStorage

    func deleteIncognito() async throws(StorageError) {
        guard try await base.sessions().contains(where: { $0.side == .incognito }) else {
            throw StorageError(.notFound, "there is no incognito session")
        }
        try await base.deleteIncognito()
    }
}

/// Opens the store again for a save that comes too late.
private struct OpensAgainToSave: StorageDecorator {
    let base: any SessionStorage
    let configuration: StorageConfiguration

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        do throws(StorageError) {
            return try await base.save(changes, durability: durability)
        } catch {
            guard error.code == .closed else { throw error }
            let store = try ReferenceEngine.open(configuration)
            let receipt = try await store.save(changes, durability: durability)
            try await store.close()
            return receipt
        }
    }
}

/// Takes the end of a run for the end of incognito.
private struct DeletesAtClose: StorageDecorator {
    let base: any SessionStorage

    func close() async throws(StorageError) {
        try await base.deleteIncognito()
        try await base.close()
    }
}

/// Keeps incognito sets to itself until it is closed.
private struct SavesIncognitoAtClose: StorageDecorator {
    let base: any SessionStorage

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        let isIncognito = changes.changes.contains { change in
            if case .putSession(let id, _) = change { id.side == .incognito } else { false }
        }
        guard isIncognito else { return try await base.save(changes, durability: durability) }
        return SaveReceipt(sequence: 1, durability: durability)
    }
}

/// Deletes session by session; the process ends after the first one.
private struct DiesInDeletion: StorageDecorator {
    let base: any SessionStorage

    func deleteIncognito() async throws(StorageError) {
        guard ConformanceChild.isChild else { return try await base.deleteIncognito() }
        let first = try await base.sessions().first { $0.side == .incognito }
        var changes = SessionChanges()
        if let first { changes.remove(first) }
        _ = try await base.save(changes, durability: .processCrash)
        kill(getpid(), SIGKILL)
    }
}
