import BrowserSessions
import StorageEngines

extension RequirementGroup {
    /// Ownership of shared stores: one owner after another, and none that was replaced does harm.
    public static let fence = RequirementGroup(
        "FENCE",
        """
        Ownership of shared stores: one owner after another, and none that was replaced does harm.
        """)
}

extension ConformanceSuite {
    @SuiteBuilder static var fence: [SuiteEntry] {
        SuiteEntry(
            "FENCE-1", .must,
            """
            While an owner has a store, be it one that took it over, another opening throws \
            .locked and names the process that has it; the owner goes on working.
            """, needs: [.reopening, .takeover]
        )
        .tried("the first owner and its successor", FenceCases.held)
        .catches("names-no-holder", says: "does not name the process", sharing: .namesNobody)
        .catches(
            "lets-everybody-in", says: "opening a store that another owner has: expected",
            sharing: .letsEverybodyIn)
        SuiteEntry(
            "FENCE-2", .must,
            """
            After a takeover the new owner finds all that was acknowledged to the old one at \
            processCrash or more, or at the most that the store can.
            """, needs: [.reopening, .takeover]
        )
        .tried("saves and removals of every level", FenceCases.acknowledgedSaves)
        .catches(
            "forgets-the-last-owner", says: "a session of the regular partition is gone",
            sharing: .forgetsTheLastOwner
        )
        .catches(
            "drops-incognito-of-others", says: "a session of the incognito partition is gone",
            onMedium: { medium, configuration in
                let isTaken = medium.medium.isTaken(configuration.location)
                let store = try medium.open(configuration)
                if isTaken { try store.deleteIncognitoBlocking() }
                return store
            })
        SuiteEntry(
            "FENCE-3", .must,
            """
            Once another owner has opened the store, every call of the old one throws .fenced, \
            be it the first or one that needs nothing of the medium; nothing that it saves is \
            ever there, and its close leaves the store to the new owner.
            """, needs: [.reopening, .takeover]
        )
        .tried("every call first, and again", FenceCases.everyCall)
        .tried("close", FenceCases.close)
        .catches(
            "serves-replaced-owners", says: "sessions of a replaced owner: expected",
            sharing: .answersReads
        )
        .catches(
            "calls-replacement-damage", says: "of a replaced owner: expected .fenced, was",
            sharing: .callsItDamage
        )
        .catches(
            "checks-the-owner-late", says: "after every call of a replaced owner: ",
            sharing: .looksLate
        )
        .catches(
            "anybody-closes", says: "opening, after a replaced owner has closed: expected",
            sharing: .closesForAnybody
        )
        .catches(
            "lists-nothing-when-replaced", says: "sessions of a replaced owner: expected",
            onMedium: {
                try $0.open($1).refused(SessionsRequest.self, for: [.fenced]) { _, _, _ in [] }
            }
        )
        .catches(
            "takes-empty-sets-when-replaced",
            says: "save of an empty set of a replaced owner: expected",
            onMedium: {
                try $0.open($1).refused(for: [.fenced]) { save, _, error in
                    guard save.changes.isEmpty else { throw error }
                    return SaveReceipt(sequence: 0, durability: save.durability)
                }
            })
        SuiteEntry(
            "FENCE-4", .must,
            """
            An owner that was replaced neither deletes incognito sessions of the new one nor \
            brings back those that it deleted.
            """, needs: [.reopening, .takeover]
        )
        .tried("deletion by the old owner", FencedIncognito.deletionByTheOldOwner)
        .tried("deletion by the new owner", FencedIncognito.deletionByTheNewOwner)
        .catches(
            "deletes-incognito-of-others", says: "of the new owner are gone or changed",
            onMedium: { medium, configuration in
                let (shared, location) = (medium.medium, configuration.location)
                return try medium.open(configuration)
                    .refused(DeleteIncognitoRequest.self, for: [.fenced]) { _, _, error in
                        shared.removeIncognito(at: location)
                        throw error
                    }
            }
        )
        .catches(.leavingIncognito())
        SuiteEntry(
            "FENCE-5", .must,
            "However often a store changes its owner, the sets of all owners are there in order.",
            needs: [.reopening, .takeover]
        )
        .tried("one takeover after another", FenceCases.manyOwners)
        .catches("writes-twice", says: "after 2 takeovers", sharing: .writesTwice)
        SuiteEntry(
            "FENCE-6", .must,
            """
            A save that meets a takeover is acknowledged and there, or refused and not there; if \
            its effect is indeterminate, it is there as a whole or not at all. What the new owner \
            finds first does not change any more.
            """, needs: [.reopening, .takeover]
        )
        .tried("saves while the owner changes", TakeoverRace.rounds)
        .catches(
            "forgets-saves-during-a-takeover", says: "was acknowledged during a takeover",
            sharing: .forgetsWhatIsOnTheWay
        )
        .catches(
            "denies-saves-during-a-takeover", says: "was refused during a takeover",
            sharing: .deniesWhatIsOnTheWay)
    }
}
