import BrowserSessions

/// RESTORE-18: the list of restore points.
extension ConformanceSuite {
    @SuiteBuilder static var restorePoints: [SuiteEntry] {
        SuiteEntry(
            "RESTORE-18", .must,
            """
            Each restore point that is kept is listed with the time at which it was taken, the newest \
            first, and comes back by its id; one that is not kept is `notFound`.
            """, needs: [.reopening, .restorePoints]
        )
        .tried("three openings", keptByName)
        #if FaultyBackends
            .catches(
                FaultyBackend("lists-no-point", says: "none is listed") { base in
                    AltersPoints(base: base) { _ in [] }
                },
                FaultyBackend("takes-points-at-no-time", says: "the time") { base in
                    AltersPoints(base: base) { kept in
                        kept.map { RestorePoint(id: $0.id, takenAt: .unknown) }
                    }
                },
                FaultyBackend("lists-what-is-not-kept", says: "is not kept") { base in
                    AltersPoints(base: base) { kept in
                        [RestorePoint(id: RestorePointID(rawValue: 0), takenAt: .now())] + kept
                    }
                },
                FaultyBackend("restores-the-current-one-by-id", says: "the session at the point") {
                    base in
                    RestoresPoint(base: base) { base, ids, version throws(StorageError) in
                        _ = try await base.restore(ids, at: version)
                        return try await base.restore(ids)
                    }
                },
                FaultyBackend("keeps-quiet-about-points", says: "is not kept") { base in
                    RestoresPoint(base: base) { base, ids, version throws(StorageError) in
                        do throws(StorageError) {
                            return try await base.restore(ids, at: version)
                        } catch {
                            if error.code == .notFound { return [] }
                            throw error
                        }
                    }
                })
        #endif
    }

    @Sendable private static func keptByName(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let begin = Timestamp.now()
        var last: RestorePointID?
        for number in 1...3 {
            let before = Plain.window(1, tabs: 0..<number - 1)
            let store = try await context.open(location)
            if number > 1 {
                let kept = try await store.restorePoints()
                let newest = try unwrap(kept.first, "a restore point is kept and none is listed")
                try require(
                    (begin...Timestamp.now()).contains(newest.takenAt),
                    "the time of a restore point is not that of an opening: \(newest.takenAt)")
                try require(
                    last.map { newest.id > $0 } ?? true,
                    "the newest restore point is not the first of those that are listed")
                try await requireKept(before, of: newest.id, in: store)
                last = newest.id
            }
            _ = try await store.save(Plain.window(1, tabs: 0..<number).changes)
            if let last, number > 1 { try await requireKept(before, of: last, in: store) }
            try await requireError(.notFound, from: "a restore point that is not kept") {
                let unknown = RestorePointID(rawValue: .max)
                _ = try await store.restore(Plain.session(1), at: .point(unknown))
            }
            try await store.close()
        }
    }

    private static func requireKept(
        _ window: ExpectedSession, of point: RestorePointID, in store: any SessionStorage
    ) async throws {
        let found = try unwrap(
            try await store.restore(window.id, at: .point(point)),
            "the session at the point is absent")
        try window.check(found, "the session at the point")
    }
}

#if FaultyBackends
    /// Lists restore points that differ from the existing ones.
    private struct AltersPoints: StorageDecorator {
        let base: any SessionStorage
        let alter: @Sendable ([RestorePoint]) -> [RestorePoint]

        func restorePoints() async throws(StorageError) -> [RestorePoint] {
            alter(try await base.restorePoints())
        }
    }

    /// Does something else for a request of a restore point by its id.
    private struct RestoresPoint: StorageDecorator {
        let base: any SessionStorage
        let restored:
            @Sendable (any SessionStorage, [SessionID], SessionVersion)
                async throws(StorageError)
                -> [RestoredSession]

        func restore(_ ids: [SessionID], at version: SessionVersion)
            async throws(StorageError) -> [RestoredSession]
        {
            guard case .point = version else {
                return try await base.restore(ids, at: version)
            }
            return try await restored(base, ids, version)
        }
    }
#endif
