import BrowserSessions

extension ConformanceSuite {
    /// Refused sets.
    @SuiteBuilder static var saveRefusals: [SuiteEntry] {
        SuiteEntry(
            "SAVE-9", .must,
            """
            A set that contradicts itself is refused with `invalidChanges`, and nothing of it \
            is applied.
            """
        )
        .tried("two changes of one record, and changes of what goes") { context in
            try await context.withNewStore { store in
                _ = try await store.save(Plain.window(1, tabs: 0..<3).changes)
                let before = try await contents(of: store, tabs: 0..<9)
                for (name, changes) in contradictions {
                    let set = SessionChanges(all: changes)
                    let error = try await requireError(
                        .invalidChanges, from: "a set in which \(name)"
                    ) { _ = try await store.save(set) }
                    try requireEqual(error.effect, .notApplied, "the effect: \(name)")
                    let after = try await contents(of: store, tabs: 0..<9)
                    try require(after == before, "the refused set changed the store: \(name)")
                }
            }
        }
        .catches("lets-the-last-win", says: "no error was thrown") {
            $0.refused { save, store, error in
                guard let last = save.changes.changes.last else { throw error }
                return try await store.save(SessionChanges(last), durability: save.durability)
            }
        }
        .catches("refuses-too-late", says: "the refused set changed the store") {
            $0.applyingHalfOfRefused()
        }
        SuiteEntry(
            "SAVE-10", .must,
            """
            A set with changes of both partitions is refused with `invalidChanges`, and neither \
            partition changes.
            """
        )
        .tried("a regular and an incognito change") { context in
            let incognito = Plain.session(2, .incognito)
            let mixtures: [[SessionChanges.Change]] = [
                [
                    .put(Plain.tab(5), in: Plain.session(1)),
                    .put(Plain.tab(6), in: incognito),
                ],
                [
                    .put(.session(incognito, SessionAttributes())),
                    .putState([1], for: Plain.key(0)),
                ],
                [.remove(Plain.session(1)), .remove(incognito)],
            ]
            try await context.withNewStore { store in
                _ = try await store.save(Plain.window(1, tabs: 0..<3).changes)
                let before = try await contents(of: store, tabs: 0..<9)
                for mixture in mixtures {
                    try await requireError(.invalidChanges, from: "a set of both partitions") {
                        _ = try await store.save(SessionChanges(all: mixture))
                    }
                    let after = try await contents(of: store, tabs: 0..<9)
                    try require(after == before, "the set of both partitions changed the store")
                }
            }
        }
        .catches("splits-partitions", says: "no error was thrown") {
            $0.refused { save, store, _ in
                for change in save.changes.changes {
                    _ = try await store.save(SessionChanges(change), durability: save.durability)
                }
                return try await store.save(SessionChanges(), durability: save.durability)
            }
        }
        SuiteEntry(
            "SAVE-11", .must, "A set that is refused for any reason changes nothing in any session."
        )
        .tried("one bad change behind many good ones") { context in
            let options: [String: OptionValue] = ["maximumStateBytes": .integer(100)]
            try await context.withNewStore(options: options) { store in
                let windows = (0..<4).map { Plain.window($0, tabs: $0 * 9..<$0 * 9 + 5) }
                let start = SessionChanges(all: windows.flatMap(\.changes.changes))
                _ = try await store.save(start)
                let good = windows.flatMap { window in
                    window.tabs.map {
                        var tab = $0
                        tab.title = "Changed"
                        return SessionChanges.Change.put(tab, in: window.id)
                    }
                }
                for (name, changes) in spoiled(good) {
                    try await requireError(
                        .tooLarge, .invalidChanges, .conflict, from: "a set with \(name)"
                    ) { _ = try await store.save(changes) }
                    for window in windows {
                        try await window.check(in: store, "after refusing \(name)")
                    }
                    try requireEqual(
                        try await store.sessions(), windows.map(\.id).sorted(),
                        "the sessions after refusing \(name)")
                }
            }
        }
        .catches("keeps-half-of-what-it-refuses", says: "after refusing a state over the limit") {
            $0.applyingHalfOfRefused()
        }
    }

    /// Returns good changes, each followed by a reason to refuse the set.
    private static func spoiled(_ good: [SessionChanges.Change]) -> [(String, SessionChanges)] {
        var early = SessionChanges(all: good)
        early.expectedSequence = 99
        let elsewhere = Plain.session(9)
        return [
            (
                "a state over the limit",
                SessionChanges(
                    all: good + [
                        .putState(
                            [UInt8](repeating: 0, count: 101),
                            for: Plain.key(0))
                    ])
            ),
            (
                "a contradiction",
                SessionChanges(
                    all: good + [
                        .put(.session(elsewhere, SessionAttributes())), .remove(elsewhere),
                    ])
            ),
            ("another expected number", early),
        ]
    }

    private static let contradictions: [(String, [SessionChanges.Change])] = {
        let (here, there) = (Plain.session(1), Plain.session(2))
        let tab = Plain.tab(0, title: "Changed")
        let key = Plain.key(0)
        let attributes = SessionAttributes(title: "Changed")
        return [
            (
                "a session is put twice",
                [.put(.session(here, .init())), .put(.session(here, attributes))]
            ),
            ("a session is put and removed", [.put(.session(here, .init())), .remove(here)]),
            ("a session is removed and put", [.remove(here), .put(.session(here, .init()))]),
            ("a tab is put twice", [.put(Plain.tab(0), in: here), .put(tab, in: here)]),
            ("a tab is put into two sessions", [.put(tab, in: here), .put(tab, in: there)]),
            ("a tab is put and removed", [.put(tab, in: here), .remove(tab.id, from: here)]),
            (
                "a tab is put into a session that goes",
                [.put(tab, in: here), .remove(here)]
            ),
            ("a state is put twice", [.putState([1], for: key), .putState([2], for: key)]),
            ("a state is put and removed", [.putState([1], for: key), .removeState(key)]),
            (
                "a state is put for a tab that goes",
                [.remove(tab.id, from: here), .putState([1], for: key)]
            ),
            (
                "a contradiction is behind a good change",
                [
                    .put(Plain.tab(8), in: there), .putState([1], for: key),
                    .removeState(key),
                ]
            ),
        ]
    }()
}
