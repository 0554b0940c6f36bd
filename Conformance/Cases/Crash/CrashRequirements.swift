import BrowserSessions

extension ConformanceSuite {
    private static let needs: [Capability] = [.processes, .processCrash]

    static let crash: [RequirementCases] = [
        RequirementCases(
            Requirement(
                .crash, 1, .must,
                "A save that was acknowledged survives the kill of its process at any moment.",
                needs: needs),
            CaseBody("saves that ask for processCrash", acknowledgedSurvive("processCrash")),
            CaseBody("saves that ask for powerLoss", acknowledgedSurvive("powerLoss")),
            CaseBody("both in turn", acknowledgedSurvive("both"))),
        RequirementCases(
            Requirement(
                .crash, 2, .must,
                "A set during whose save the process was killed is there whole or not at all.",
                needs: needs),
            CaseBody("kills within large saves", timeLimit: .seconds(180), allOrNothing)),
        RequirementCases(
            Requirement(
                .crash, 3, .must,
                "After a kill no set is there without all earlier ones of its side.", needs: needs),
            CaseBody("kills within a run of small saves", noLaterWithoutEarlier)),
        RequirementCases(
            Requirement(
                .crash, 4, .must,
                """
                A store whose process was killed opens like any other; restore throws nothing, and \
                a check finds nothing lost.
                """, needs: needs),
            CaseBody("kill and check", staysHealthy)),
        RequirementCases(
            Requirement(
                .crash, 5, .must,
                "A kill during the opening that follows a kill loses nothing either.", needs: needs),
            CaseBody("five openings are killed", interruptedRecovery)),
        RequirementCases(
            Requirement(
                .crash, 6, .must,
                "Neither the files nor the bytes of a store grow with the number of kills.",
                needs: needs),
            CaseBody("200 kills", timeLimit: .seconds(900), staysBounded(kills: 200))),
    ]
}
