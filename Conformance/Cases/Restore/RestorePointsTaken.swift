import BrowserSessions

/// RESTORE-20 to RESTORE-22: restore points that are asked for, come before a loss, and stay.
extension ConformanceSuite {
    @SuiteBuilder static var restorePointsTaken: [SuiteEntry] {
        SuiteEntry(
            "RESTORE-20", .must,
            """
            A restore point that was asked for has its name and the state at the call, whatever is saved \
            and however often the store is opened, until it is released; then it is `notFound`, and no \
            other one is. Until then, `restorePointBytes` counts what only it has. Without the claim both \
            calls are `unsupported`.
            """, needs: [.reopening], proves: .takesRestorePoints
        )
        .tried("two names, three openings, one release", namedPoints)
        .tried("what a point takes", bytesOfPoints)
        .catches("forgets-names-of-points", says: "its name") {
            $0.before(TakeRestorePointRequest.self) { take, _ in take.name = "" }
        }
        .catches("takes-no-point", says: "is not kept") {
            $0.on(TakeRestorePointRequest.self) { take, _ in
                RestorePoint(
                    id: RestorePointID(rawValue: 1 << 40), takenAt: .now(), reason: .named,
                    name: take.name, isPinned: take.pinned)
            }
        }
        .catches("takes-points-for-nothing", says: "what a point takes") {
            $0.answering(RestorePointBytesRequest.self) { $0 = .none }
        }
        .catches("counts-points-for-ever", says: "what no points take") {
            $0.answering(RestorePointBytesRequest.self) {
                $0 = RestorePointBytes(all: $0.all + 1, released: $0.released)
            }
        }
        .catches("releases-no-point", says: "that was released") {
            $0.on(ReleaseRestorePointRequest.self) { _, _ in }
        }
        .catches("releases-all-points", says: "is not kept") {
            $0.on(ReleaseRestorePointRequest.self) { _, store in
                for point in try await store.restorePoints() {
                    try await store.releaseRestorePoint(point.id)
                }
            }
        }
        SuiteEntry(
            "RESTORE-21", .must,
            """
            Before a set takes away ten tabs and 30 % of those that are open, the store keeps the state \
            as a restore point with that reason and number, unless the set is intended. Tabs that move \
            between windows are no loss, tabs that are closed are, also those that no point has yet.
            """, needs: [.takesRestorePoints]
        )
        .tried("removed, closed, moved, and removed on purpose", beforeLosses)
        .catches("keeps-nothing-before-a-loss", says: "no point was taken") {
            $0.saving { $0.isIntended = true }
        }
        .catches("keeps-what-was-cleared", says: "closed on purpose") {
            $0.saving { $0.isIntended = false }
        }
        .catches("keeps-what-points-have", says: "removed in a new store") {
            $0.before(SaveRequest.self) { save, store in
                if try await store.restorePoints().isEmpty { save.changes.isIntended = true }
            }
        }
        SuiteEntry(
            "RESTORE-22", .must,
            """
            Of openings in a row, each with a change, at least the last ten restore points are kept, and \
            each shows the state of its opening.
            """, needs: [.reopening, .takesRestorePoints]
        )
        .tried("six openings", openingsInARow)
        .catches("keeps-one-point", says: "restore points after") {
            $0.answering(RestorePointsRequest.self) { $0 = Array($0.prefix(1)) }
        }
    }

    @Sendable private static func namedPoints(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        var points: [RestorePoint] = []
        for (number, name) in ["before the trip", "a workspace \u{1F9ED}"].enumerated() {
            try await context.withStore(at: location) { store in
                _ = try await store.save(Plain.window(1, tabs: 0..<number + 2).changes)
                guard store.traits.takesRestorePoints else {
                    return try await requireUnsupported(store)
                }
                let point = try await store.takeRestorePoint(name: name, pinned: number == 0)
                try requireEqual(point.name, name, "its name")
                points.append(point)
                _ = try await store.save(SessionChanges(.remove(Plain.session(1))))
            }
        }
        guard points.count == 2 else { return }
        for _ in 1...3 {
            try await context.withStore(at: location) { store in
                for (number, point) in points.enumerated() {
                    try await requireKept(point, shows: 0..<number + 2, in: store)
                }
                _ = try await store.save(Plain.window(2, tabs: 50..<52).changes)
            }
        }
        try await context.withStore(at: location) { store in
            try await store.releaseRestorePoint(points[0].id)
            try await store.releaseRestorePoint(points[0].id)
        }
        try await context.withStore(at: location) { store in
            try await requireError(.notFound, from: "a point that was released") {
                _ = try await store.restore(Plain.session(1), at: .point(points[0].id))
            }
            try await requireKept(points[1], shows: 0..<3, in: store)
        }
    }

    @Sendable private static func bytesOfPoints(_ context: CaseContext) async throws {
        try await context.withNewStore { store in
            guard store.traits.takesRestorePoints else { return }
            let tab = Plain.tab(1, title: String(repeating: "long ", count: 200))
            let state = [UInt8](repeating: 7, count: 1000)
            var changes = SessionChanges()
            changes.put(tab, in: Plain.session(1))
            changes.put(state, for: Plain.key(1))
            _ = try await store.save(changes)
            let point = try await store.takeRestorePoint(name: "all", pinned: false)
            _ = try await store.save(SessionChanges(.remove(Plain.session(1))))
            let bytes = try await store.restorePointBytes()
            let least = tab.title.utf8.count + state.count
            for (count, what) in [
                (bytes.all, "what a point takes"),
                (bytes.released[point.id] ?? 0, "what a point takes alone"),
            ] {
                try require(
                    (least...least * 2).contains(count),
                    "\(what) is \(count) bytes, for a record and a state of \(least)")
            }
            for point in try await store.restorePoints() {
                try await store.releaseRestorePoint(point.id)
            }
            try requireEqual(try await store.restorePointBytes(), .none, "what no points take")
        }
    }

    private static func requireKept(
        _ point: RestorePoint, shows tabs: Range<Int>, in store: any SessionStorage
    ) async throws {
        let listed = try await store.restorePoints().first { $0.id == point.id }
        try requireEqual(
            try unwrap(listed, "the point '\(point.name)' is not kept").name, point.name, "its name"
        )
        let found = try unwrap(
            try await store.restore(Plain.session(1), at: .point(point.id)),
            "the session at the point '\(point.name)' is absent")
        try Plain.window(1, tabs: tabs).check(found, "the session at the point '\(point.name)'")
    }

    private static func requireUnsupported(_ store: any SessionStorage) async throws {
        try await requireError(.unsupported, from: "takeRestorePoint") {
            _ = try await store.takeRestorePoint(name: "", pinned: true)
        }
        try await requireError(.unsupported, from: "releaseRestorePoint") {
            try await store.releaseRestorePoint(RestorePointID(rawValue: 1))
        }
    }

    @Sendable private static func beforeLosses(_ context: CaseContext) async throws {
        let (window, more) = (Plain.window(1, tabs: 0..<40), Plain.window(3, tabs: 60..<61))
        let other = SessionID(window: Plain.session(1).window, kind: .recentlyClosed)
        let losses: [(name: String, isLoss: Bool, isIntended: Bool, SessionID?)] = [
            ("moved to another window", false, false, Plain.session(2)),
            ("closed on purpose", false, true, other), ("closed", true, false, other),
            ("removed", true, false, nil), ("removed in a new store", true, false, nil),
        ]
        for (name, isLoss, isIntended, target) in losses {
            try await context.withNewStore { store in
                _ = try await store.save(window.changes)
                let isNew = name.contains("new")
                if !isNew { _ = try await store.takeRestorePoint(name: "all", pinned: false) }
                _ = try await store.save(more.changes)
                var changes = SessionChanges()
                changes.isIntended = isIntended
                for tab in window.tabs.prefix(15) {
                    changes.add(
                        target.map { .put(tab, in: $0) } ?? .remove(tab.id, from: window.id))
                }
                let receipt = try await store.save(changes)
                let found = try await store.restorePoints().first { $0.reason == .beforeLoss }
                try requireEqual(
                    receipt.pointBeforeLoss, found, "the point of the receipt for tabs \(name)")
                guard isLoss else {
                    return try require(
                        found == nil, "a point before a loss was taken when tabs were \(name)")
                }
                let point = try unwrap(found, "no point was taken before tabs were \(name)")
                try requireEqual(point.lostTabCount, 15, "the number of tabs that were \(name)")
                try requireEqual(point.tabCount, 41, "the number of tabs before that")
                for session in [window, more] {
                    let kept = try unwrap(
                        try await store.restore(session.id, at: .point(point.id)),
                        "the session is absent at the point before tabs were \(name)")
                    try session.check(kept, "the session before tabs were \(name)")
                }
            }
        }
    }

    @Sendable private static func openingsInARow(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        for number in 1...6 {
            try await context.withStore(at: location) { store in
                let points = try await store.restorePoints()
                try requireEqual(
                    points.count, number - 1, "the restore points after \(number - 1) changes")
                for (back, point) in points.enumerated() {
                    let found = try unwrap(
                        try await store.restore(Plain.session(1), at: .point(point.id)),
                        "the session is absent at a point")
                    try Plain.window(1, tabs: 0..<number - 1 - back).check(
                        found, "the session \(back + 1) openings ago")
                }
                _ = try await store.save(Plain.window(1, tabs: 0..<number).changes)
            }
        }
    }
}
