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
        #if FaultyBackends
            .catches(
                FaultyBackend("restores-one-by-one", says: "not of one moment") { base in
                    RestoresOneByOne(base: base)
                },
                FaultyBackend("restores-in-its-own-order", says: "the sessions in order") { base in
                    RestoresSorted(base: base)
                },
                FaultyBackend("restores-all-or-nothing", says: "the sessions in order") { base in
                    RestoresAllOrNothing(base: base)
                })
        #endif
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

#if FaultyBackends
    /// Reads each session separately, in turn.
    private struct RestoresOneByOne: StorageDecorator {
        let base: any SessionStorage

        func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
            -> [RestoredSession]
        {
            var found: [RestoredSession] = []
            for id in ids { found += try await base.restore([id], at: version) }
            return found
        }
    }

    private struct RestoresSorted: StorageDecorator {
        let base: any SessionStorage

        func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
            -> [RestoredSession]
        {
            try await base.restore(ids.sorted(), at: version)
        }
    }

    /// Returns nothing if one session is absent.
    private struct RestoresAllOrNothing: StorageDecorator {
        let base: any SessionStorage

        func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
            -> [RestoredSession]
        {
            let found = try await base.restore(ids, at: version)
            return found.count == ids.count ? found : []
        }
    }
#endif
