extension ConformanceSuite {
    static let configuration: [RequirementCases] =
        configurationRefusals + configurationOptions + configurationLocations

    private static let configurationRefusals: [RequirementCases] = [
        RequirementCases(
            Requirement(
                .configuration, 1, .must,
                """
                An option that the backend does not know is refused as invalidConfiguration; the \
                message names it and the one that was probably meant.
                """),
            CaseBody("every option misspelled", misspelledOptions)),
        RequirementCases(
            Requirement(
                .configuration, 2, .must,
                """
                A value of the wrong type, or one that the option does not allow, is refused as \
                invalidConfiguration; the message names the option.
                """),
            CaseBody("wrong types", wrongTypes),
            CaseBody("values out of bounds", forbiddenValues)),
        RequirementCases(
            Requirement(
                .configuration, 3, .must,
                """
                A configuration that is refused changes no file: no store is made, and one that \
                is there stays as it is.
                """,
                needs: [.files]),
            CaseBody("every refusal at an absent store", refusedBeforeAnythingIsMade),
            CaseBody("every refusal at a store", refusedAtStore)),
        RequirementCases(
            Requirement(
                .configuration, 4, .must,
                """
                No error shows what was given to an option that nobody knows: it may be a secret \
                under a mistyped name.
                """),
            CaseBody("words given to misspelled options", unknownValues)),
        RequirementCases(
            Requirement(
                .configuration, 5, .must,
                "The value of a secret option is in no error, no trait and no description.",
                needs: [.secretOptions]),
            CaseBody("every secret option", secretValues)),
    ]

    private static let configurationOptions: [RequirementCases] = [
        RequirementCases(
            Requirement(
                .configuration, 6, .must,
                """
                A save that names no level reaches at least that of the option 'durability', and \
                the traits name it; a level that the store cannot reach is refused.
                """),
            CaseBody("every level", defaultLevels)),
        RequirementCases(
            Requirement(
                .configuration, 7, .must,
                """
                With 'create' true, or without a word of it, a store is made where there is none; \
                with any value, one that is there is opened and keeps what is in it.
                """),
            CaseBody("true, false and absent", creating)),
        RequirementCases(
            Requirement(
                .configuration, 8, .must,
                """
                A changed option is taken up at the next opening, an absent one has its default \
                again, and what was saved stays.
                """,
                needs: [.reopening]),
            CaseBody("the common options", changedCommonOptions),
            CaseBody("the backend's own options", timeLimit: .seconds(300), changedOwnOptions)),
        RequirementCases(
            Requirement(
                .configuration, 9, .must,
                """
                With every value that an option allows, its default among them, a store keeps \
                what it is given; a value that cannot be had on this machine is refused.
                """),
            CaseBody("every value", timeLimit: .seconds(300), allowedValues)),
    ]

    private static let configurationLocations: [RequirementCases] = [
        RequirementCases(
            Requirement(
                .configuration, 10, .must,
                """
                The same location and options name the same store at every opening; another \
                location names another.
                """,
                needs: [.reopening]),
            CaseBody("two locations by turns", sameConfiguration)),
        RequirementCases(
            Requirement(
                .configuration, 11, .must,
                """
                A location that is written in another way, relative, with slashes at its end or \
                doubled ones, names the same store.
                """,
                needs: [.files]),
            CaseBody("one location in several forms", writtenLocations)),
        RequirementCases(
            Requirement(
                .configuration, 12, .must,
                """
                Locations with spaces, percent signs, letters of any script and other signs are \
                taken as they are.
                """,
                needs: [.files]),
            CaseBody("unusual names side by side", unusualLocations)),
    ]
}
