import BrowserSessions

/// One window with and without structure, for the cost of it in one run. Both are in stores that
/// were made, closed and opened in the same way, so that the older versions of no record are
/// beside them.
enum ForestRows {
    static let all = [
        Workload(
            name: "restore-list", floor: .decode, isSaving: false, use: .unlessQuick,
            summary: "The tabs of a window are read, none of them in a group."
        ) { scene, _ in
            try await restoring(scene, Contestant.other) { $0.flatten() }
        },
        Workload(
            name: "restore-forest", floor: .list, isSaving: false, use: .unlessQuick,
            summary: "The same tabs are read in a forest of depth 5 with up to 500 groups."
        ) { scene, _ in
            var forest = try await restoring(scene, Contestant.extra) { $0.nest() }
            let list = try await restoring(scene, Contestant.other) { $0.flatten() }
            let (prepare, finish) = (forest.prepare, forest.finish)
            forest.prepare = {
                try await prepare()
                try await list.prepare()
            }
            forest.performFloor = list.perform
            forest.finish = {
                try await finish()
                try await list.finish()
            }
            return forest
        },
    ]

    private static func restoring(
        _ scene: Scene, _ suffix: String, _ change: (inout SceneWindow) -> Void
    ) async throws -> Operation {
        let extra = try await ExtraStore(scene, at: suffix, [scene.window.changed(change)])
        try await extra.reopen()
        var operation = Operation.restoring(extra.windows[0], in: try extra.store)
        operation.finish = { try await extra.remove() }
        return operation
    }
}
