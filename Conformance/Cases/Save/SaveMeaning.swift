import BrowserSessions

extension ConformanceSuite {
    /// The meaning of changes: absolute, in no order, and repeatable.
    @SuiteBuilder static var saveMeaning: [SuiteEntry] {
        SuiteEntry("SAVE-5", .must, "Applying a set twice has the effect of applying it once.")
            .tried("puts, moves and removals again") { context in
                try await context.withNewStore { store in
                    var first = Plain.window(1, tabs: 0..<6).changes
                    for number in 0..<6 { first.put([UInt8(number)], for: Plain.key(number)) }
                    _ = try await store.save(first)
                    var second = SessionChanges(
                        .putTab(Plain.tab(0), in: Plain.session(2)),
                        .removeTab(Plain.tab(1).id, from: Plain.session(1)),
                        .putTab(Plain.tab(2, title: "New"), in: Plain.session(1)),
                        .putTab(Plain.tab(7), in: Plain.session(1)))
                    second.put([99], for: Plain.key(3))
                    second.remove(Plain.key(4))
                    _ = try await store.save(second)
                    let once = try await contents(of: store, tabs: 0..<8)
                    for round in 2...4 {
                        _ = try await store.save(second)
                        let again = try await contents(of: store, tabs: 0..<8)
                        try require(again == once, "applying the set a \(round). time changed it")
                    }
                }
            }
            #if FaultyBackends
                .catches(
                    FaultyBackend("repeats-a-repeated-set", says: "changed it") { base in
                        let last = FaultMemory<SessionChanges?>(nil)
                        return AlteredStorage.changing(base) { changes in
                            let isRepeated = last.use { last in
                                defer { last = changes }
                                return last == changes
                            }
                            guard isRepeated else { return changes }
                            return changes.replacing(
                                changes.changes.map {
                                    guard case .putTab(var tab, let session) = $0 else { return $0 }
                                    tab.navigationItemCount += 1
                                    return .putTab(tab, in: session)
                                })
                        }
                    })
            #endif
        SuiteEntry("SAVE-6", .must, "The order in which changes are added to a set means nothing.")
            .tried("one set in six orders", timeLimit: .seconds(180)) { context in
                var generator = context.generator
                var changes: [SessionChanges.Change] = [
                    .putTab(Plain.tab(1), in: Plain.session(2)),
                    .putTab(Plain.tab(2), in: Plain.session(3)),
                    .putState([22], for: Plain.key(2)),
                    .putSession(Plain.session(2), SessionAttributes(title: "Two")),
                    .removeTab(Plain.tab(10).id, from: Plain.session(2)),
                    .removeSession(Plain.session(1)),
                ]
                var first: StoreContent?
                for round in 1...6 {
                    try await context.withNewStore { store in
                        var start = Plain.window(1, tabs: 0..<4).changes
                        start.put(Plain.tab(10), in: Plain.session(2))
                        for number in 0..<4 { start.put([UInt8(number)], for: Plain.key(number)) }
                        _ = try await store.save(start, durability: .memory)
                        _ = try await store.save(SessionChanges(all: changes), durability: .memory)
                        let found = try await contents(of: store, tabs: 0..<12)
                        try require(
                            first.map { $0 == found } ?? true,
                            "order \(round) of the same changes gave another result")
                        first = found
                    }
                    // Removing the session comes first in the second order, then anywhere.
                    if round == 1 { changes.reverse() } else { shuffle(&changes, &generator) }
                }
            }
            #if FaultyBackends
                .catches(
                    FaultyBackend(
                        "applies-changes-in-turn", says: "gave another result"
                    ) { base in
                        AlteredStorage(
                            base: base,
                            onSave: { base, changes, durability throws(StorageError) in
                                for change in changes.changes {
                                    do throws(StorageError) {
                                        _ = try await base.save(
                                            SessionChanges(change), durability: durability)
                                    } catch {
                                        // State that comes before its tab.
                                        guard error.code == .invalidChanges else { throw error }
                                    }
                                }
                                return try await base.save(SessionChanges(), durability: durability)
                            })
                    })
            #endif
        SuiteEntry(
            "SAVE-7", .must,
            "A put replaces the whole record: what the new one does not hold is gone."
        )
        .tried("full records replaced by empty ones") { context in
            try await context.withNewStore { store in
                let full = FullRecords.session
                _ = try await store.save(full.changes)
                var bare = ExpectedSession(id: full.id)
                bare.tabs = full.tabs.map {
                    TabMetadata(id: $0.id, place: $0.place, group: $0.group)
                }
                bare.nodes = full.nodes.map { StructureNode(id: $0.id, $0.kind, place: $0.place) }
                _ = try await store.save(bare.changes)
                try await bare.check(in: store, "after replacing all records by bare ones")
            }
        }
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "merges-records",
                    says: "after replacing all records by bare ones: tab 0 differs in properties"
                ) { base in
                    AlteredStorage(
                        base: base,
                        onSave: { base, changes, durability throws(StorageError) in
                            var merged: [SessionChanges.Change] = []
                            for change in changes.changes {
                                guard case .putTab(var tab, let session) = change else {
                                    merged.append(change)
                                    continue
                                }
                                let old = try await base.restore(session)?.tabs.first {
                                    $0.id == tab.id
                                }
                                tab.properties.merge(old?.properties ?? [:]) { new, _ in new }
                                merged.append(.putTab(tab, in: session))
                            }
                            return try await base.save(
                                changes.replacing(merged), durability: durability)
                        })
                })
        #endif
        SuiteEntry("SAVE-8", .must, "A set without changes is accepted and changes nothing.")
            .tried("an empty set at every durability") { context in
                try await context.withNewStore { store in
                    _ = try await store.save(Plain.window(1, tabs: 0..<3).changes)
                    let before = try await contents(of: store, tabs: 0..<3)
                    for level in context.traits.durability.sorted() {
                        let receipt: SaveReceipt
                        do {
                            receipt = try await store.save(SessionChanges(), durability: level)
                        } catch {
                            throw Violation("the empty set was refused: \(error)")
                        }
                        try requireEqual(receipt.sequence, 1, "the number after an empty set")
                    }
                    let after = try await contents(of: store, tabs: 0..<3)
                    try require(after == before, "the empty set changed the store")
                }
            }
            #if FaultyBackends
                .catches(
                    FaultyBackend(
                        "refuses-empty-sets", says: "the empty set was refused"
                    ) { base in
                        AlteredStorage(
                            base: base,
                            onSave: { base, changes, durability throws(StorageError) in
                                if changes.isEmpty {
                                    throw StorageError(.invalidChanges, "nothing to save")
                                }
                                return try await base.save(changes, durability: durability)
                            })
                    },
                    FaultyBackend(
                        "counts-empty-sets", says: "the number after an empty set"
                    ) { base in
                        let count = FaultMemory(0 as UInt64)
                        return AlteredStorage(
                            base: base,
                            onSave: { base, changes, durability throws(StorageError) in
                                var receipt = try await base.save(changes, durability: durability)
                                receipt.sequence = count.use {
                                    $0 += 1
                                    return $0
                                }
                                return receipt
                            })
                    })
            #endif
    }

    private static func shuffle<Element>(
        _ elements: inout [Element], _ generator: inout some RandomNumberGenerator
    ) {
        for index in elements.indices.dropFirst() {
            elements.swapAt(index, Int(generator.next() % UInt64(index + 1)))
        }
    }
}
