import BrowserSessions

extension ConformanceSuite {
    /// Sequence numbers, expected numbers and commit ids.
    @SuiteBuilder static var saveNumbers: [SuiteEntry] {
        SuiteEntry(
            "SAVE-16", .must,
            """
            The sequence number of a partition is 0 before its first set, grows by one with every \
            set that is applied, and stays with every set that is empty or refused.
            """
        )
        .tried("ten sets in either partition") { context in
            try await context.withNewStore { store in
                let start = try await store.save(SessionChanges())
                try requireEqual(start.sequence, 0, "the number of a new store")
                for number in 1...10 {
                    for kind in [SessionKind.regular, .incognito] {
                        let window = Plain.window(1, tabs: 0..<2, kind: kind)
                        let receipt = try await store.save(window.changes, durability: .memory)
                        try requireEqual(
                            receipt.sequence, UInt64(number), "the number of set \(number)")
                    }
                    try await requireError(.invalidChanges, from: "a contradiction") {
                        let key = Plain.key(1)
                        _ = try await store.save(
                            SessionChanges(.putState([], for: key), .removeState(key)))
                    }
                    let empty = try await store.save(SessionChanges(), durability: .memory)
                    try requireEqual(
                        empty.sequence, UInt64(number), "the number after an empty set")
                }
            }
        }
        .catches("counts-by-two", says: "the number of set 1") {
            $0.answering(SaveRequest.self) { $0.sequence *= 2 }
        }
        .catches("counts-both-partitions", says: "the number of set 1") {
            let count = FaultMemory(0 as UInt64)
            return $0.on(SaveRequest.self) { save, store in
                var receipt = try await save.perform(on: store)
                if !save.changes.isEmpty { count.use { $0 += 1 } }
                receipt.sequence = count.value
                return receipt
            }
        }
        SuiteEntry(
            "SAVE-17", .must,
            "Sequence numbers go on where they were when the store is opened again.",
            needs: [.reopening]
        )
        .tried("five openings") { context in
            let location = try await context.makeLocation()
            for opening in 1...5 {
                try await context.withStore(at: location) { store in
                    let now = try await store.save(SessionChanges())
                    try requireEqual(
                        now.sequence, UInt64(opening - 1) * 3,
                        "the number at opening \(opening)")
                    for number in 1...3 {
                        let receipt = try await store.save(
                            Plain.window(1, tabs: 0..<number).changes)
                        try requireEqual(
                            receipt.sequence, UInt64((opening - 1) * 3 + number),
                            "the number of set \(number) at opening \(opening)")
                    }
                }
            }
        }
        .catches("restarts-the-count-when-opened", says: "the number at opening 2") {
            let start = FaultMemory<UInt64?>(nil)
            return $0.answering(SaveRequest.self) { receipt in
                let first = start.value ?? receipt.sequence
                start.set(first)
                receipt.sequence -= first
            }
        }
        SuiteEntry(
            "SAVE-18", .must,
            """
            A set that expects another sequence number than that of the last applied set is refused \
            with `conflict`, and nothing of it is applied.
            """
        )
        .tried("expected too low, too high and right") { context in
            try await context.withNewStore { store in
                for number in 0..<4 {
                    let before = try await contents(of: store)
                    var changes = Plain.window(number, tabs: 0..<2).changes
                    let wrong = [UInt64(number) &- 1, UInt64(number) + 1, .max]
                    for expected in wrong {
                        changes.expectedSequence = expected
                        try await requireError(.conflict, from: "a wrong expected number") {
                            _ = try await store.save(changes)
                        }
                        let after = try await contents(of: store)
                        try require(after == before, "the conflicting set changed the store")
                    }
                    changes.expectedSequence = UInt64(number)
                    let receipt = try await store.save(changes)
                    try requireEqual(
                        receipt.sequence, UInt64(number) + 1, "the number of the right set")
                }
            }
        }
        .catches(
            "ignores-the-expected-number",
            says: "a wrong expected number: expected .conflict, no error was thrown"
        ) { $0.saving { $0.expectedSequence = nil } }
        SuiteEntry(
            "SAVE-19", .must,
            """
            A set with the commit id of one that was applied is not applied: the receipt has the \
            first one's number and says so.
            """
        )
        .tried("the last 64 commit ids") { context in
            try await context.withNewStore { store in
                try await saveCommits(store)
                try await repeatCommits(store)
            }
        }
        .catches("ignores-commit-ids", says: "is not known") { $0.saving { $0.commitID = nil } }
        .catches("applies-known-commits", says: "after repeated commits") {
            $0.on(SaveRequest.self) { save, store in
                let receipt = try await save.perform(on: store)
                if receipt.wasAlreadyApplied {
                    let again = SessionChanges(all: save.changes.changes)
                    _ = try await store.save(again, durability: save.durability)
                }
                return receipt
            }
        }
        SuiteEntry(
            "SAVE-20", .must,
            "The last 64 commit ids of a partition are known when the store is opened again.",
            needs: [.reopening]
        )
        .tried("64 commit ids and a reopening") { context in
            try await context.reopening(saveCommits, then: repeatCommits)
        }
        .catches("forgets-commit-ids-when-closed", says: "commit id 64 is not known") {
            let known = FaultMemory<Set<CommitID>>([])
            return $0.saving { changes in
                guard let id = changes.commitID, known.use({ $0.insert(id).inserted }) else {
                    return
                }
                changes.commitID = nil
            }
        }
    }

    private static func commit(_ number: Int, title: String) -> SessionChanges {
        var changes = Plain.window(1, tabs: 0..<1, title: title).changes
        changes.commitID = CommitID(high: 0xC0, low: UInt64(number))
        changes.expectedSequence = UInt64(number - 1)
        return changes
    }

    private static func saveCommits(_ store: any SessionStorage) async throws {
        for number in 1...64 {
            let receipt = try await store.save(
                commit(number, title: "\(number)"), durability: .memory)
            try require(!receipt.wasAlreadyApplied, "a new commit id was taken for a known one")
        }
    }

    private static func repeatCommits(_ store: any SessionStorage) async throws {
        for number in [64, 1, 33] {
            let receipt = try await requireSuccess("commit id \(number) is not known") {
                try await store.save(commit(number, title: "again"))
            }
            try require(receipt.wasAlreadyApplied, "commit id \(number) is not known")
            try requireEqual(receipt.sequence, UInt64(number), "the number of commit \(number)")
        }
        try await Plain.window(1, tabs: 0..<1, title: "64").check(
            in: store, "after repeated commits")
    }
}
