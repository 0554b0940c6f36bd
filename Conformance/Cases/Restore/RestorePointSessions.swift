import BrowserSessions

/// RESTORE-19: which sessions a restore point has.
extension ConformanceSuite {
    @SuiteBuilder static var restorePointSessions: [SuiteEntry] {
        SuiteEntry(
            "RESTORE-19", .must,
            """
            The sessions of a restore point are listed in ascending order: those that were there then, \
            also if they were removed since, and no other and no private one. A point that is not there \
            is `notFound`, or `unsupported` if the traits claim none.
            """, needs: [.reopening]
        )
        .tried("sessions that came and went since the opening", sessionsAtPoints)
        .catches("lists-present-sessions-at-points", says: "the sessions at the point") {
            $0.on(SessionsRequest.self) { sessions, store in
                _ = try await sessions.perform(on: store)
                return try await store.sessions()
            }
        }
        .catches("lists-only-what-is-left-at-points", says: "the sessions at the point") {
            $0.on(SessionsRequest.self) { sessions, store in
                let left = Set(try await store.sessions())
                return try await sessions.perform(on: store).filter(left.contains)
            }
        }
        .catches("lists-nothing-at-unknown-points", says: "a point that is not there") {
            $0.refused(SessionsRequest.self, for: [.notFound]) { _, _, _ in [] }
        }
    }

    @Sendable private static func sessionsAtPoints(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let windows = (1...3).map { Plain.window($0, tabs: $0 * 10..<$0 * 10 + 2) }
        try await context.withStore(at: location) { store in
            for window in windows { _ = try await store.save(window.changes) }
        }
        try await context.withStore(at: location) { store in
            let none = SessionVersion.point(RestorePointID(rawValue: .max))
            guard store.traits.keepsRestorePoints else {
                try await requireError(.unsupported, from: "a point that is not there") {
                    _ = try await store.sessions(at: none)
                }
                return
            }
            try await requireError(.notFound, from: "a point that is not there") {
                _ = try await store.sessions(at: none)
            }
            let point = try unwrap(
                try await store.restorePoints().first, "a restore point is kept and none is listed")
            var changes = SessionChanges(.remove(windows[0].id))
            changes.put(windows[1].tabs[0], in: Plain.session(4))
            changes.remove(windows[1].id)
            _ = try await store.save(changes)
            try requireEqual(
                try await store.sessions(at: .point(point.id)), windows.map(\.id).sorted(),
                "the sessions at the point")
            try requireEqual(
                try await store.sessions(at: .current), try await store.sessions(),
                "the sessions that are listed as the present ones")
        }
    }
}
