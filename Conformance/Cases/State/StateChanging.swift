import BrowserSessions

extension ConformanceSuite {
    /// What happens to blobs.
    @SuiteBuilder static var stateChanging: [SuiteEntry] {
        SuiteEntry("STATE-6", .must, "A put replaces the blob, whatever the sizes of both.")
            .tried("longer, shorter, empty, longer again") { context in
                try await context.withNewStore { store in
                    _ = try await store.save(Plain.window(1, tabs: 0..<1).changes)
                    for (round, size) in [10, 5000, 3, 0, 70_000, 1].enumerated() {
                        let bytes = [UInt8](repeating: UInt8(round), count: size)
                        _ = try await store.save(
                            SessionChanges(.putState(bytes, for: Plain.key(0))))
                        try await requireStates(
                            [Plain.key(0): bytes], in: store, "the blob after put \(round)")
                    }
                }
            }
            .catches("keeps-the-end-of-a-longer-blob", says: "the blob after put 2") {
                $0.before(SaveRequest.self) { save, store in
                    var merged: [SessionChanges.Change] = []
                    for change in save.changes.changes {
                        guard case .putState(let bytes, let key) = change else {
                            merged.append(change)
                            continue
                        }
                        let old = try await store.state(of: key) ?? []
                        merged.append(.putState(bytes + old.dropFirst(bytes.count), for: key))
                    }
                    save.changes = save.changes.replacing(merged)
                }
            }
        SuiteEntry("STATE-7", .must, "Removing a blob removes that one, now and for good.")
            .tried("one of two blobs") { context in
                try await context.reopeningIfPossible { store in
                    var changes = Plain.window(1, tabs: 0..<1).changes
                    changes.put([1], for: Plain.key(0))
                    changes.put([2], for: Plain.key(0, .native))
                    _ = try await store.save(changes)
                    _ = try await store.save(SessionChanges(.removeState(Plain.key(0))))
                } check: { store in
                    let found = try await store.states(of: [Plain.key(0), Plain.key(0, .native)])
                    try requireOnly(
                        [Plain.key(0, .native): [2]], found, "the blobs after removing one")
                }
            }
            .catches("never-removes-blobs", says: "after removing one") {
                $0.savingEach { if case .removeState = $0 { nil } else { $0 } }
            }
        SuiteEntry(
            "STATE-8", .must,
            "The state of a tab stays with it when the tab moves to another session."
        )
        .tried("a tab through three sessions") { context in
            try await context.withNewStore { store in
                var changes = Plain.window(1, tabs: 0..<2).changes
                let blobs: [TabStateKey: [UInt8]] = [
                    Plain.key(0): [1], Plain.key(0, .native): [2, 3],
                ]
                for (key, bytes) in blobs { changes.put(bytes, for: key) }
                _ = try await store.save(changes)
                for target in [2, 3, 1] {
                    let session = Plain.session(target)
                    _ = try await store.save(
                        SessionChanges(.put(Plain.tab(0), in: session)))
                    try await requireStates(blobs, in: store, "after move to \(target)")
                    for number in 1...3 {
                        let keys = try await store.stateKeys(in: Plain.session(number))
                        try requireEqual(
                            keys.count, number == target ? 2 : 0,
                            "the keys of session \(number) after the move to \(target)")
                    }
                }
            }
        }
        .catches("loses-state-in-moves", says: "after move to 2") {
            $0.before(SaveRequest.self) { save, store in
                for case .put(.tab(let tab, let target)) in save.changes.changes {
                    for id in try await store.sessions() where id != target {
                        for key in try await store.stateKeys(in: id) where key.tab == tab.id {
                            save.changes.remove(key)
                        }
                    }
                }
            }
        }
        SuiteEntry(
            "STATE-9", .must,
            """
            The state of a tab that was saved since the store was opened is removed with the \
            tab; a new tab with its id has none.
            """
        )
        .tried("one tab of two, removed and put again") { context in
            try await context.withNewStore { store in
                var changes = Plain.window(1, tabs: 0..<2).changes
                for number in 0..<2 {
                    changes.put([UInt8(number)], for: Plain.key(number))
                    changes.put([9], for: Plain.key(number, .native))
                }
                _ = try await store.save(changes)
                let all = [0, 1].flatMap { [Plain.key($0), Plain.key($0, .native)] }
                let rest = [Plain.key(1): [1], Plain.key(1, .native): [9] as [UInt8]]
                _ = try await store.save(
                    SessionChanges(.remove(Plain.tab(0).id, from: Plain.session(1))))
                var found = try await store.states(of: all)
                try requireOnly(rest, found, "the blobs after removing a tab")
                _ = try await store.save(Plain.window(1, tabs: 0..<2).changes)
                found = try await store.states(of: all)
                try requireOnly(rest, found, "the blobs after putting the tab again")
            }
        }
        .catches("keeps-state-of-removed-tabs", says: "the blobs after removing a tab") {
            let limbo = Plain.session(666)
            return $0.savingEach {
                guard case .remove(.tab(let tab), _) = $0 else { return $0 }
                return .put(TabMetadata(id: tab, place: .between(nil, and: nil)), in: limbo)
            }
        }
        SuiteEntry(
            "STATE-10", .must,
            "Putting a tab that exists, or its session, does not touch the tab's state."
        )
        .tried("metadata put ten times") { context in
            try await context.withNewStore { store in
                var changes = Plain.window(1, tabs: 0..<3).changes
                for number in 0..<3 { changes.put([UInt8(number)], for: Plain.key(number)) }
                _ = try await store.save(changes)
                for round in 1...10 {
                    let again = Plain.window(1, tabs: 0..<3, title: "Round \(round)")
                    _ = try await store.save(again.changes)
                }
                let blobs = Dictionary(
                    uniqueKeysWithValues: (0..<3).map { (Plain.key($0), [UInt8($0)]) })
                try await requireStates(blobs, in: store, "after ten puts of metadata")
            }
        }
        .catches("drops-state-with-new-metadata", says: "after ten puts of metadata") {
            $0.saving { changes in
                let hasState = changes.changes.contains {
                    if case .putState = $0 { true } else { false }
                }
                for case .put(.tab(let tab, let id)) in changes.changes where !hasState {
                    changes.remove(
                        TabStateKey(tab: tab.id, name: .navigation, partition: id.partition))
                }
            }
        }
        SuiteEntry(
            "STATE-14", .must,
            """
            State that is put for a tab which is not in its partition, nor put there by the same set, is \
            refused with invalidChanges, and nothing of its set is applied.
            """
        )
        .tried(
            "tabs of nowhere, of the other partition, removed before and with it",
            refusesStrayStates
        )
        .catches("takes-state-of-any-tab", says: "no error was thrown") {
            $0.takingStrayStates(onOtherPartitions: false)
        }
        .catches("takes-state-on-any-partition", says: "no error was thrown") {
            $0.takingStrayStates(onOtherPartitions: true)
        }
    }
}
