import BrowserSessions

extension ConformanceSuite {
    /// What receipts claim.
    @SuiteBuilder static var saveReceipts: [SuiteEntry] {
        SuiteEntry(
            "SAVE-21", .must,
            """
            The receipt of a regular set names at least the durability that was asked for, and \
            the default one if none was.
            """
        )
        .tried("every level of the traits") { context in
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
        }
        .catches("promises-nothing", says: "less than asked") {
            $0.answering(SaveRequest.self) { $0.durability = .memory }
        }
        SuiteEntry(
            "SAVE-22", .must,
            """
            No receipt names a durability above the best of the traits, or of an incognito set \
            above `incognitoDurability`.
            """
        )
        .tried("every level in either partition") { context in
            let best = context.traits.greatestDurability
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
        }
        .catches("promises-more-than-its-traits", says: "is above") {
            $0.answering(SaveRequest.self) { $0.durability = .powerLoss }.claiming {
                $0.durability = [.processCrash]
                $0.defaultDurability = .processCrash
            }
        }
        .catches("promises-more-than-its-incognito-key", says: "is above memory") {
            $0.claiming {
                $0.incognitoSealing = StorageTraits.Sealing(
                    cipher: "none", keyStore: "memory", survives: .memory, keyLiesInStore: false
                )
            }
        }
        SuiteEntry(
            "SAVE-23", .must,
            """
            A save that asks for more durability than the traits claim throws `unsupported` \
            and changes nothing; no lesser level is refused.
            """
        )
        .tried("every level there is", tryEveryLevel)
        .catches(
            "takes-more-than-it-claims",
            says: "which the traits do not claim: expected .unsupported, no error was thrown"
        ) {
            $0.claiming {
                $0.durability = [.memory]
                $0.defaultDurability = .memory
            }
        }
        .catches("refuses-the-least-level", says: "a save at .memory was refused") {
            $0.before(SaveRequest.self) { save, _ in
                guard save.durability > .memory else {
                    throw StorageError(.unsupported, "name a level")
                }
            }
        }
        .catches("applies-what-it-does-not-support", says: "the sessions") {
            $0.on(SaveRequest.self) { save, store in
                let receipt = try await save.perform(on: store)
                guard save.durability == .powerLoss else { return receipt }
                throw StorageError(.unsupported, "nothing is synced here", operation: "save")
            }.claiming {
                $0.durability = [.memory, .processCrash]
                $0.defaultDurability = min($0.defaultDurability, .processCrash)
            }
        }
    }

    private static func tryEveryLevel(_ context: CaseContext) async throws {
        let best = context.traits.greatestDurability
        try await context.withNewStore { store in
            var saved: [SessionID] = []
            for (number, level) in Durability.allCases.enumerated() {
                let window = Plain.window(number, tabs: 0..<1)
                guard level <= best else {
                    let subject = "a save at .\(level), which the traits do not claim"
                    let error = try await requireError(.unsupported, from: subject) {
                        _ = try await store.save(window.changes, durability: level)
                    }
                    try requireEqual(error.effect, .notApplied, "the effect of \(subject)")
                    continue
                }
                try await requireSuccess("a save at .\(level) was refused") {
                    try await store.save(window.changes, durability: level)
                }
                saved.append(window.id)
            }
            try requireEqual(try await store.sessions(), saved.sorted(), "the sessions")
        }
    }
}
