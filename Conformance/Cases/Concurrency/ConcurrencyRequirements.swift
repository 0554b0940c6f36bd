import BrowserSessions

extension ConformanceSuite {
    static let concurrency: [RequirementCases] = [
        RequirementCases(
            Requirement(
                .concurrency, 1, .must,
                "When many tasks save through one handle, every save takes effect."),
            CaseBody("twelve tasks with tabs of their own", manyWriters)),
        RequirementCases(
            Requirement(
                .concurrency, 2, .must,
                "Readers see every set whole or not at all, also across sessions."),
            CaseBody("four readers beside a writer", readersBesideWriter)),
        RequirementCases(
            Requirement(
                .concurrency, 3, .must,
                """
                Opening a store that the same process has open throws .locked at once and changes \
                nothing; the first handle goes on working.
                """, needs: [.reopening, .files]),
            CaseBody("a second opening, twice", secondOpening),
            CaseBody("eight openings at once", manyOpenings)),
        RequirementCases(
            Requirement(
                .concurrency, 4, .must,
                "Opening a store that another process has open throws .locked and changes nothing.",
                needs: [.processes]),
            CaseBody("a store held by another process", heldElsewhere)),
        RequirementCases(
            Requirement(
                .concurrency, 5, .must, "A store that was closed can be opened again at once.",
                needs: [.reopening]),
            CaseBody("ten times", closedIsFree)),
        RequirementCases(
            Requirement(
                .concurrency, 6, .must,
                "When the process that holds a store is killed, the store can be opened at once.",
                needs: [.processes]),
            CaseBody("kill -9 of the holder", killedIsFree)),
        RequirementCases(
            Requirement(
                .concurrency, 7, .must, "An opening that failed with .locked releases no lock.",
                needs: [.processes]),
            CaseBody("tried here, then from another process", failedOpening)),
        RequirementCases(
            Requirement(
                .concurrency, 8, .must,
                """
                A save with an expected sequence number that is not the store's throws .conflict, \
                so that concurrent reading, changing and saving loses nothing.
                """),
            CaseBody("four tasks count", countWithExpectedSequence)),
    ]
}
