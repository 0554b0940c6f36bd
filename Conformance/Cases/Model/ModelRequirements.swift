import BrowserSessions
import StorageEngines

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
        .catches("drops-the-fifth-move", says: "differs from the model") { $0.droppingFifthMove() }
        .catches("keeps-the-place-of-moved-tabs", says: "differs in") { $0.keepingPlaces() }
        .catches("brings-removed-titles-back", says: "differs in title") {
            $0.bringingAttributesBack()
        }
        SuiteEntry(
            "MODEL-2", .must,
            """
            Closing and opening anywhere in a sequence of calls changes no later answer, but \
            for what the contract keeps until the next opening only.
            """, needs: ModelSequence.Mix.reopening.needs
        )
        .tried("random sequences with reopenings", timeLimit: limit, running(4, .reopening))
        .catches("forgets-state-of-moved-tabs", says: "is absent") { $0.forgettingMovedStates() }
        .catches("reverts-attributes-at-close", says: "the session differs in") {
            $0.revertingAttributes()
        }
        SuiteEntry(
            "MODEL-3", .must,
            """
            Killing the process anywhere in a sequence of saves changes no answer about those \
            that were acknowledged; the one in progress is there or not, and can be repeated.
            """, needs: ModelSequence.Mix.kills.needs
        )
        .tried("random sequences with five kills each", timeLimit: limit, running(3, .kills))
        .catches("holds-every-other-save-back", says: "saves were acknowledged") {
            HoldsOtherSaveBack(base: $0)
        }
        .catches("forgets-commits-after-a-kill", says: "whether a set had been applied before") {
            configuration, open in
            let mark = "\(configuration.location)/in-use"
            let store = try open(configuration)
            let wasKilled = try FileSystem.exists(mark)
            try FileSystem.replace(mark, with: [])
            return store.saving { changes in
                guard wasKilled, let id = changes.commitID else { return }
                changes.commitID = CommitID(high: ~id.high, low: id.low)
            }.on(CloseRequest.self) { close, store in
                try await close.perform(on: store)
                try FileSystem.remove(mark)
            }
        }
        SuiteEntry(
            "MODEL-4", .must,
            """
            In any sequence of calls exactly the sets that break a rule are refused, each with \
            a code of a rule that it breaks, and leave no trace in any later answer.
            """, needs: ModelSequence.Mix.refusals.needs
        )
        .tried("random sequences with wild sets", timeLimit: limit, running(4, .refusals))
        .catches("remembers-refused-titles", says: "differs in title") {
            let titles = FaultMemory([TabID: String]())
            return $0.puttingTabs { $0.title = titles.value[$0.id] ?? $0.title }
                .answering(SaveRequest.self) { _ in titles.set([:]) }
                .refused(for: StorageError.Code.allCases) { save, _, error in
                    for case .put(.tab(let tab, _)) in save.changes.changes {
                        titles.use { $0[tab.id] = tab.title }
                    }
                    throw error
                }
        }
        .catches("counts-what-is-too-large", says: "the number of") {
            $0.refused(for: [.tooLarge]) { _, store, error in
                let absent = SessionID(window: WindowID(high: 0, low: 0))
                _ = try await store.save(SessionChanges(.remove(absent)))
                throw error
            }
        }
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
        .catches("unfolds-the-third-move", says: "differs in isCollapsed") {
            let puts = FaultMemory([NodeID: Int]())
            return $0.puttingNodes { node in
                puts.use { [node] in $0[node.id, default: 0] += 1 }
                if puts.value[node.id] == 3 { node.isCollapsed = false }
            }
        }
        .catches("keeps-members-of-what-goes", says: "must be refused") {
            $0.refused { save, store, _ in
                let kept = save.changes.changes.filter {
                    if case .remove(.node, _) = $0 { false } else { true }
                }
                return try await store.save(
                    save.changes.replacing(kept), durability: save.durability)
            }
        }
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
        .catches("unnames-nodes-at-close", says: "differs in name") {
            $0.on(CloseRequest.self) { close, store in
                for session in (try? await store.sessions()) ?? [] {
                    let found = try await store.restore(session)
                    for var node in found?.nodes ?? [] where found?.repairs.isEmpty == true {
                        node.name = ""
                        _ = try await store.save(SessionChanges(.put(node, in: session)))
                    }
                }
                try await close.perform(on: store)
            }
        }
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
            switch (mix, Self.hasNodes(seed)) {
            case (.refusals, true): 5
            case (.reopening, true): 6
            default: Int(mix.rawValue) + 1
            }
        return "\(RequirementGroup.model.rawValue)-\(number)"
    }
}
