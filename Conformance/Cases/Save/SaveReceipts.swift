import BrowserSessions

extension ConformanceSuite {
    /// What receipts claim.
    static let saveReceipts: [RequirementCases] = [
        RequirementCases(
            Requirement(
                .save, 21, .must,
                """
                The receipt of a regular set names at least the durability that was asked for, and \
                the default one if none was.
                """),
            CaseBody("every level of the traits") { context in
                try await context.withNewStore { store in
                    for level in context.traits.durability.union([.memory]).sorted() {
                        let set = Plain.window(1, tabs: 0..<1, title: level.rawValue).changes
                        let receipt = try await store.save(set, durability: level)
                        try require(
                            receipt.durability >= level,
                            "less than asked: \(receipt.durability) instead of \(level)")
                        let empty = try await store.save(SessionChanges(), durability: level)
                        try require(
                            empty.durability >= level,
                            "less than asked: \(empty.durability) instead of \(level)")
                    }
                    let receipt = try await store.save(Plain.window(1, tabs: 0..<2).changes)
                    try require(
                        receipt.durability >= context.traits.defaultDurability,
                        "less than the default: \(receipt.durability)")
                }
            }),
        RequirementCases(
            Requirement(
                .save, 22, .must,
                """
                No receipt names a durability above the best of the traits, or of an incognito set \
                above `incognitoDurability`.
                """),
            CaseBody("every level on either side") { context in
                let best = context.traits.durability.max() ?? .memory
                try await context.withNewStore { store in
                    for level in Durability.allCases where level <= best {
                        for kind in [SessionKind.regular, .incognito] {
                            let set = Plain.window(1, tabs: 0..<1, kind: kind).changes
                            let receipt = try await store.save(set, durability: level)
                            let limit =
                                kind == .regular ? best : context.traits.incognitoDurability
                            try require(
                                receipt.durability <= limit,
                                "\(receipt.durability) is above \(limit) of the traits")
                        }
                    }
                }
            }),
        RequirementCases(
            Requirement(
                .save, 23, .must,
                """
                A save that asks for more durability than the best of the traits throws \
                unsupported, and nothing of its set is there afterwards.
                """),
            CaseBody("every level that is not listed", unlistedLevels)),
    ]

    private static func unlistedLevels(_ context: CaseContext) async throws {
        let best = context.traits.durability.max() ?? .memory
        let unlisted = Durability.allCases.filter { $0 > best }
        if unlisted.isEmpty { context.note("the traits list the highest level; none is left") }
        try await context.withNewStore { store in
            for level in unlisted {
                let subject = "a save with \(level.rawValue), which the traits do not list"
                let error = try await requireError(.unsupported, from: subject) {
                    _ = try await store.save(
                        Plain.window(1, tabs: 0..<2).changes, durability: level)
                }
                try requireEqual(error.effect, .notApplied, "the effect of \(subject)")
                try requireEqual(try await store.sessions(), [], "the sessions after \(subject)")
            }
        }
    }
}
