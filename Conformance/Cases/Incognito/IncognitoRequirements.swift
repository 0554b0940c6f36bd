import BrowserSessions

extension ConformanceSuite {
    static let incognito: [RequirementCases] =
        [
            RequirementCases(
                Requirement(
                    .incognito, 1, .must,
                    """
                    The sides never mix: the same window and the same tab may be on both, and what is \
                    saved or removed on one side leaves the other as it is.
                    """),
                CaseBody("same identifiers on both sides", IncognitoCases.sameIdentifiers),
                CaseBody("removing a tab and its state", IncognitoCases.removedTab),
                CaseBody("removing the session", IncognitoCases.removedSession)),
            RequirementCases(
                Requirement(
                    .incognito, 2, .must,
                    """
                    Deleting incognito removes every incognito session of every kind with its state, \
                    and leaves the regular side as it is.
                    """),
                CaseBody("several kinds and windows", IncognitoCases.deletion)),
            RequirementCases(
                Requirement(
                    .incognito, 3, .must,
                    "Deleted incognito sessions are not there at any later opening.",
                    needs: [.reopening]),
                CaseBody("open twice after deletion", IncognitoCases.deletionStays),
                CaseBody("delete in a later run", IncognitoCases.deletionInLaterRun)),
            RequirementCases(
                Requirement(
                    .incognito, 4, .must,
                    "Deleting incognito is no error when there is none, and changes nothing then."),
                CaseBody("new store and twice", IncognitoCases.nothingToDelete)),
            RequirementCases(
                Requirement(
                    .incognito, 5, .must,
                    "What is saved on the incognito side after a deletion is all that is there."),
                CaseBody("save after deletion", IncognitoCases.saveAfterDeletion)),
            RequirementCases(
                Requirement(
                    .incognito, 6, .must,
                    "A save through a closed store throws closed and brings nothing back.",
                    needs: [.reopening]),
                CaseBody("late save", IncognitoCases.lateSave)),
            RequirementCases(
                Requirement(
                    .incognito, 7, .must,
                    "Incognito sessions that nobody deleted are there after closing and opening.",
                    needs: [.reopening]),
                CaseBody("open again", IncognitoCases.reopening)),
        ] + incognitoResidue
}
