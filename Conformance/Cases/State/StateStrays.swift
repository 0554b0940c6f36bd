import BrowserSessions

/// The state of tabs that are not where it is put.
extension ConformanceSuite {
    private struct Stray {
        var name: String
        var key: TabStateKey
        /// The other changes of the set, all legal.
        var others: [SessionChanges.Change]
    }

    @Sendable static func refusesStrayStates(_ context: CaseContext) async throws {
        try await context.withNewStore { store in
            let windows = [
                Plain.window(1, tabs: 0..<2), Plain.window(2, tabs: 20..<22),
                Plain.window(1, tabs: 10..<12, kind: .incognito),
            ]
            for window in windows { _ = try await store.save(window.changes) }
            _ = try await store.save(
                SessionChanges(.remove(Plain.tab(1).id, from: Plain.session(1))))
            let before = try await restored(windows, from: store)
            for stray in strays {
                let set = SessionChanges(all: stray.others + [.putState([1, 2], for: stray.key)])
                let error = try await requireError(.invalidChanges, from: stray.name) {
                    _ = try await store.save(set)
                }
                try requireEqual(error.effect, .notApplied, "the effect of \(stray.name)")
                try requireEqual(
                    try await restored(windows, from: store), before,
                    "the sessions after \(stray.name)")
                try requireOnly(
                    [:], try await store.states(of: [stray.key]), "after \(stray.name)")
            }
            // With the tab, or after it, the state is not stray.
            _ = try await store.save(
                SessionChanges(
                    .putState([1], for: Plain.key(90)),
                    .put(Plain.tab(90), in: Plain.session(1))))
            _ = try await store.save(SessionChanges(.putState([2], for: Plain.key(0))))
            try await requireStates(
                [Plain.key(90): [1], Plain.key(0): [2]], in: store, "states of tabs that are there")
        }
    }

    private static var strays: [Stray] {
        let put = SessionChanges.Change.put(Plain.tab(50), in: Plain.session(1))
        let putPrivate = SessionChanges.Change.put(
            Plain.tab(51), in: Plain.session(1, .incognito))
        return [
            Stray(name: "state of a tab that is nowhere", key: Plain.key(90), others: [put]),
            Stray(name: "state of a private tab", key: Plain.key(10), others: [put]),
            Stray(
                name: "private state of a tab that is not", key: Plain.key(0, .native, .incognito),
                others: [putPrivate]),
            Stray(name: "state of a tab removed before", key: Plain.key(1), others: [put]),
            Stray(
                name: "state of a tab in a session that the set removes", key: Plain.key(20),
                others: [.remove(Plain.session(2))]),
        ]
    }

    private static func restored(_ windows: [ExpectedSession], from store: any SessionStorage)
        async throws -> [RestoredSession?]
    {
        var found: [RestoredSession?] = []
        for window in windows { found.append(try await store.restore(window.id)) }
        return found
    }
}

extension SessionStorage {
    /// Reports a set as applied although it omits stray states.
    ///
    /// - Parameter onOtherPartitions: whether it omits only states of tabs in other partitions;
    ///   others are refused.
    func takingStrayStates(onOtherPartitions: Bool) -> AlteredStorage {
        refused { save, store, _ in
            let known = Set(try await store.restore(store.sessions()).flatMap(\.tabs).map(\.id))
            let kept = save.changes.changes.filter {
                guard case .putState(_, let key) = $0 else { return true }
                return onOtherPartitions && !known.contains(key.tab)
            }
            return try await store.save(save.changes.replacing(kept), durability: save.durability)
        }
    }
}
