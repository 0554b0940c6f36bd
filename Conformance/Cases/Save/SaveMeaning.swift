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
                        .put(Plain.tab(0), in: Plain.session(2)),
                        .remove(Plain.tab(1).id, from: Plain.session(1)),
                        .put(Plain.tab(2, title: "New"), in: Plain.session(1)),
                        .put(Plain.tab(7), in: Plain.session(1)))
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
            .catches("repeats-a-repeated-set", says: "changed it") {
                let last = FaultMemory<SessionChanges?>(nil)
                return $0.saving { changes in
                    guard last.set(changes) == changes else { return }
                    changes = changes.replacing(
                        changes.changes.map {
                            guard case .put(.tab(var tab, let session)) = $0 else { return $0 }
                            tab.navigationItemCount += 1
                            return .put(tab, in: session)
                        })
                }
            }
        SuiteEntry("SAVE-6", .must, "The order in which changes are added to a set means nothing.")
            .tried("one set in six orders", timeLimit: .seconds(180)) { context in
                var generator = context.generator
                var changes: [SessionChanges.Change] = [
                    .put(Plain.tab(1), in: Plain.session(2)),
                    .put(Plain.tab(2), in: Plain.session(3)),
                    .putState([22], for: Plain.key(2)),
                    .put(.session(Plain.session(2), SessionAttributes(title: "Two"))),
                    .remove(Plain.tab(10).id, from: Plain.session(2)),
                    .remove(Plain.session(1)),
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
            .catches("applies-changes-in-turn", says: "gave another result") {
                $0.on(SaveRequest.self) { save, store in
                    for change in save.changes.changes {
                        do throws(StorageError) {
                            _ = try await store.save(
                                SessionChanges(change), durability: save.durability)
                        } catch {
                            // State that comes before its tab.
                            guard error.code == .invalidChanges else { throw error }
                        }
                    }
                    return try await store.save(SessionChanges(), durability: save.durability)
                }
            }
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
                try await bare.saveAndCheck(in: store, "after replacing all records by bare ones")
            }
        }
        .catches(
            "merges-records",
            says: "after replacing all records by bare ones: tab 0 differs in properties"
        ) {
            $0.before(SaveRequest.self) { save, store in
                var merged: [SessionChanges.Change] = []
                for change in save.changes.changes {
                    guard case .put(.tab(var tab, let session)) = change else {
                        merged.append(change)
                        continue
                    }
                    let old = try await store.restore(session)?.tabs.first { [tab] in
                        $0.id == tab.id
                    }
                    tab.properties.merge(old?.properties ?? [:]) { new, _ in new }
                    merged.append(.put(tab, in: session))
                }
                save.changes = save.changes.replacing(merged)
            }
        }
        SuiteEntry("SAVE-8", .must, "A set without changes is accepted and changes nothing.")
            .tried("an empty set at every durability") { context in
                try await context.withNewStore { store in
                    _ = try await store.save(Plain.window(1, tabs: 0..<3).changes)
                    let before = try await contents(of: store, tabs: 0..<3)
                    for level in context.traits.durability.sorted() {
                        let receipt = try await requireSuccess("the empty set was refused") {
                            try await store.save(SessionChanges(), durability: level)
                        }
                        try requireEqual(receipt.sequence, 1, "the number after an empty set")
                    }
                    let after = try await contents(of: store, tabs: 0..<3)
                    try require(after == before, "the empty set changed the store")
                }
            }
            .catches("refuses-empty-sets", says: "the empty set was refused") {
                $0.before(SaveRequest.self) { save, _ in
                    if save.changes.isEmpty {
                        throw StorageError(.invalidChanges, "nothing to save")
                    }
                }
            }
            .catches("counts-empty-sets", says: "the number after an empty set") {
                let count = FaultMemory(0 as UInt64)
                return $0.answering(SaveRequest.self) { receipt in
                    count.set(count.value + 1)
                    receipt.sequence = count.value
                }
            }
    }

    private static func shuffle<Element>(
        _ elements: inout [Element], _ generator: inout some RandomNumberGenerator
    ) {
        for index in elements.indices.dropFirst() {
            elements.swapAt(index, Int(generator.next() % UInt64(index + 1)))
        }
    }
}
