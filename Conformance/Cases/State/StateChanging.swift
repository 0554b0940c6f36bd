import BrowserSessions

extension ConformanceSuite {
    /// What happens to blobs.
    static let stateChanging: [RequirementCases] = [
        RequirementCases(
            Requirement(.state, 6, .must, "A put replaces the blob, whatever the sizes of both."),
            CaseBody("longer, shorter, empty, longer again") { context in
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
            }),
        RequirementCases(
            Requirement(.state, 7, .must, "Removing a blob removes that one, now and for good."),
            CaseBody("one of two blobs") { context in
                try await context.reopeningIfPossible { store in
                    var changes = Plain.window(1, tabs: 0..<1).changes
                    changes.put([1], for: Plain.key(0))
                    changes.put([2], for: Plain.key(0, .native))
                    _ = try await store.save(changes)
                    _ = try await store.save(SessionChanges(.removeState(Plain.key(0))))
                } check: { store in
                    let found = try await store.state(of: [Plain.key(0), Plain.key(0, .native)])
                    try requireOnly(
                        [Plain.key(0, .native): [2]], found, "the blobs after removing one")
                }
            }),
        RequirementCases(
            Requirement(
                .state, 8, .must,
                "The state of a tab stays with it when the tab moves to another session."),
            CaseBody("a tab through three sessions") { context in
                try await context.withNewStore { store in
                    var changes = Plain.window(1, tabs: 0..<2).changes
                    let blobs = [Plain.key(0): [1], Plain.key(0, .native): [2, 3] as [UInt8]]
                    for (key, bytes) in blobs { changes.put(bytes, for: key) }
                    _ = try await store.save(changes)
                    for target in [2, 3, 1] {
                        let session = Plain.session(target)
                        _ = try await store.save(
                            SessionChanges(.putTab(Plain.tab(0), in: session)))
                        try await requireStates(blobs, in: store, "after move to \(target)")
                        for number in 1...3 {
                            let keys = try await store.stateKeys(in: Plain.session(number))
                            try requireEqual(
                                keys.count, number == target ? 2 : 0,
                                "the keys of session \(number) after the move to \(target)")
                        }
                    }
                }
            }),
        RequirementCases(
            Requirement(
                .state, 9, .must,
                """
                The state of a tab that was saved since the store was opened is removed with the \
                tab; a new tab with its id has none.
                """),
            CaseBody("one tab of two, removed and put again") { context in
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
                        SessionChanges(.removeTab(Plain.tab(0).id, from: Plain.session(1))))
                    var found = try await store.state(of: all)
                    try requireOnly(rest, found, "the blobs after removing a tab")
                    _ = try await store.save(Plain.window(1, tabs: 0..<2).changes)
                    found = try await store.state(of: all)
                    try requireOnly(rest, found, "the blobs after putting the tab again")
                }
            }),
        RequirementCases(
            Requirement(
                .state, 10, .must,
                "Putting a tab that exists, or its session, does not touch the tab's state."),
            CaseBody("metadata put ten times") { context in
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
            }),
        RequirementCases(
            Requirement(
                .state, 14, .must,
                """
                State that is saved before its tab is kept at least until the store is closed, and \
                for as long as the tab if that came.
                """),
            CaseBody("state, then its tab") { context in
                let blobs = [Plain.key(0): [1], Plain.key(0, .native): [2, 3] as [UInt8]]
                try await context.reopeningIfPossible { store in
                    let early = blobs.map { SessionChanges.Change.putState($1, for: $0) }
                    _ = try await store.save(SessionChanges(all: early))
                    try await requireStates(blobs, in: store, "state without a tab")
                    try requireEqual(
                        try await store.sessions(), [], "the sessions of state without a tab")
                    _ = try await store.save(Plain.window(1, tabs: 0..<1).changes)
                } check: { store in
                    try await requireStates(blobs, in: store, "state that came before its tab")
                    let keys = try await store.stateKeys(in: Plain.session(1))
                    try requireEqual(keys.count, 2, "the keys of state that came before its tab")
                }
            }),
    ]
}
