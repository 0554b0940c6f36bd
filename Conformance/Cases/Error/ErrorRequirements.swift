import BrowserSessions

extension ConformanceSuite {
    static let error: [RequirementCases] = [
        RequirementCases(
            Requirement(
                .error, 1, .must,
                "Opening with 'create' false where there is no store throws notFound and makes none."
            ),
            CaseBody("open nothing", openNothing)),
        RequirementCases(
            Requirement(
                .error, 2, .must,
                """
                Opening at a file or a symbolic link throws unsafeLocation and leaves what is \
                there as it is.
                """,
                needs: [.files]),
            CaseBody("a file, a link, a link to nothing", unsafeLocations)),
        RequirementCases(
            Requirement(
                .error, 3, .must,
                """
                A call of a task that was cancelled before it throws cancelled, and nothing was \
                done.
                """),
            CaseBody("every call from a cancelled task", cancelledCalls)),
        RequirementCases(
            Requirement(
                .error, 4, .must,
                """
                A save that is refused has the effect notApplied, and nothing of its set is there \
                afterwards.
                """),
            CaseBody("contradictions, both sides, too large, conflict", refusedSaves)),
        RequirementCases(
            Requirement(
                .error, 5, .must,
                """
                No error, nor what it holds, shows an address, a title, state or a property of \
                what was saved.
                """),
            CaseBody("every error of an intact store", errorsOfIntactStore)),
        RequirementCases(
            Requirement(
                .error, 6, .must,
                """
                Neither errors nor reports about a damaged store show an address, a title, state \
                or a property.
                """,
                needs: [.files]),
            CaseBody("a store whose files have damage", reportsOfDamage)),
        RequirementCases(
            Requirement(
                .error, 7, .must,
                "Every error names its call in 'operation', and its message is a sentence."),
            CaseBody("errors of every call", namedErrors)),
        RequirementCases(
            Requirement(
                .error, 8, .must,
                """
                After a call that was refused the store answers as before, and takes the next \
                save.
                """),
            CaseBody("refusals between saves", usableAfterRefusals)),
    ]
}
