import BrowserSessions

extension ConformanceSuite {
    /// Which blobs are found.
    @SuiteBuilder static var stateReading: [SuiteEntry] {
        SuiteEntry(
            "STATE-1", .must,
            "One read of many keys gives each key its own blob, over any number of sessions."
        )
        .tried("200 blobs of 100 tabs in one read") { context in
            try await context.withNewStore { store in
                let (changes, blobs) = manyBlobs()
                _ = try await store.save(changes)
                try await requireStates(blobs, in: store, "all blobs in one read")
                let some = blobs.filter { $0.value[0].isMultiple(of: 3) }
                try await requireStates(some, in: store, "a third of the blobs in one read")
                let one = blobs.filter { $0.key == Plain.key(42) }
                try await requireStates(one, in: store, "one of many blobs")
            }
        }
        .catches("reads-a-hundred-blobs", says: "all blobs in one read") {
            $0.before(StatesRequest.self) { states, _ in
                states.keys = Array(states.keys.prefix(100))
            }
        }
        .catches("answers-every-key-with-one-blob", says: "has other bytes") {
            $0.answering(StatesRequest.self) { states in
                guard let last = states.values.first(where: { $0.count == 1 }) else { return }
                states = states.mapValues { $0.count == 1 ? last : $0 }
            }
        }
        SuiteEntry(
            "STATE-2", .must,
            "A key without a blob is absent from the result; so is every key not asked for."
        )
        .tried("present and absent keys together") { context in
            try await context.withNewStore { store in
                var changes = Plain.window(1, tabs: 0..<3).changes
                changes.put([1], for: Plain.key(0))
                changes.put([2], for: Plain.key(1))
                _ = try await store.save(changes)
                let none = try await store.states(of: [])
                try requireEqual(none.count, 0, "the number of blobs of no key")
                let found = try await store.states(of: [
                    Plain.key(0), Plain.key(0, .native), Plain.key(2), Plain.key(99),
                    Plain.key(0, .navigation, .incognito),
                ])
                try requireOnly(
                    [Plain.key(0): [1]], found, "one blob among keys that have none")
            }
        }
        .catches("answers-absence-with-no-bytes", says: "one blob among keys that have none") {
            $0.on(StatesRequest.self) { states, store in
                let sound = try await states.perform(on: store)
                return Dictionary(states.keys.map { ($0, sound[$0] ?? []) }) { first, _ in first
                }
            }
        }
        SuiteEntry("STATE-3", .must, "A blob without bytes is there: it is not absence.")
            .tried("an empty blob") { context in
                try await context.reopeningIfPossible { store in
                    var changes = Plain.window(1, tabs: 0..<1).changes
                    changes.put([], for: Plain.key(0))
                    _ = try await store.save(changes)
                } check: { store in
                    try requireOnly(
                        [Plain.key(0): []], try await store.states(of: [Plain.key(0)]),
                        "the empty blob")
                    try requireEqual(
                        try await store.stateKeys(in: Plain.session(1)), [Plain.key(0)],
                        "the keys of a session with an empty blob")
                }
            }
            .catches("drops-empty-blobs", says: "the empty blob") {
                $0.savingEach {
                    guard case .putState([], let key) = $0 else { return $0 }
                    return .removeState(key)
                }
            }
        SuiteEntry(
            "STATE-4", .must,
            """
            `stateKeys` lists the blobs of a session's tabs, all of them and no others, by tab \
            and name; for a session that does not exist it lists none.
            """
        )
        .tried("blobs in two sessions") { context in
            try await context.withNewStore { store in
                let (changes, blobs) = manyBlobs()
                _ = try await store.save(changes)
                for number in 1...2 {
                    let tabs = Set((0..<50).map { Plain.tab($0 + (number - 1) * 50).id })
                    let wanted = blobs.keys.filter { tabs.contains($0.tab) }.sorted {
                        ($0.tab, $0.name.rawValue) < ($1.tab, $1.name.rawValue)
                    }
                    try await requireKeys(wanted, of: Plain.session(number), in: store)
                }
                try await requireKeys([], of: Plain.session(3), in: store)
                try await requireKeys([], of: Plain.session(1, .incognito), in: store)
            }
        }
        .tried("keys after removals") { context in
            try await context.withNewStore { store in
                var changes = Plain.window(1, tabs: 0..<3).changes
                for number in 0..<3 { changes.put([1], for: Plain.key(number)) }
                _ = try await store.save(changes)
                _ = try await store.save(
                    SessionChanges(
                        .removeState(Plain.key(0)),
                        .remove(Plain.tab(1).id, from: Plain.session(1))))
                try await requireKeys([Plain.key(2)], of: Plain.session(1), in: store)
                _ = try await store.save(SessionChanges(.remove(Plain.session(1))))
                try await requireKeys([], of: Plain.session(1), in: store)
            }
        }
        .catches("lists-only-navigation", says: "the number of keys") {
            $0.answering(StateKeysRequest.self) { $0.removeAll { $0.name != .navigation } }
        }
        .catches("lists-keys-backwards", says: "in another order") {
            $0.answering(StateKeysRequest.self) { $0.reverse() }
        }
        SuiteEntry(
            "STATE-5", .must,
            "Blobs of different names, tabs and partitions have nothing to do with each other."
        )
        .tried("every name that is easily confused") { context in
            var blobs: [TabStateKey: [UInt8]] = [:]
            try await context.reopeningIfPossible {
                blobs = try await changeOneByOne($0)
            } check: {
                try await requireStates(
                    blobs, in: $0, "blobs with names that are easily confused")
            }
        }
        .catches("cuts-names", says: "easily confused") {
            $0.renamingStates { StateName(rawValue: String($0.rawValue.prefix(63))) ?? $0 }
        }
    }

    /// Names with equal prefixes, adjacent names, and names of the largest length.
    private static let trickyNames: [StateName] = [
        "a", "a.", "a-", "aa", "a.a", "0", "navigation", "navigation.", "navigation-2", "native",
        String(repeating: "z", count: 63), String(repeating: "z", count: 64),
        longName + "a", longName + "b", longName + ".", longName + "-",
    ].compactMap { StateName(rawValue: $0) }

    private static let longName = String(repeating: "n.", count: 31) + "0"

    /// Saves blobs with all names, then changes each; returns those that are there at the end.
    private static func changeOneByOne(_ store: any SessionStorage) async throws
        -> [TabStateKey: [UInt8]]
    {
        var blobs: [TabStateKey: [UInt8]] = [:]
        for (partition, kind) in [
            (StoragePartition.regular, SessionKind.regular), (.incognito, .incognito),
        ] {
            var changes = Plain.window(1, tabs: 0..<3, kind: kind).changes
            for tab in 0..<3 {
                for name in trickyNames {
                    let key = Plain.key(tab, name, partition)
                    blobs[key] = [UInt8(blobs.count), partition == .regular ? 0 : 1]
                    changes.put(blobs[key] ?? [], for: key)
                }
            }
            _ = try await store.save(changes, durability: .memory)
        }
        try await requireStates(blobs, in: store, "blobs with names that are easily confused")
        for (index, name) in trickyNames.enumerated() {
            let key = Plain.key(1, name)
            let change: SessionChanges.Change =
                index.isMultiple(of: 2) ? .removeState(key) : .putState([255], for: key)
            _ = try await store.save(SessionChanges(change), durability: .memory)
            blobs[key] = index.isMultiple(of: 2) ? nil : [255]
            try await requireStates(blobs, in: store, "the others after changing one blob")
        }
        return blobs
    }

    /// Returns two blobs for each of a hundred tabs in two sessions.
    private static func manyBlobs() -> (SessionChanges, [TabStateKey: [UInt8]]) {
        let windows = [Plain.window(1, tabs: 0..<50), Plain.window(2, tabs: 50..<100)]
        var changes = SessionChanges(all: windows.flatMap(\.changes.changes))
        var blobs: [TabStateKey: [UInt8]] = [:]
        for number in 0..<100 {
            blobs[Plain.key(number)] = [UInt8(number)]
            blobs[Plain.key(number, .native)] = [UInt8(number + 100), 1]
        }
        for (key, bytes) in blobs { changes.put(bytes, for: key) }
        return (changes, blobs)
    }

    private static func requireKeys(
        _ expected: [TabStateKey], of session: SessionID, in store: any SessionStorage
    ) async throws {
        let found = try await store.stateKeys(in: session)
        try requireEqual(found.count, expected.count, "the number of keys of a session")
        try require(Set(found) == Set(expected), "the keys of a session are others")
        try require(found == expected, "the keys of a session are in another order")
    }
}
