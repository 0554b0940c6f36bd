import BrowserSessions

extension ConformanceSuite {
    /// Earlier states of sessions.
    @SuiteBuilder static var restoreEarlier: [SuiteEntry] {
        SuiteEntry(
            "RESTORE-13", .must,
            """
            At the restore point of an opening, a regular session is as it was then, with the state of \
            its tabs, whatever was saved since.
            """, needs: [.reopening, .restorePoints], proves: .restorePoints
        )
        .tried("changed, emptied and removed since the opening", changedSince)
        .tried("all its tabs moved away before the opening", emptiedByMoves)
        .catches("calls-the-current-one-earlier", says: "session 0 at the restore point") {
            $0.restoringPresent()
        }
        .catches(
            "forgets-removed-sessions-at-points", says: "session 2 at the restore point is absent"
        ) {
            $0.on(RestoreRequest.self) { restore, store in
                let present = Set(try await store.sessions())
                return try await restore.perform(on: store).filter { present.contains($0.id) }
            }
        }
        .catches("reads-the-present-state-at-points", says: "states at the restore point") {
            $0.on(StatesRequest.self) { states, store in
                _ = try await store.states(of: [], at: states.version)
                return try await store.states(of: states.keys)
            }
        }
        SuiteEntry(
            "RESTORE-14", .must,
            """
            Reading at a restore point throws `unsupported` if, and only if, the traits do not claim to \
            keep them; a point that is not there is `notFound`.
            """
        )
        .tried("a session that was just saved") { context in
            try await context.withNewStore { store in
                let window = Plain.window(1, tabs: 0..<2)
                _ = try await store.save(window.changes)
                let none = SessionVersion.point(RestorePointID(rawValue: 1 << 40))
                let code: StorageError.Code =
                    store.traits.keepsRestorePoints ? .notFound : .unsupported
                try await requireError(code, from: "a session at a point that is not there") {
                    _ = try await store.restore(window.id, at: none)
                }
                try await requireError(code, from: "states at a point that is not there") {
                    _ = try await store.states(of: [Plain.key(0)], at: none)
                }
                try await requireError(code, from: "keys at a point that is not there") {
                    _ = try await store.stateKeys(in: window.id, at: none)
                }
            }
        }
        .catches("keeps-points-it-does-not-claim", says: "expected .unsupported, was") {
            $0.claiming { $0.keepsRestorePoints = false }
        }
        .catches("claims-points-it-does-not-keep", says: "expected .notFound, was") {
            $0.before(RestoreRequest.self) { restore, _ in
                guard restore.version == .current else {
                    throw StorageError(.unsupported, "no restore point is kept")
                }
            }
        }
    }

    @Sendable private static func changedSince(_ context: CaseContext) async throws {
        try await context.reopening { store in
            for window in earlier {
                var changes = window.changes
                for tab in window.tabs {
                    changes.put(
                        Array(tab.title.utf8),
                        for: TabStateKey(tab: tab.id, name: .native, partition: .regular))
                }
                _ = try await store.save(changes)
            }
        } then: { store in
            try await spoilEarlier(store)
            for (index, window) in earlier.enumerated() {
                let subject = "session \(index) at the restore point"
                let found = try unwrap(
                    try await store.restoreEarlier(window.id), "\(subject) is absent")
                try requireEqual(found.provenance, .restorePoint, "the provenance of \(subject)")
                try window.check(found, subject)
            }
            try await requireEarlierStates(store)
        }
    }

    /// The states of all tabs as they were, those replaced, those removed and those of removed tabs.
    private static func requireEarlierStates(_ store: any SessionStorage) async throws {
        let point = try unwrap(
            try await store.restorePoints().first, "there is no restore point")
        for window in earlier {
            let expected = Dictionary(
                uniqueKeysWithValues: window.tabs.map {
                    (
                        TabStateKey(tab: $0.id, name: .native, partition: .regular),
                        Array($0.title.utf8)
                    )
                })
            let keys = expected.keys.sorted { $0.tab < $1.tab }
            let found = try await store.states(of: keys, at: .point(point.id))
            try require(found == expected, "the states at the restore point are others")
            let listed = try await store.stateKeys(in: window.id, at: .point(point.id))
            try require(
                listed == keys, "the keys of states at the restore point are others")
        }
    }

    /// A session that gave its tabs to another lost none, and its state at that time is kept.
    @Sendable private static func emptiedByMoves(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let tabs = Plain.window(1, tabs: 0..<2).tabs
        try await context.withStore(at: location) { store in
            _ = try await store.save(
                SessionChanges(all: tabs.map { .put($0, in: Plain.session(1)) }))
        }
        let emptied = Plain.window(1, tabs: 0..<0)
        try await context.withStore(at: location) { store in
            var changes = emptied.changes
            for tab in tabs { changes.put(tab, in: Plain.session(2)) }
            _ = try await store.save(changes)
        }
        try await context.withStore(at: location) { store in
            let point = try unwrap(
                try await store.restorePoints().first, "there is no restore point")
            let found = try unwrap(
                try await store.restore(emptied.id, at: .point(point.id)),
                "the emptied session is absent at the restore point")
            try emptied.check(found, "the emptied session at the restore point")
        }
    }

    /// One session that is changed, one that is emptied, one that is removed.
    private static let earlier = (1...3).map { Plain.window($0, tabs: $0 * 10..<$0 * 10 + 4) }

    private static func spoilEarlier(_ store: any SessionStorage) async throws {
        var changes = Plain.window(1, tabs: 10..<13, title: "Changed").changes
        for tab in earlier[0].tabs.prefix(2) {
            let key = TabStateKey(tab: tab.id, name: .native, partition: .regular)
            changes.add(
                tab.id == earlier[0].tabs[0].id ? .putState([1], for: key) : .removeState(key))
        }
        changes.remove(earlier[0].tabs[3].id, from: earlier[0].id)
        _ = try await store.save(changes)
        _ = try await store.save(
            SessionChanges(all: earlier[1].tabs.map { .remove($0.id, from: earlier[1].id) }))
        _ = try await store.save(SessionChanges(.remove(earlier[2].id)))
    }
}

extension SessionStorage {
    /// Restores what is there now, whatever the version.
    func restoringPresent() -> AlteredStorage {
        on(RestoreRequest.self) { restore, store in
            var found = try await store.restore(restore.ids)
            guard restore.version != .current else { return found }
            for index in found.indices { found[index].provenance = .restorePoint }
            return found
        }
    }
}
