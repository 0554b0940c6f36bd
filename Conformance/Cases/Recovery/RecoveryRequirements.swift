import BrowserSessions

extension ConformanceSuite {
    static let recovery: [RequirementCases] = damageRequirements + refusalRequirements

    private static func every(
        _ kinds: [FileDamage], times: Int = 1,
        _ judge: @escaping @Sendable (DamageTrial) async throws -> Void
    ) -> [CaseBody] {
        kinds.map { kind in
            CaseBody(kind.rawValue, timeLimit: .seconds(300)) { context in
                try await DamageTrial.each(kind, context, times: times) { try await judge($0) }
            }
        }
    }

    private static let damageRequirements: [RequirementCases] = [
        RequirementCases(
            Requirement(
                .recovery, 1, .must,
                "A damaged store never ends or blocks the process that opens and reads it.",
                needs: [.files, .processes]),
            CaseBody("every file flipped", timeLimit: .seconds(300), isIsolated: true) { context in
                try await DamageTrial.each(.flip, context) { _ = try await DamagedContent($0) }
            },
            CaseBody("every file cut", timeLimit: .seconds(300), isIsolated: true) { context in
                try await DamageTrial.each(.truncate, context) { _ = try await DamagedContent($0) }
            }),
        RequirementCases(
            Requirement(
                .recovery, 2, .must,
                "Opening and reading a damaged store throw no other code than corrupted.",
                needs: [.files]),
            every([.truncate, .zero, .remove, .double]) { _ = try await DamagedContent($0) }),
        RequirementCases(
            Requirement(
                .recovery, 3, .must,
                """
                Each thing that was saved and is not there is reported: by a loss of its own or \
                of unknown extent, as corrupted, or as a discarded incognito side. A damaged \
                store is never taken for a new one.
                """,
                needs: [.files]),
            every(FileDamage.allCases, RecoveryCases.reportsLosses)),
        RequirementCases(
            Requirement(
                .recovery, 4, .must,
                "A damaged store gives back nothing that was never saved.", needs: [.files]),
            every([.flip, .zero, .double], RecoveryCases.givesOnlySaved)),
        RequirementCases(
            Requirement(
                .recovery, 5, .must,
                """
                The side that is not damaged, and each session that is called intact, is as it \
                was saved.
                """,
                needs: [.files]),
            every([.flip, .truncate, .remove], RecoveryCases.keepsTheRest)),
        RequirementCases(
            Requirement(
                .recovery, 6, .must,
                "One flipped bit costs at most as many tabs as the set that saved them had.",
                needs: [.files]),
            CaseBody("18 bits of every file", timeLimit: .seconds(600), RecoveryCases.losesLittle)),
        RequirementCases(
            Requirement(
                .recovery, 7, .must,
                """
                Damaged bytes of the regular side are kept where the report says; nothing of the \
                incognito side is.
                """,
                needs: [.files]),
            every([.flip, .zero], times: 3, RecoveryCases.keepsDamagedBytes)),
        RequirementCases(
            Requirement(
                .recovery, 8, .must,
                """
                A damaged store that opens can be saved to, and at the next opening that is there, \
                and what could be read before.
                """,
                needs: [.files]),
            every([.flip, .truncate, .remove], RecoveryCases.goesOn)),
        RequirementCases(
            Requirement(
                .recovery, 9, .must,
                "After a repair the store is healthy, and a second repair changes nothing.",
                needs: [.files]),
            every([.flip, .truncate, .remove], RecoveryCases.repairs)),
        RequirementCases(
            Requirement(
                .recovery, 10, .must, "A check changes no file.", needs: [.files]),
            every([.flip], RecoveryCases.checkChangesNothing)),
        RequirementCases(
            Requirement(
                .recovery, 11, .must,
                """
                Damage within one large blob costs that blob alone: reading it throws corrupted, \
                the report names its session and its tab, and all else is as it was saved.
                """,
                needs: [.files]),
            CaseBody("a blob saved in the last run") { context in
                try await BlobDamage(context, rests: false).tryIt()
            },
            CaseBody("a blob saved in the run before") { context in
                try await BlobDamage(context, rests: true).tryIt()
            }),
        RequirementCases(
            Requirement(
                .recovery, 17, .must,
                """
                After any one flipped bit a store opens or throws corrupted, and every session, \
                tab and state that it gives back is the one that was saved last, or is reported.
                """,
                needs: [.files]),
            CaseBody("24 bits of every file", timeLimit: .seconds(600)) { context in
                try await DamageTrial.each(.flip, context, times: 8) {
                    try await RecoveryCases.survives($0)
                }
            }),
    ]
}
