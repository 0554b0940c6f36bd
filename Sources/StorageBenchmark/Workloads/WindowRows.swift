import BrowserSessions
import SessionSamples

/// What a browser reads of many windows, which together have as many tabs as the scene's window.
enum WindowRows {
    static let all = [
        Workload(
            name: "restore-ten", floor: .decode, isSaving: false, use: .unlessQuick,
            summary: "Ten windows with all tabs among them are restored in one call."
        ) { scene, job in
            try await restoring(scene, job) { try await scene.store.restore($0) }
        },
        Workload(
            name: "restore-ten-singly", floor: .decode, isSaving: false, use: .unlessQuick,
            summary: "The same windows are restored one after the other."
        ) { scene, job in
            try await restoring(scene, job) { ids in
                var found: [RestoredSession] = []
                for id in ids { found += try await scene.store.restore([id]) }
                return found
            }
        },
        Workload(
            name: "summaries", isSaving: false, use: .unlessQuick,
            summary: "What a menu shows of a hundred windows with all tabs among them."
        ) { scene, job in
            var summaries: [SessionSummary] = []
            return try await reading(scene, job, windows: 100) { _ in
                summaries = try await scene.store.summaries()
            } check: { windows in
                defer { summaries = [] }
                let counts = Dictionary(
                    uniqueKeysWithValues: summaries.map { ($0.id, $0.tabCount) })
                try WrongAnswer.unless(
                    windows.allSatisfy { counts[$0.id] == $0.tabs.count },
                    "a summary has another number of tabs")
            }
        },
    ]

    private static func restoring(
        _ scene: Scene, _ job: Job,
        _ restore: @escaping ([SessionID]) async throws -> [RestoredSession]
    ) async throws -> Operation {
        var restored: [RestoredSession] = []
        return try await reading(scene, job, windows: 10) { ids in
            restored = try await restore(ids)
        } check: { windows in
            // Releasing it is no part of the next time.
            defer { restored = [] }
            try WrongAnswer.unless(restored.count == windows.count, "a window is missing")
            for (window, found) in zip(windows, restored) { try window.check(found) }
        }
    }

    private static func reading(
        _ scene: Scene, _ job: Job, windows count: Int,
        _ read: @escaping ([SessionID]) async throws -> Void,
        check: @escaping ([SceneWindow]) throws -> Void
    ) async throws -> Operation {
        try scene.requireBackend()
        let windows = (0..<count).map { _ in
            SceneWindow(scene.sampler.window(tabs: max(1, job.tabs / count)))
        }
        for window in windows { try await scene.save(window.changes) }
        let ids = windows.map(\.id)
        return Operation(
            perform: { try await read(ids) }, check: { try check(windows) },
            finish: {
                var changes = SessionChanges()
                for id in ids { changes.remove(id) }
                try await scene.save(changes)
            })
    }
}
