import BrowserSessions

extension Workload {
    /// One window with and without structure, for the cost of it in one run. Both are in stores that
    /// were made, closed and opened in the same way, so that the older versions of no record are
    /// beside them.
    static let forests = [
        Workload(
            "restore-list", floor: .decode, isSaving: false, use: .unlessQuick,
            summary: "The tabs of a window are read, none of them in a group."
        ) { scene, _ async throws(StorageError) in
            ListRun(list: try await OtherForm(scene, Scene.other) { $0.flatten() })
        },
        Workload(
            "restore-forest", floor: .list, isSaving: false, use: .unlessQuick,
            summary: "The same tabs are read in a forest of depth 5 with up to 500 groups."
        ) { scene, _ async throws(StorageError) in
            ForestRun(
                forest: try await OtherForm(scene, Scene.fresh) { $0.nest() },
                list: try await OtherForm(scene, Scene.other) { $0.flatten() })
        },
    ]
}

/// A store with the scene's window in another form.
private final class OtherForm {
    private let scene: Scene
    private let location: String
    private let window: SceneWindow
    private let store: MeasuredStore
    private var restored: RestoredSession?

    init(_ scene: Scene, _ suffix: String, _ change: (inout SceneWindow) -> Void)
        async throws(StorageError)
    {
        try scene.requireBackend()
        self.scene = scene
        location = scene.location + suffix
        var window = scene.window
        change(&window)
        self.window = window
        let made = try scene.store(at: location)
        try await made.save(window.changes, .processCrash)
        try await made.close()
        store = try scene.store(at: location)
    }

    func forget() { restored = nil }

    func restore() async throws(StorageError) { restored = try await store.restore(window.id) }

    /// Returns what is wrong in what was restored; `nil` if nothing is.
    var difference: String? { window.difference(from: restored) }

    func remove() async throws(StorageError) {
        try await store.close()
        try await scene.remove(location)
    }
}

private final class ListRun: WorkloadRun {
    private let list: OtherForm

    init(list: OtherForm) { self.list = list }

    func prepare() -> Int {
        list.forget()
        return 0
    }

    func operate() async throws(StorageError) { try await list.restore() }
    func check() -> String? { list.difference }
    func finish() async throws(StorageError) { try await list.remove() }
}

private final class ForestRun: WorkloadRun {
    private let forest: OtherForm
    private let list: OtherForm

    init(forest: OtherForm, list: OtherForm) { (self.forest, self.list) = (forest, list) }

    func prepare() -> Int {
        forest.forget()
        list.forget()
        return 0
    }

    func operate() async throws(StorageError) { try await forest.restore() }
    func operateFloor() async throws(StorageError) { try await list.restore() }
    func check() -> String? { forest.difference }

    func finish() async throws(StorageError) {
        try await forest.remove()
        try await list.remove()
    }
}
