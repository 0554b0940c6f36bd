import BrowserSessions
import SessionSamples

extension ConformanceSuite {
    /// Presence and absence.
    @SuiteBuilder static var restorePresence: [SuiteEntry] {
        SuiteEntry(
            "RESTORE-8", .must,
            """
            A session that was never saved, or was removed, is `nil`; one without tabs is not.
            """
        )
        .tried("never saved, removed, empty, saved again") { context in
            try await context.withNewStore { store in
                try await requireAbsent(Plain.session(1), in: store, "in a new store")
                let empty = Plain.window(1, tabs: 0..<0)
                try await empty.saveAndCheck(in: store, "a session without tabs")
                try await requireAbsent(Plain.session(2), in: store, "never saved")
                try await requireAbsent(
                    Plain.session(1, .recentlyClosed), in: store, "of another kind")
                _ = try await store.save(SessionChanges(.remove(empty.id)))
                try await requireAbsent(empty.id, in: store, "removed")
                let again = Plain.window(1, tabs: 3..<5)
                try await again.saveAndCheck(in: store, "a session saved again after its removal")
            }
        }
        .catches(
            "answers-absence-with-an-empty-session", says: "in a new store: the session is there"
        ) {
            $0.on(RestoreRequest.self) { restore, store in
                let found = try await restore.perform(on: store)
                return restore.ids.map { id in
                    found.first { $0.id == id }
                        ?? RestoredSession(id: id, attributes: SessionAttributes(), tabs: [])
                }
            }
        }
        .catches(
            "takes-empty-sessions-for-absent", says: "a session without tabs: the session is absent"
        ) {
            $0.answering(RestoreRequest.self) { $0.removeAll(where: \.tabs.isEmpty) }
        }
        SuiteEntry(
            "RESTORE-9", .must,
            "A session that was removed is still gone when the store is opened again.",
            needs: [.reopening]
        )
        .tried("removed, and opened three times") { context in
            let location = try await context.makeLocation()
            let kept = Plain.window(2, tabs: 5..<7)
            try await context.withStore(at: location) { store in
                _ = try await store.save(Plain.window(1, tabs: 0..<3).changes)
                _ = try await store.save(kept.changes)
            }
            try await context.withStore(at: location) {
                _ = try await $0.save(SessionChanges(.remove(Plain.session(1))))
            }
            for opening in 3...5 {
                try await context.withStore(at: location) { store in
                    try await requireAbsent(
                        Plain.session(1), in: store, "at opening \(opening)")
                    try await kept.check(in: store, "the other one at opening \(opening)")
                }
            }
        }
        .catches("revives-removed-sessions", says: "at opening 3: the session is there") {
            let removed = FaultMemory<Set<SessionID>>([])
            return $0.savingEach {
                guard case .remove(.session(let id), _) = $0 else { return $0 }
                removed.use { _ = $0.insert(id) }
                return nil
            }.answering(RestoreRequest.self) { $0.removeAll { removed.value.contains($0.id) } }
        }
        SuiteEntry(
            "RESTORE-10", .must,
            """
            A store that nothing happened to restores with provenance `intact`, without losses \
            and without repairs, and a check finds nothing.
            """
        )
        .tried("an ordinary life of edits") { context in
            var sampler = context.sampler
            var windows = sampler.windows(2, tabs: 20, state: .navigationOnly)
            try await context.reopeningIfPossible { store in
                for window in windows {
                    _ = try await store.save(
                        SessionChanges(saving: window), durability: .memory)
                }
                for _ in 0..<60 {
                    let edit = sampler.randomEdit(of: windows)
                    _ = try await store.save(edit.changes, durability: .memory)
                    windows = edit.expected
                }
            } check: { store in
                for window in windows {
                    let expected = ExpectedSession(
                        id: window.id, attributes: window.attributes,
                        tabs: window.tabs.map(\.metadata), nodes: window.nodes)
                    try await expected.check(in: store, "after ordinary edits")
                }
                let report = try await store.check()
                try requireEqual(report.losses.count, 0, "the losses that a check finds")
            }
        }
        .catches("calls-everything-salvaged", says: "the provenance") {
            $0.restoring { $0.provenance = .salvaged }
        }
        .catches("reports-repairs", says: "the repairs") {
            $0.restoring {
                $0.repairs.append(SessionRepair(.openerRemoved, tab: $0.tabs.first?.id))
            }
        }
        SuiteEntry(
            "RESTORE-11", .must,
            "`sessions` lists every session of both partitions, ascending; a new store has none."
        )
        .tried("windows of every kind, saved in any order") { context in
            try await context.withNewStore { store in
                try requireEqual(try await store.sessions(), [], "the sessions of a new store")
                let kinds: [SessionKind] = [
                    .setAside, .regular, .incognito, .inactive, .recentlyClosed,
                ]
                let numbers = [7, 1, 9, 3, 300, 256, 255, 2]
                var saved: [SessionID] = []
                for number in numbers {
                    for kind in kinds {
                        let id = Plain.session(number, kind)
                        saved.append(id)
                        // Some have only attributes, some only tabs.
                        let hasTabs = saved.count.isMultiple(of: 3)
                        let change: SessionChanges.Change =
                            hasTabs
                            ? .put(Plain.tab(saved.count), in: id)
                            : .put(.session(id, SessionAttributes()))
                        _ = try await store.save(SessionChanges(change), durability: .memory)
                    }
                }
                let found = try await store.sessions()
                try requireEqual(Set(found).count, saved.count, "the number of sessions")
                try require(Set(found) == Set(saved), "the sessions are others")
                try require(found == saved.sorted(), "the sessions are not ascending")
            }
        }
        .catches("lists-sessions-backwards", says: "are not ascending") {
            $0.answering(SessionsRequest.self) { $0.reverse() }
        }
        .catches("lists-the-regular-partition", says: "the number of sessions") {
            $0.answering(SessionsRequest.self) { $0.removeAll { $0.partition != .regular } }
        }
    }

    private static func requireAbsent(
        _ id: SessionID, in store: any SessionStorage, _ subject: String
    ) async throws {
        let found = try await store.restore(id)
        try require(found == nil, "\(subject): the session is there")
        let isListed = try await store.sessions().contains(id)
        try require(!isListed, "\(subject): the session is listed")
    }
}
