import BrowserSessions
import SessionSamples

extension Workload {
    static let restoreTogether = Workload(
        "restore-ten", floor: .decode, isSaving: false, use: .unlessQuick,
        summary: "Ten windows with all tabs among them are restored in one call."
    ) { scene, job async throws(StorageError) in
        try await ManyWindowsRun(scene, job, windows: 10) { store, ids throws(StorageError) in
            try await store.restore(ids)
        }
    }

    static let restoreOneByOne = Workload(
        "restore-ten-singly", floor: .decode, isSaving: false, use: .unlessQuick,
        summary: "The same windows are restored one after the other."
    ) { scene, job async throws(StorageError) in
        try await ManyWindowsRun(scene, job, windows: 10) { store, ids throws(StorageError) in
            var found: [RestoredSession] = []
            for id in ids { found += try await store.restore([id]) }
            return found
        }
    }

    static let summaries = Workload(
        "summaries", floor: nil, isSaving: false, use: .unlessQuick,
        summary: "What a menu shows of a hundred windows with all tabs among them."
    ) { scene, job async throws(StorageError) in
        return try await ManyWindowsRun(scene, job, windows: 100)
    }
}

/// A run that reads many windows, which together have as many tabs as the scene's window.
private final class ManyWindowsRun: WorkloadRun {
    typealias Restore =
        @Sendable (MeasuredStore, [SessionID]) async throws(StorageError) -> [RestoredSession]

    private let scene: Scene
    private let windows: [SceneWindow]
    /// The function that restores; `nil` for summaries.
    private let restore: Restore?
    private var restored: [RestoredSession] = []
    private var summaries: [SessionSummary] = []

    init(_ scene: Scene, _ job: Job, windows count: Int, _ restore: Restore? = nil)
        async throws(StorageError)
    {
        try scene.requireBackend()
        self.scene = scene
        self.restore = restore
        windows = (0..<count).map { _ in
            SceneWindow(scene.sampler.window(tabs: max(1, job.tabs / count)))
        }
        for window in windows { try await scene.save(window.changes) }
    }

    func prepare() async throws(StorageError) -> Int {
        restored = []
        summaries = []
        return 0
    }

    func operate() async throws(StorageError) {
        if let restore {
            restored = try await restore(scene.store, windows.map(\.id))
        } else {
            summaries = try await scene.store.summaries()
        }
    }

    func check() async throws(StorageError) -> String? {
        if restore == nil {
            let counts = Dictionary(uniqueKeysWithValues: summaries.map { ($0.id, $0.tabCount) })
            let isRight = windows.allSatisfy { counts[$0.id] == $0.tabs.count }
            return isRight ? nil : "a summary has another number of tabs"
        }
        guard restored.count == windows.count else { return "a window is missing" }
        for (window, found) in zip(windows, restored) {
            if let difference = window.difference(from: found) { return difference }
        }
        return nil
    }

    func finish() async throws(StorageError) {
        var changes = SessionChanges()
        for window in windows { changes.remove(window.id) }
        try await scene.save(changes)
    }
}
