import BrowserSessions
import RestorePlans
import SessionSamples

/// What a browser reads of an open store.
enum ReadingRows {
    static let all = [
        Workload(
            name: "restore", floor: .decode, isSaving: false,
            summary: "The metadata of all tabs of a window is read from an open store."
        ) { scene, _ in .restoring(scene.window, in: scene.store) },
        Workload(
            name: "realize-one-tab", floor: .read, isSaving: false, takesState: true,
            summary: "The state of one tab is read from an open store."
        ) { scene, job in try await realizing(scene, job) },
        Workload(
            name: "find", isSaving: false, use: .unlessQuick,
            summary: "A tab is found by two words, in all tabs and in 20 restore points."
        ) { scene, _ in try await finding(scene) },
    ]

    private static func realizing(_ scene: Scene, _ job: Job) async throws -> Operation {
        var changes = SessionChanges()
        for tab in scene.window.tabs.prefix(16) {
            scene.putBlob(job.stateBytes, of: tab, &changes)
        }
        try await scene.save(changes)
        try await scene.reopen()
        let keys = scene.window.tabs.prefix(16).map(scene.window.key)
        var key = keys[0]
        var found: [TabStateKey: [UInt8]] = [:]
        return Operation(
            prepare: { (key, found) = (scene.sampler.generator.pick(keys), [:]) },
            perform: { found = try await scene.store.states(of: [key]) },
            check: {
                try WrongAnswer.unless(
                    found == [key: scene.blobs[key] ?? []],
                    "the state of a tab is not as it was saved")
            },
            finish: { try await scene.removeBlobs() })
    }

    /// Takes restore points, between which tabs changed, came and went, and looks for a tab that is gone.
    private static func finding(_ scene: Scene) async throws -> Operation {
        try scene.requireBackend()
        try scene.requirePoints()
        let storage = scene.store.storage
        var points: [RestorePoint] = []
        var gone: [TabMetadata] = []
        for number in 0..<20 {
            var changes = SessionChanges()
            var tab = scene.sampler.tab(at: .between(nil, and: nil))
            tab.title = "Gone since point number \(number)"
            changes.put(tab, in: scene.second.id)
            scene.window.changeTabs(&changes, &scene.sampler)
            try await scene.save(changes)
            points.append(try await storage.takeRestorePoint(name: "\(number)", pinned: true))
            changes = SessionChanges()
            changes.remove(tab.id, from: scene.second.id)
            try await scene.save(changes)
            gone.append(tab)
        }
        var wanted = 0
        var found: [FoundTab] = []
        return Operation(
            prepare: {
                wanted = scene.sampler.generator.integer(in: 0...gone.count - 1)
                found = []
            },
            perform: { found = try await storage.find("POINT \(wanted) gone") },
            check: {
                let tab = gone[wanted]
                try WrongAnswer.unless(
                    found.contains { $0.tab == tab && $0.place == .gone },
                    "a tab that is gone was not found")
            },
            finish: {
                for point in points { try await storage.releaseRestorePoint(point.id) }
            })
    }
}

extension Operation {
    /// Restores a window.
    static func restoring(_ window: SceneWindow, in store: MeasuredStore) -> Operation {
        var restored: RestoredSession?
        return Operation(
            prepare: { restored = nil },
            perform: { restored = try await store.restore(window.id) },
            check: { try window.check(restored) })
    }
}

extension Scene {
    func requirePoints() throws {
        try require(
            store.traits.takesRestorePoints, "it takes no restore points when asked")
    }
}
