import BrowserSessions
import SessionSamples
import StorageEngines

/// What a store does at its beginning, and at the end of incognito.
enum OpeningRows {
    static let all = [
        Workload(
            name: "open-existing", floor: .append, isSaving: false,
            summary: "A store that was closed is opened."
        ) { scene, _ in
            Operation(
                prepare: { try await scene.close() },
                perform: { try scene.open() },
                check: { try await scene.window.check(in: scene.store) })
        },
        Workload(
            name: "open-cold", isSaving: false, use: .unlessQuick, mostPerRound: 3,
            summary:
                "A closed store is opened and a window restored, with nothing of it in memory."
        ) { scene, _ in
            try scene.require(scene.contestant.role != .dry, "it has nothing on the disk")
            var restored: RestoredSession?
            return Operation(
                prepare: {
                    restored = nil
                    try await scene.close()
                    scene.dropCache()
                },
                perform: {
                    try scene.open()
                    restored = try await scene.store.restore(scene.window.id)
                },
                check: { try scene.window.check(restored) })
        },
        Workload(
            name: "open-after-kill", isSaving: false, use: .unlessQuick, mostPerRound: 3,
            summary: "A store is opened after its process was killed amid its work."
        ) { scene, _ in
            try scene.requireFiles()
            return openingAfterKill(scene)
        },
        Workload(
            name: "delete-incognito", floor: .append, isSaving: false,
            summary: "All incognito tabs are deleted without trace."
        ) { scene, job in
            let session = SceneWindow(scene.sampler.window(tabs: job.tabs, kind: .incognito))
            let changes = session.changes
            return Operation(
                prepare: {
                    try await scene.store.save(changes, scene.store.traits.greatestDurability)
                    try await session.check(in: scene.store)
                },
                perform: { try await scene.store.deleteIncognito() },
                check: {
                    let found = try await scene.store.restore(session.id)
                    try WrongAnswer.unless(
                        found == nil, "incognito tabs are there after they were deleted")
                })
        },
    ]

    /// Opens a copy of an open store's files, which are what a kill would leave.
    private static func openingAfterKill(_ scene: Scene) -> Operation {
        let location = scene.location + "-killed"
        var opened: MeasuredStore?
        func remove() async throws {
            try await opened?.close()
            opened = nil
            try FileSystem.remove(location)
        }
        return Operation(
            prepare: {
                try await remove()
                try await scene.save(scene.second.changes)
                try FileSystem.copy(scene.location, to: location)
            },
            perform: { opened = try scene.store(at: location) },
            check: { try scene.window.check(try await opened?.restore(scene.window.id)) },
            finish: remove)
    }
}
