import BrowserSessions

extension RequirementGroup {
    /// Shared mediums: lost connections, missing answers, troubles of a server.
    public static let shared = RequirementGroup(
        "SHARED",
        """
        Shared mediums: connections that are lost, answers that do not come, troubles of a server.
        """)
}

extension ConformanceSuite {
    @SuiteBuilder static var shared: [SuiteEntry] {
        SuiteEntry(
            "SHARED-1", .must,
            """
            Wherever a connection is lost while a store is made, opened, saves, reads or closes, each \
            call is done or throws .unavailable. What was acknowledged is there, and the rest as a \
            whole or not at all.
            """, needs: [.reopening, .link]
        )
        .tried("opened, what is sent") { try await LossCases.life(.sent, $0) }
        .tried("opened, what is received") { try await LossCases.life(.received, $0) }
        .tried("made, what is sent") { try await LossCases.making(.sent, $0) }
        .tried("made, what is received") { try await LossCases.making(.received, $0) }
        .catches("writes-half-of-what-is-lost", says: "reads as damage", sharing: .writesHalves)
        .catches(
            "takes-its-owner-for-a-stranger", says: "expected .unavailable, was",
            sharing: .forgetsItsOwner)
        SuiteEntry(
            "SHARED-2", .must,
            """
            A save that loses its connection is applied once. If it throws, it says .unavailable, \
            and .notApplied only if it was not.
            """, needs: [.reopening, .link]
        )
        .tried("what is sent") { try await LossCases.saves(.sent, $0) }
        .tried("what is received") { try await LossCases.saves(.received, $0) }
        .catches(
            "forgets-what-a-lost-connection-wrote", says: "the last set after a save that",
            sharing: .forgetsLostConnections
        )
        .catches(
            "denies-unanswered-saves", says: "was refused as not applied",
            sharing: .deniesLostWrites
        )
        .catches(
            "saves-twice-to-be-sure", says: "was applied as number",
            onMedium: { medium, configuration in
                // Saves again what another connection than the first answered.
                let wire = medium.wire
                return try medium.open(configuration).on(SaveRequest.self) { save, store in
                    let before = wire?.traffic.connections
                    let receipt = try await save.perform(on: store)
                    guard wire?.traffic.connections != before else { return receipt }
                    return try await save.perform(on: store)
                }
            })
        SuiteEntry(
            "SHARED-3", .must,
            """
            While it is unknown what became of a save, it throws .unavailable with an indeterminate \
            effect, and other calls throw .unavailable and do not guess. When the medium can be \
            reached again, the store goes on behind what became of it.
            """, needs: [.reopening, .link]
        )
        .tried("it was applied", UnknownCases.applied)
        .tried("it was not", UnknownCases.notApplied)
        .catches(
            "reads-from-memory-meanwhile", says: "restore, while that is unknown: expected",
            onMedium: {
                let known = FaultMemory<[SessionID: RestoredSession]>([:])
                return try $0.open($1).refused(RestoreRequest.self, for: [.unavailable]) {
                    restore, _, _ in restore.ids.compactMap { known.value[$0] }
                }.restoring { session in known.use { [session] in $0[session.id] = session } }
            }
        )
        .catches(
            "acknowledges-the-unknown", says: "a save without an answer: expected",
            onMedium: {
                try $0.open($1).refused(for: [.unavailable]) { save, _, error in
                    guard error.effect == .indeterminate else { throw error }
                    return SaveReceipt(sequence: 2, durability: save.durability)
                }
            })
        SuiteEntry(
            "SHARED-4", .must,
            """
            A change that a store has found not to be there is never applied later, however long it \
            was on its way over an earlier connection.
            """, needs: [.reopening, .link]
        )
        .tried("a save that comes late", UnknownCases.late)
        .catches(
            "takes-what-comes-late", says: "one came late that was reported as not there",
            sharing: .takesLateWrites)
        SuiteEntry(
            "SHARED-5", .must,
            """
            A read that loses its connection returns the whole or throws .unavailable: never a \
            part, and no damage.
            """, needs: [.reopening, .link]
        )
        .tried("openings, restoring, states, checks", timeLimit: .seconds(300), LossCases.reading)
        .catches(
            "takes-a-loss-for-the-end", says: "knows a part as the whole",
            sharing: .endsScansAtALoss
        )
        .catches(
            "takes-a-loss-for-the-last-tab", says: "returned a part as the whole",
            sharing: .endsPrefixesAtALoss)
        SuiteEntry(
            "SHARED-6", .must,
            """
            A medium that does not answer in time is one that cannot be reached: every call ends soon, \
            with .unavailable if it needs an answer. One that is only late is waited for.
            """, needs: [.reopening, .link]
        )
        .tried("late", DelayCases.late)
        .tried("silent", DelayCases.silent)
        .tried("silent within an opening", DelayCases.silentOpening)
        .catches("waits-for-ever", says: "still waits after", sharing: .waitsForEver)
        SuiteEntry(
            "SHARED-7", .should,
            """
            A store that lost its connection while it was opened or closed can be opened again at \
            once by the same process.
            """, needs: [.reopening, .link]
        )
        .tried("cut anywhere", DelayCases.givenUp)
        .catches(
            "keeps-what-was-given-up", says: "opening at once what was given up",
            sharing: .keepsWhatIsGivenUp)
        SuiteEntry(
            "SHARED-8", .must,
            """
            Incognito sessions that are deleted while the medium cannot be reached are gone when it \
            can, if their key lies elsewhere.
            """, needs: [.reopening, .link, .incognitoSealed, .incognitoKeyElsewhere]
        )
        .tried("the connection is lost", UnknownCases.incognito)
        .catches(
            "deletes-only-what-it-reaches", says: "deleted incognito sessions are there",
            onMedium: { try $0.open($1).claimingSealed() })
        SuiteEntry(
            "SHARED-9", .must,
            """
            A medium that is restarted, stopped, full, read-only, refuses connections, logins or \
            changes, keeps less than was promised, or has a newer format, takes nothing that was \
            acknowledged: each call is done, or throws what an operator can do about. When it is \
            over the store goes on by itself.
            """, needs: [.reopening, .troubles]
        )
        .tried(each: MediumTrouble.allCases, TroubleCases.run)
        .catches("forgets-at-a-restart", says: "a restart", sharing: .forgetsAtRestart)
        .catches("stays-broken", says: "stopped, and over: ", sharing: .staysBroken)
        .catches(
            "calls-fullness-damage", says: "out of space, a save: expected",
            sharing: .callsFullnessDamage
        )
        .catches("takes-what-does-not-fit", says: "out of space", sharing: .takesWhatDoesNotFit)
        .catches("keeps-less-and-says-nothing", says: "kept for less", sharing: .keepsLess)
        .catches(
            "calls-a-refused-login-absence", says: "refused logins, ", sharing: .callsRefusalAbsence
        )
        .catches("replaces-newer-formats", says: "a newer format: ", sharing: .replacesNewerFormats)
    }
}
