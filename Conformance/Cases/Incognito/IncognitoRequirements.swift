import BrowserSessions

extension RequirementGroup {
    /// The incognito partition: apart from the regular one, and gone without a trace once deleted.
    public static let incognito = RequirementGroup(
        "INCOGNITO",
        """
        The incognito partition: apart from the regular one, and gone without a trace once it is deleted.
        """)
}

extension ConformanceSuite {
    @SuiteBuilder static var incognito: [SuiteEntry] {
        SuiteEntry(
            "INCOGNITO-1", .must,
            """
            The partitions never mix: the same window and the same tab may be on both, and what is \
            saved or removed in one partition leaves the other as it is.
            """
        )
        .tried("same identifiers in both partitions", IncognitoCases.sameIdentifiers)
        .tried("removing a tab and its state", IncognitoCases.removedTab)
        .tried("removing the session", IncognitoCases.removedSession)
        .catches("takes-incognito-for-regular", says: "tabs or state differ") {
            $0.on(RestoreRequest.self) { restore, store in
                var found = try await restore.perform(on: store)
                for index in found.indices where found[index].id.partition == .incognito {
                    let regular = SessionID(window: found[index].id.window)
                    found[index].tabs =
                        try await store.restore(regular, at: restore.version)?.tabs ?? []
                }
                return found
            }
        }
        .catches("removes-on-both-partitions", says: "one partition") {
            $0.before(SaveRequest.self) { save, store in
                var others = SessionChanges()
                for case .remove(.session(let id), _) in save.changes.changes {
                    let kind: SessionKind = id.partition == .regular ? .incognito : .regular
                    others.remove(SessionID(window: id.window, kind: kind))
                }
                if !others.isEmpty { _ = try await store.save(others, durability: save.durability) }
            }
        }
        SuiteEntry(
            "INCOGNITO-2", .must,
            """
            Deleting incognito removes every incognito session of every kind with its state, \
            and leaves the regular partition as it is.
            """
        )
        .tried("several kinds and windows", IncognitoCases.deletion)
        .catches("deletes-one-kind", says: "incognito partition lists") {
            $0.deletingSessions { $0.kind == .incognito }
        }
        .catches("deletes-everything", says: "regular partition lists 0") {
            $0.deletingSessions { _ in true }
        }
        SuiteEntry(
            "INCOGNITO-3", .must, "Deleted incognito sessions are not there at any later opening.",
            needs: [.reopening]
        )
        .tried("open twice after deletion", IncognitoCases.deletionStays)
        .tried("delete in a later run", IncognitoCases.deletionInLaterRun)
        .catches("hides-instead-of-deleting", says: "incognito partition lists 1") {
            $0.hidingIncognito()
        }
        SuiteEntry(
            "INCOGNITO-4", .must,
            "Deleting incognito is no error when there is none, and changes nothing then."
        )
        .tried("new store and twice", IncognitoCases.nothingToDelete)
        .catches("wants-something-to-delete", says: "nothing to delete") {
            $0.on(DeleteIncognitoRequest.self) { delete, store in
                guard try await store.sessions().contains(where: { $0.partition == .incognito })
                else {
                    throw StorageError(.notFound, "there is no incognito session")
                }
                try await delete.perform(on: store)
            }
        }
        SuiteEntry(
            "INCOGNITO-5", .must,
            "What is saved in the incognito partition after a deletion is all that is there."
        )
        .tried("save after deletion", IncognitoCases.saveAfterDeletion)
        .catches("hides-until-the-next-save", says: "a save that followed") { $0.hidingIncognito() }
        SuiteEntry(
            "INCOGNITO-6", .must,
            "A save through a closed store throws closed and brings nothing back.",
            needs: [.reopening]
        )
        .tried("late save", IncognitoCases.lateSave)
        .catches("saves-when-closed", says: "no error was thrown") { configuration, open in
            try open(configuration).refused(for: [.closed]) { [configuration] save, _, _ in
                let store = try ReferenceEngine.open(configuration)
                let receipt = try await save.perform(on: store)
                try await store.close()
                return receipt
            }
        }
        SuiteEntry(
            "INCOGNITO-7", .must,
            "Incognito sessions that were not deleted are there after closing and opening.",
            needs: [.reopening]
        )
        .tried("open again", IncognitoCases.reopening)
        .catches("keeps-incognito-while-open", says: "at the next opening") {
            $0.on(CloseRequest.self) { close, store in
                try await store.deleteIncognito()
                try await close.perform(on: store)
            }
        }
    }
}
