import BrowserSessions

extension RequirementGroup {
    /// Long random sequences of calls, each compared with a simple model.
    public static let model = RequirementGroup(
        "MODEL",
        """
        Long random sequences of calls, each compared with a simple model.
        """)
}

extension ConformanceSuite {
    @SuiteBuilder static var model: [SuiteEntry] {
        SuiteEntry(
            "MODEL-1", .must,
            """
            After any sequence of calls to one opening, every answer is the one that the \
            contract gives for that sequence: nothing depends on what happened on the way.
            """, needs: ModelSequence.Mix.calls.needs
        )
        .tried("random sequences of calls", timeLimit: limit, running(5, .calls))
        #if FaultyBackends
            .catches(
                FaultyBackend("drops-the-fifth-move", says: "differs from the model") {
                    DropsFifthMove(base: $0)
                },
                FaultyBackend("keeps-the-place-of-moved-tabs", says: "differs in") {
                    KeepsPlaceInMoves(base: $0)
                },
                FaultyBackend("brings-removed-titles-back", says: "differs in title") {
                    BringsAttributesBack(base: $0)
                })
        #endif
        SuiteEntry(
            "MODEL-2", .must,
            """
            Closing and opening anywhere in a sequence of calls changes no later answer, but \
            for what the contract keeps until the next opening only.
            """, needs: ModelSequence.Mix.reopening.needs
        )
        .tried("random sequences with reopenings", timeLimit: limit, running(4, .reopening))
        #if FaultyBackends
            .catches(
                FaultyBackend("forgets-state-of-moved-tabs", says: "is absent") {
                    ForgetsStateOfMovedTabs(base: $0)
                },
                FaultyBackend("reverts-attributes-at-close", says: "the session differs in") {
                    RevertsAttributesAtClose(base: $0)
                })
        #endif
        SuiteEntry(
            "MODEL-3", .must,
            """
            Killing the process anywhere in a sequence of saves changes no answer about those \
            that were acknowledged; the one in progress is there or not, and can be repeated.
            """, needs: ModelSequence.Mix.kills.needs
        )
        .tried("random sequences with five kills each", timeLimit: limit, running(3, .kills))
        #if FaultyBackends
            .catches(
                FaultyBackend("holds-every-other-save-back", says: "saves were acknowledged") {
                    HoldsOtherSaveBack(base: $0)
                },
                FaultyBackend(
                    "forgets-commits-after-a-kill", says: "whether a set had been applied before"
                ) { configuration throws(StorageError) in
                    try ForgetsCommitsAfterKill(configuration)
                })
        #endif
        SuiteEntry(
            "MODEL-4", .must,
            """
            In any sequence of calls exactly the sets that break a rule are refused, each with \
            a code of a rule that it breaks, and leave no trace in any later answer.
            """, needs: ModelSequence.Mix.refusals.needs
        )
        .tried("random sequences with wild sets", timeLimit: limit, running(4, .refusals))
        #if FaultyBackends
            .catches(
                FaultyBackend("remembers-refused-titles", says: "differs in title") {
                    RemembersRefusedTitles(base: $0)
                },
                FaultyBackend("counts-what-is-too-large", says: "the number of") {
                    AlteredStorage.refused($0, for: [.tooLarge]) {
                        base, _, _, error throws(StorageError) in
                        let absent = SessionID(window: WindowID(high: 0, low: 0))
                        _ = try await base.save(SessionChanges(.removeSession(absent)))
                        throw error
                    }
                })
        #endif
        SuiteEntry(
            "MODEL-5", .must,
            """
            In any sequence of calls with groups, splits, spaces and trees, exactly the sets that break a \
            rule of the forest are refused, and every forest is the one that the others make.
            """, needs: ModelSequence.Mix.refusals.needs
        )
        .tried(
            "random sequences of nodes", timeLimit: limit,
            running(8, .refusals, hasNodes: true)
        )
        #if FaultyBackends
            .catches(
                FaultyBackend("unfolds-the-third-move", says: "differs in isCollapsed") {
                    UnfoldsThirdMove(base: $0)
                },
                FaultyBackend("keeps-members-of-what-goes", says: "must be refused") {
                    AlteredStorage.refused($0) {
                        base, changes, durability, _ throws(StorageError) in
                        let kept = changes.changes.filter {
                            if case .removeNode = $0 { false } else { true }
                        }
                        return try await base.save(
                            changes.replacing(kept), durability: durability)
                    }
                })
        #endif
        SuiteEntry(
            "MODEL-6", .must,
            """
            Closing and opening anywhere in a sequence of calls with nodes changes no forest, neither the \
            present one nor those of restore points.
            """, needs: ModelSequence.Mix.reopening.needs
        )
        .tried(
            "random sequences of nodes with reopenings", timeLimit: limit,
            running(4, .reopening, hasNodes: true)
        )
        #if FaultyBackends
            .catches(
                FaultyBackend("unnames-nodes-at-close", says: "differs in name") {
                    UnnamesNodesAtClose(base: $0)
                })
        #endif
    }

    /// The limit for shortening, which runs a failing sequence many times.
    private static let limit = Duration.seconds(600)

    private static func running(
        _ sequences: Int, _ mix: ModelSequence.Mix, hasNodes: Bool = false
    ) -> @Sendable (CaseContext) async throws -> Void {
        { context in
            let count = context.amount(max(1, sequences / 2), full: sequences)
            for number in 0..<count {
                let sequence = ModelSequence(
                    seed: mix.seed(number, of: context.seed, hasNodes: hasNodes))
                let report = try await sequence.report(on: [context])
                if report.failure != nil { throw Violation("\(report)") }
            }
            let seeds = (0..<count).map {
                "\(mix.seed($0, of: context.seed, hasNodes: hasNodes))"
            }
            context.note("sequences of the seeds \(seeds.joined(separator: ", "))")
        }
    }
}

extension ModelSequence {
    /// The requirement of these sequences.
    var requirement: String {
        let number =
            switch (mix, hasNodes) {
            case (.refusals, true): 5
            case (.reopening, true): 6
            default: Int(mix.rawValue) + 1
            }
        return "\(RequirementGroup.model.rawValue)-\(number)"
    }
}
