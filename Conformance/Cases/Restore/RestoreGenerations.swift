import BrowserSessions

extension ConformanceSuite {
    /// Earlier states of sessions.
    @SuiteBuilder static var restoreGenerations: [SuiteEntry] {
        SuiteEntry(
            "RESTORE-13", .must,
            """
            The previous generation of a regular session is the session as it was at an earlier \
            opening, with the state of its tabs, whatever was saved since.
            """, needs: [.reopening, .previousGeneration], proves: .previousGeneration
        )
        .tried("changed, emptied and removed since the opening") { context in
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
                    let found = try unwrap(
                        try await store.restore(window.id, generation: .previous),
                        "the previous generation of session \(index) is absent")
                    try requireEqual(
                        found.provenance, .previousGeneration,
                        "the provenance of session \(index)")
                    try window.check(found, "the previous generation of session \(index)")
                }
                let kept = earlier[1].tabs.map {
                    (
                        TabStateKey(tab: $0.id, name: .native, partition: .regular),
                        Array($0.title.utf8)
                    )
                }
                try await requireStates(
                    Dictionary(uniqueKeysWithValues: kept), in: store,
                    "the state of tabs that only the previous generation has")
            }
        }
        .tried("all its tabs moved away before the opening", emptiedByMoves)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "calls-the-current-one-previous", says: "the previous generation of session 0"
                ) { base in
                    AlteredStorage(
                        base: base,
                        onRestore: { base, id, generation throws(StorageError) in
                            var session = try await base.restore(id, generation: .current)
                            if generation == .previous { session?.provenance = .previousGeneration }
                            return session
                        })
                },
                FaultyBackend(
                    "forgets-the-generation-of-removed-sessions",
                    says: "the previous generation of session 2 is absent"
                ) { base in
                    AlteredStorage(
                        base: base,
                        onRestore: { base, id, generation throws(StorageError) in
                            guard try await base.restore(id, generation: .current) != nil else {
                                return nil
                            }
                            return try await base.restore(id, generation: generation)
                        })
                })
        #endif
        SuiteEntry(
            "RESTORE-14", .must,
            """
            Asking for the previous generation of a regular session throws `unsupported` if, \
            and only if, the traits do not claim to keep one.
            """
        )
        .tried("a session that was just saved") { context in
            try await context.withNewStore { store in
                let window = Plain.window(1, tabs: 0..<2)
                _ = try await store.save(window.changes)
                guard store.traits.keepsPreviousGeneration else {
                    try await requireError(.unsupported, from: "the previous generation") {
                        _ = try await store.restore(window.id, generation: .previous)
                    }
                    return
                }
                do throws(StorageError) {
                    _ = try await store.restore(window.id, generation: .previous)
                } catch {
                    throw Violation("the previous generation is claimed and threw: \(error)")
                }
            }
        }
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "keeps-a-generation-it-does-not-claim",
                    says: "expected .unsupported, no error was thrown"
                ) { base in
                    AlteredStorage(
                        base: base,
                        onTraits: {
                            var traits = $0
                            traits.keepsPreviousGeneration = false
                            return traits
                        })
                },
                FaultyBackend(
                    "claims-a-generation-it-does-not-keep",
                    says: "the previous generation is claimed and threw"
                ) { base in
                    AlteredStorage(
                        base: base,
                        onRestore: { base, id, generation throws(StorageError) in
                            guard generation == .current else {
                                throw StorageError(.unsupported, "no generation is kept")
                            }
                            return try await base.restore(id, generation: generation)
                        })
                })
        #endif
    }

    /// A session that gave its tabs to another lost none, and its state at that time is kept.
    @Sendable private static func emptiedByMoves(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let tabs = Plain.window(1, tabs: 0..<2).tabs
        try await context.withStore(at: location) { store in
            _ = try await store.save(
                SessionChanges(all: tabs.map { .putTab($0, in: Plain.session(1)) }))
        }
        let emptied = Plain.window(1, tabs: 0..<0)
        try await context.withStore(at: location) { store in
            var changes = emptied.changes
            for tab in tabs { changes.put(tab, in: Plain.session(2)) }
            _ = try await store.save(changes)
        }
        try await context.withStore(at: location) { store in
            let found = try unwrap(
                try await store.restore(emptied.id, generation: .previous),
                "the previous generation of the emptied session is absent")
            try emptied.check(found, "the previous generation of the emptied session")
        }
    }

    /// One session that is changed, one that is emptied, one that is removed.
    private static let earlier = (1...3).map { Plain.window($0, tabs: $0 * 10..<$0 * 10 + 4) }

    private static func spoilEarlier(_ store: any SessionStorage) async throws {
        var changes = Plain.window(1, tabs: 10..<13, title: "Changed").changes
        changes.remove(earlier[0].tabs[3].id, from: earlier[0].id)
        _ = try await store.save(changes)
        _ = try await store.save(
            SessionChanges(all: earlier[1].tabs.map { .removeTab($0.id, from: earlier[1].id) }))
        _ = try await store.save(SessionChanges(.removeSession(earlier[2].id)))
    }
}
