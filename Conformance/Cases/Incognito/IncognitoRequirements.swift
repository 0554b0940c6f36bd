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
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "takes-incognito-for-regular", says: "tabs or state differ"
                ) {
                    ListsTabsOfOtherPartition(base: $0)
                },
                FaultyBackend("removes-on-both-partitions", says: "one partition") {
                    RemovesOnBothPartitions(base: $0)
                })
        #endif
        SuiteEntry(
            "INCOGNITO-2", .must,
            """
            Deleting incognito removes every incognito session of every kind with its state, \
            and leaves the regular partition as it is.
            """
        )
        .tried("several kinds and windows", IncognitoCases.deletion)
        #if FaultyBackends
            .catches(
                FaultyBackend("deletes-one-kind", says: "incognito partition lists") {
                    DeletesSome(base: $0) { $0.kind == .incognito }
                },
                FaultyBackend("deletes-everything", says: "regular partition lists 0") {
                    DeletesSome(base: $0) { _ in true }
                })
        #endif
        SuiteEntry(
            "INCOGNITO-3", .must, "Deleted incognito sessions are not there at any later opening.",
            needs: [.reopening]
        )
        .tried("open twice after deletion", IncognitoCases.deletionStays)
        .tried("delete in a later run", IncognitoCases.deletionInLaterRun)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "hides-instead-of-deleting", says: "incognito partition lists 1"
                ) {
                    HidesIncognito(base: $0)
                })
        #endif
        SuiteEntry(
            "INCOGNITO-4", .must,
            "Deleting incognito is no error when there is none, and changes nothing then."
        )
        .tried("new store and twice", IncognitoCases.nothingToDelete)
        #if FaultyBackends
            .catches(
                FaultyBackend("wants-something-to-delete", says: "nothing to delete") {
                    RefusesEmptyDeletion(base: $0)
                })
        #endif
        SuiteEntry(
            "INCOGNITO-5", .must,
            "What is saved in the incognito partition after a deletion is all that is there."
        )
        .tried("save after deletion", IncognitoCases.saveAfterDeletion)
        #if FaultyBackends
            .catches(
                FaultyBackend("hides-until-the-next-save", says: "a save that followed") {
                    HidesIncognito(base: $0)
                })
        #endif
        SuiteEntry(
            "INCOGNITO-6", .must,
            "A save through a closed store throws closed and brings nothing back.",
            needs: [.reopening]
        )
        .tried("late save", IncognitoCases.lateSave)
        #if FaultyBackends
            .catches(
                FaultyBackend("saves-when-closed", says: "no error was thrown") {
                    configuration throws(StorageError) in
                    AlteredStorage.refused(
                        try ReferenceEngine.open(configuration), for: [.closed]
                    ) { _, changes, durability, _ throws(StorageError) in
                        let store = try ReferenceEngine.open(configuration)
                        let receipt = try await store.save(changes, durability: durability)
                        try await store.close()
                        return receipt
                    }
                })
        #endif
        SuiteEntry(
            "INCOGNITO-7", .must,
            "Incognito sessions that were not deleted are there after closing and opening.",
            needs: [.reopening]
        )
        .tried("open again", IncognitoCases.reopening)
        #if FaultyBackends
            .catches(
                FaultyBackend("keeps-incognito-while-open", says: "at the next opening") {
                    DeletesAtClose(base: $0)
                })
        #endif
    }
}
