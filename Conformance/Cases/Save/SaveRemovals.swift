import BrowserSessions

extension ConformanceSuite {
    /// Removing and moving.
    @SuiteBuilder static var saveRemovals: [SuiteEntry] {
        SuiteEntry("SAVE-12", .must, "Removing what is not there is no error and changes nothing.")
            .tried("absent sessions, tabs and states") { context in
                try await context.withNewStore { store in
                    _ = try await store.save(Plain.window(1, tabs: 0..<3).changes)
                    let before = try await contents(of: store, tabs: 0..<9)
                    let absent: [SessionChanges.Change] = [
                        .remove(Plain.session(5)),
                        .remove(Plain.tab(8).id, from: Plain.session(1)),
                        .remove(Plain.tab(8).id, from: Plain.session(5)),
                        .removeState(Plain.key(0)),
                        .removeState(Plain.key(7)),
                    ]
                    for changes in [absent] + absent.map({ [$0] }) {
                        try await requireSuccess("removing what is not there threw") {
                            try await store.save(SessionChanges(all: changes))
                        }
                    }
                    let after = try await contents(of: store, tabs: 0..<9)
                    try require(after == before, "removing what is not there changed the store")
                }
            }
            .catches("cannot-remove-what-is-absent", says: "removing what is not there threw") {
                $0.before(SaveRequest.self) { save, store in
                    for case .remove(.session(let id), _) in save.changes.changes
                    where try await store.restore(id) == nil {
                        throw StorageError(.notFound, "there is no such session")
                    }
                }
            }
        SuiteEntry(
            "SAVE-13", .must,
            "Removing a tab from a session that it is not in leaves it where it is."
        )
        .tried("a removal that came too late") { context in
            try await context.withNewStore { store in
                let window = Plain.window(1, tabs: 0..<3)
                _ = try await store.save(window.changes)
                _ = try await store.save(
                    SessionChanges(.remove(window.tabs[1].id, from: Plain.session(2))))
                try await window.check(in: store, "after a removal from another session")
                let moved = Plain.window(2, tabs: 1..<2)
                var move = moved.changes
                move.remove(window.tabs[1].id, from: window.id)
                _ = try await store.save(move)
                try await moved.check(in: store, "after a move that names both sessions")
            }
        }
        .catches(
            "removes-tabs-wherever-they-are",
            says: "after a removal from another session: the number of tabs"
        ) {
            $0.before(SaveRequest.self) { save, store in
                var found: [SessionChanges.Change] = []
                for change in save.changes.changes {
                    found.append(change)
                    guard case .remove(.tab(let tab), let id) = change else { continue }
                    for other in try await store.sessions() where other != id {
                        found.append(.remove(tab, from: other))
                    }
                }
                save.changes = save.changes.replacing(found)
            }
        }
        SuiteEntry(
            "SAVE-14", .must,
            "Putting a tab into another session of its partition moves it: it is in one at a time."
        )
        .tried("a tab through five sessions") { context in
            try await context.withNewStore { store in
                let windows = (1...5).map { Plain.window($0, tabs: $0 * 10..<$0 * 10 + 2) }
                _ = try await store.save(
                    SessionChanges(all: windows.flatMap(\.changes.changes)))
                for target in windows.indices {
                    _ = try await store.save(
                        SessionChanges(.put(Plain.tab(900), in: windows[target].id)))
                    for (index, window) in windows.enumerated() {
                        var expected = window
                        if index == target { expected.tabs.append(Plain.tab(900)) }
                        try await expected.check(
                            in: store, "session \(index) when the tab is in \(target)")
                    }
                }
            }
        }
        .catches(
            "copies-tabs-that-move", says: "session 0 when the tab is in 1: the number of tabs"
        ) {
            let put = FaultMemory<[SessionID: [TabID: TabMetadata]]>([:])
            return $0.saving {
                for case .put(.tab(let tab, let id)) in $0.changes {
                    put.use { $0[id, default: [:]][tab.id] = tab }
                }
            }.restoring { session in
                let tabs = put.value[session.id] ?? [:]
                session.tabs = tabs.values.sorted { $0.place < $1.place }
            }
        }
        SuiteEntry(
            "SAVE-15", .must,
            """
            Removing a session removes its tabs and their state, but for tabs that the same set \
            puts into another session.
            """
        )
        .tried("one tab is moved out of a session that goes") { context in
            try await context.withNewStore { store in
                var changes = Plain.window(1, tabs: 0..<4).changes
                for number in 0..<4 { changes.put([UInt8(number)], for: Plain.key(number)) }
                _ = try await store.save(changes)
                let kept = Plain.window(2, tabs: 1..<2)
                var removal = kept.changes
                removal.remove(Plain.session(1))
                _ = try await store.save(removal)
                try await kept.check(in: store, "the session that got the tab")
                try requireEqual(
                    try await store.sessions(), [kept.id], "the sessions after the removal")
                let states = try await store.states(of: (0..<4).map { Plain.key($0) })
                try requireOnly([Plain.key(1): [1]], states, "the states after the removal")
            }
        }
        .catches(
            "removes-what-moves-out", says: "the session that got the tab: the number of tabs"
        ) {
            $0.saving { changes in
                let removes = changes.changes.contains {
                    if case .remove(.session, _) = $0 { true } else { false }
                }
                guard removes else { return }
                changes = changes.replacing(
                    changes.changes.filter { if case .put(.tab) = $0 { false } else { true } })
            }
        }
        .catches("keeps-state-of-removed-sessions", says: "the states after the removal") {
            $0.rememberingStates()
        }
    }
}
