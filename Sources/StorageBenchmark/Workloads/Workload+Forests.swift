import BrowserSessions

extension Workload {
    /// One window with and without structure, for the cost of it in one run.
    static let forests = [
        restoring("restore-list", "The tabs of a window are read, none of them in a group.") {
            $0.flatten()
        },
        restoring(
            "restore-forest", "The same tabs are read in a forest of depth 5 with up to 500 groups."
        ) { $0.nest() },
    ]

    private static func restoring(
        _ name: String, _ summary: String, _ change: @escaping @Sendable (inout SceneWindow) -> Void
    ) -> Workload {
        Workload(name, floor: .decode, isSaving: false, use: .unlessQuick, summary: summary) {
            scene, job async throws(StorageError) in
            try scene.requireBackend()
            let run = ChangedRestoreRun(scene)
            try await run.start(change)
            return run
        }
    }
}

/// A restore of the window in another form, which it has only during the run.
final class ChangedRestoreRun: WorkloadRun {
    private let scene: Scene
    private let original: SceneWindow
    private let restoring: RestoreRun

    init(_ scene: Scene) {
        (self.scene, original) = (scene, scene.window)
        restoring = RestoreRun(scene)
    }

    func start(_ change: (inout SceneWindow) -> Void) async throws(StorageError) {
        var window = original
        change(&window)
        try await scene.replaceWindow(with: window)
    }

    func prepare() async throws(StorageError) -> Int { try await restoring.prepare() }
    func operate() async throws(StorageError) { try await restoring.operate() }
    func check() async throws(StorageError) -> String? { try await restoring.check() }
    func finish() async throws(StorageError) { try await scene.replaceWindow(with: original) }
}

extension SceneWindow {
    /// Takes all tabs out of their groups and pins none.
    fileprivate mutating func flatten() {
        nodes = []
        for index in tabs.indices { (tabs[index].parent, tabs[index].zone) = (nil, .normal) }
    }

    /// Puts all tabs into groups, each fifth one at the top and the others each in the one before it.
    fileprivate mutating func nest() {
        flatten()
        let count = min(500, tabs.count / 2)
        guard count > 0 else { return }
        let starts = (0..<count).map { $0 * tabs.count / count } + [tabs.count]
        for number in 0..<count {
            var group = StructureNode.group(
                id: NodeID(high: 0xF0, low: UInt64(number)), name: "Group \(number)", color: .cyan)
            group.place = tabs[starts[number]].place
            if !number.isMultiple(of: 5) { group.parent = nodes.last?.id }
            nodes.append(group)
            for index in starts[number]..<starts[number + 1] { tabs[index].parent = group.id }
        }
    }
}
