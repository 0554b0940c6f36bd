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
        .catches("lists-no-point", says: "none is listed") {
            $0.answering(RestorePointsRequest.self) { $0 = [] }
        }
        .catches("takes-points-at-no-time", says: "the time") {
            $0.answering(RestorePointsRequest.self) { points in
                points = points.map { RestorePoint(id: $0.id, takenAt: .unknown) }
            }
        }
        .catches("lists-what-is-not-kept", says: "is not kept") {
            $0.answering(RestorePointsRequest.self) {
                $0.insert(RestorePoint(id: RestorePointID(rawValue: 0), takenAt: .now()), at: 0)
            }
        }
        .catches("restores-the-current-one-by-id", says: "the session at the point") {
            $0.on(RestoreRequest.self) { restore, store in
                _ = try await restore.perform(on: store)
                return try await store.restore(restore.ids)
            }
        }
        .catches("keeps-quiet-about-points", says: "is not kept") {
            $0.refused(RestoreRequest.self, for: [.notFound]) { _, _, _ in [] }
        }
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
