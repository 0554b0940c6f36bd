import BrowserSessions

extension ConformanceSuite {
    /// Visibility of entire sets.
    @SuiteBuilder static var saveWholeSets: [SuiteEntry] {
        SuiteEntry(
            "SAVE-1", .must,
            "Every read that begins after a save returned sees what the save changed."
        )
        .tried("twenty sets, read after each") { context in
            try await context.withNewStore { store in
                for number in 1...20 {
                    let window = Plain.window(1, tabs: 0..<5, title: "Revision \(number)")
                    var changes = window.changes
                    changes.put([UInt8(number)], for: Plain.key(0))
                    _ = try await store.save(changes, durability: .memory)
                    try await window.check(in: store, "after set \(number)")
                    try await requireStates(
                        [Plain.key(0): [UInt8(number)]], in: store,
                        "the state after set \(number)")
                    try requireEqual(
                        try await store.sessions(), [window.id],
                        "the sessions after set \(number)")
                }
            }
        }
        .catches(
            "answers-with-the-first-restore", says: "after set 2: the session differs in title"
        ) {
            let answers = FaultMemory<[SessionID: RestoredSession]>([:])
            return $0.restoring { session in
                session = answers.use { [session] in
                    $0[session.id] = $0[session.id] ?? session
                    return $0[session.id] ?? session
                }
            }
        }
        SuiteEntry(
            "SAVE-2", .must,
            "A set is applied as a whole, over any number of sessions, tabs and states."
        )
        .tried("one set for twelve sessions") { context in
            let windows = (0..<12).map { Plain.window($0, tabs: $0 * 10..<$0 * 10 + 4) }
            var changes = SessionChanges(all: windows.flatMap(\.changes.changes))
            let keys = windows.flatMap { $0.tabs.indices.map { $0 } }.indices.map {
                Plain.key($0 / 4 * 10 + $0 % 4)
            }
            for (index, key) in keys.enumerated() { changes.put([UInt8(index)], for: key) }
            try await context.withNewStore { store in
                _ = try await store.save(changes)
                for (index, window) in windows.enumerated() {
                    try await window.check(in: store, "session \(index) of the set")
                }
                let states = try await store.states(of: keys)
                for (index, key) in keys.enumerated() {
                    try require(
                        states[key] == [UInt8(index)], "state \(index) of the set is another")
                }
            }
        }
        .catches(
            "drops-all-but-the-first-session", says: "session 1 of the set: the session is absent"
        ) {
            $0.saving { changes in
                var dropped: Set<TabID> = []
                for case .put(.tab(let tab, let id)) in changes.changes
                where id != Plain.session(0) {
                    dropped.insert(tab.id)
                }
                changes = changes.replacing(
                    changes.changes.filter {
                        switch $0 {
                        case .put(let record): record.session == Plain.session(0)
                        case .putState(_, let key): !dropped.contains(key.tab)
                        default: true
                        }
                    })
            }
        }
        SuiteEntry(
            "SAVE-3", .must, "A set that holds changes of 10,000 tabs is applied as a whole."
        )
        .tried("10,000 tabs with state in one set") { context in
            let places = OrderKey.evenlySpaced(count: 10_000)
            var window = Plain.window(1, tabs: 0..<0)
            window.tabs = places.indices.map { number in
                var tab = Plain.tab(number)
                tab.place = places[number]
                return tab
            }
            var changes = window.changes
            for number in places.indices {
                changes.put([UInt8(number & 0xFF)], for: Plain.key(number))
            }
            try await context.withNewStore { store in
                let receipt = try await store.save(changes)
                try requireEqual(receipt.sequence, 1, "the number of the set")
                try await window.check(in: store, "the large set")
                let states = try await store.states(of: places.indices.map { Plain.key($0) })
                try requireEqual(states.count, 10_000, "the number of states")
            }
        }
        .catches("cuts-large-sets", says: "the large set: the number of tabs") {
            $0.saving { $0 = $0.replacing(Array($0.changes.prefix(4096))) }
        }
        SuiteEntry(
            "SAVE-4", .must, "What a set does is invisible to other tasks until all of it is done."
        )
        .tried("readers beside a writer", timeLimit: .seconds(180), halfSetsAreInvisible)
        .catches("shows-half-a-set", says: "half a set") {
            $0.before(SaveRequest.self) { save, store in
                let all = save.changes.changes
                let first = SessionChanges(all: Array(all[..<(all.count / 2)]))
                _ = try await store.save(first, durability: save.durability)
                save.changes = save.changes.replacing(Array(all[(all.count / 2)...]))
            }
        }
    }

    /// Two sessions and the state of their tabs have one revision. A reader that sees the first
    /// session at a revision must see the second at that one or a later one.
    @Sendable private static func halfSetsAreInvisible(_ context: CaseContext) async throws {
        let keys = (0..<8).map { Plain.key($0) }
        try await context.withNewStore { store in
            let count = try await OverlapCount.readers(
                besideSaves: { revision($0, keys) }, to: store
            ) { try await readRevision(store, keys, $0) }
            guard count >= 30 else {
                throw HarnessFault("only \(count) reads overlapped a save")
            }
            context.note("\(count) reads overlapped a save")
        }
    }

    private static func revision(_ number: Int, _ keys: [TabStateKey]) -> SessionChanges {
        let windows = [
            Plain.window(1, tabs: 0..<4, title: "\(number)"),
            Plain.window(2, tabs: 4..<8, title: "\(number)"),
        ]
        var changes = SessionChanges(all: windows.flatMap(\.changes.changes))
        for key in keys { changes.put(Array("\(number)".utf8), for: key) }
        return changes
    }

    /// Returns the revision that it read last, which is not below that of the read before.
    private static func readRevision(
        _ store: any SessionStorage, _ keys: [TabStateKey], _ newest: Int
    ) async throws -> Int {
        var seen = [newest]
        for number in 1...2 {
            let session = try unwrap(
                try await store.restore(Plain.session(number)), "half a set: a session is absent")
            let titles = Set([session.attributes.title] + session.tabs.map(\.title))
            try require(
                titles.count == 1 && session.tabs.count == 4,
                "half a set was visible within a session")
            seen.append(titles.first.flatMap { Int($0) } ?? 0)
        }
        let states = Set(
            try await store.states(of: keys).values.map { String(decoding: $0, as: UTF8.self) })
        try requireEqual(states.count, 1, "half a set: the number of revisions in one read")
        let last = states.first.flatMap { Int($0) } ?? 0
        try require(
            (seen + [last]) == (seen + [last]).sorted(),
            "half a set was visible: revisions \(seen), \(last) in turn")
        return last
    }
}
