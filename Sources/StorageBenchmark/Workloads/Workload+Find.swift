import BrowserSessions
import SessionSamples

extension Workload {
    static let find = Workload(
        "find", floor: nil, isSaving: false, use: .unlessQuick,
        summary: "A tab is found by two words, in all tabs and in 20 restore points."
    ) { scene, job async throws(StorageError) in
        try scene.requireBackend()
        let run = FindRun(scene)
        try await run.start()
        return run
    }
}

/// Looks for tabs in a store with restore points, between which tabs changed, came and went.
final class FindRun: WorkloadRun {
    private let scene: Scene
    private var points: [RestorePoint] = []
    private var gone: [TabMetadata] = []
    private var wanted: TabMetadata?
    private var found: [FoundTab] = []

    private static let pointCount = 20

    init(_ scene: Scene) { self.scene = scene }

    /// Takes the points; a tab comes before each, and goes after it.
    func start() async throws(StorageError) {
        let storage = scene.store.storage
        guard storage.traits.takesRestorePoints else {
            throw StorageError(.unsupported, "it takes no restore points when asked")
        }
        for number in 0..<Self.pointCount {
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
    }

    func prepare() async throws(StorageError) -> Int {
        wanted = scene.sampler.generator.pick(gone)
        found = []
        return 0
    }

    func operate() async throws(StorageError) {
        guard let wanted, let number = wanted.title.split(separator: " ").last else { return }
        found = try await scene.store.storage.find("POINT \(number) gone")
    }

    func check() async throws(StorageError) -> String? {
        guard let wanted, found.contains(where: { $0.tab == wanted && $0.place == .gone }) else {
            return "a tab that is gone was not found"
        }
        return nil
    }

    func finish() async throws(StorageError) {
        for point in points { try await scene.store.storage.releaseRestorePoint(point.id) }
    }
}
