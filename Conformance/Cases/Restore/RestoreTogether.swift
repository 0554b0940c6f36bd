import BrowserSessions

/// RESTORE-16: several sessions in one call.
extension ConformanceSuite {
    @SuiteBuilder static var restoreTogether: [SuiteEntry] {
        SuiteEntry(
            "RESTORE-16", .must,
            """
            Several sessions are restored as they were at one moment, in the order of their ids; one that \
            was never saved is left out.
            """
        )
        .tried("readers of two sessions beside a writer", timeLimit: .seconds(180), atOneMoment)
        .tried("any order, absent ones among them", inTheOrderAskedFor)
        .catches("restores-one-by-one", says: "not of one moment") {
            $0.on(RestoreRequest.self) { restore, store in
                var found: [RestoredSession] = []
                for id in restore.ids {
                    found += try await store.restore([id], at: restore.version)
                }
                return found
            }
        }
        .catches("restores-in-its-own-order", says: "the sessions in order") {
            $0.before(RestoreRequest.self) { restore, _ in restore.ids.sort() }
        }
        .catches("restores-all-or-nothing", says: "the sessions in order") {
            $0.on(RestoreRequest.self) { restore, store in
                let found = try await restore.perform(on: store)
                return found.count == restore.ids.count ? found : []
            }
        }
    }

    @Sendable private static func atOneMoment(_ context: CaseContext) async throws {
        try await context.withNewStore { store in
            _ = try await OverlapCount.readers(
                besideSaves: { NumberedSets().changes($0) }, to: store
            ) { newest in
                let found = try await store.restore(NumberedSets.sessions)
                let numbers = found.map(\.attributes.title)
                try require(
                    Set(numbers).count == 1 && numbers.count == 2,
                    "sessions restored together are not of one moment")
                return newest
            }
        }
    }

    @Sendable private static func inTheOrderAskedFor(_ context: CaseContext) async throws {
        try await context.withNewStore { store in
            try requireEqual(try await store.restore([]).count, 0, "the sessions of no ids")
            var changes = SessionChanges()
            for number in 1...6 { changes.put(Plain.tab(number), in: Plain.session(number)) }
            _ = try await store.save(changes)
            let asked = [5, 9, 2, 6, 7, 1].map { Plain.session($0) }
            let found = try await store.restore(asked)
            try requireEqual(
                found.map(\.id), [5, 2, 6, 1].map { Plain.session($0) }, "the sessions in order")
            for session in found {
                try require(
                    try await store.restore(session.id) == session,
                    "a session is another one than when it is restored alone")
            }
        }
    }
}
