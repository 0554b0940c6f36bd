import BrowserSessions

extension ConformanceSuite {
    /// What is no damage, and what damage does not reach.
    static let refusalRequirements: [RequirementCases] = [
        RequirementCases(
            Requirement(
                .recovery, 12, .must,
                "A write that a crash cut off is no damage: the sets before it are there.",
                needs: [.files, .processCrash]),
            CaseBody("end of a growing file cut", RefusalCases.unfinishedTail)),
        RequirementCases(
            Requirement(
                .recovery, 13, .must,
                "An older copy of the regular side that was put back is reported.",
                needs: [.files]),
            CaseBody("older copy", RefusalCases.olderCopy)),
        RequirementCases(
            Requirement(
                .recovery, 14, .must,
                """
                A lock, missing rights and a newer format are never called corrupted, and no file \
                is changed.
                """,
                needs: [.files]),
            CaseBody("second opener", RefusalCases.locked),
            CaseBody("newer format", RefusalCases.newerFormat),
            CaseBody("missing rights", RefusalCases.withoutRights)),
        RequirementCases(
            Requirement(
                .recovery, 15, .must,
                "Too many open files are never called corrupted, and cost nothing that was saved.",
                needs: [.files, .processes]),
            CaseBody("few descriptors left", isIsolated: true, RefusalCases.fewDescriptors)),
        RequirementCases(
            Requirement(
                .recovery, 16, .must,
                "A directory with files of another program is refused, untouched.",
                needs: [.files]),
            CaseBody("somebody's letter", RefusalCases.foreignDirectory)),
    ]
}
