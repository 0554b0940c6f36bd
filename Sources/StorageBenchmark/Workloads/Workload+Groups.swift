import BrowserSessions

extension Workload {
    static let groups = [
        ofGroup("collapse-group", "A group of up to 300 tabs is collapsed or expanded.") {
            $0.toggleGroup()
        },
        ofGroup(
            "move-group", "A group of up to 300 tabs is dragged to the end of its window, or back."
        ) { $0.moveGroup() },
    ]

    private static func ofGroup(
        _ name: String, _ summary: String,
        _ change: @escaping @Sendable (GroupRun) -> SessionChanges
    ) -> Workload {
        Workload(name, floor: .append, use: .unlessQuick, summary: summary) {
            scene, job async throws(StorageError) in
            let run = GroupRun(scene, job, change)
            try await run.start()
            return run
        }
    }
}

/// A run over a group in the middle of the window, which exists only during the run.
final class GroupRun: WorkloadRun {
    private let scene: Scene
    private let durability: Durability
    private let change: (GroupRun) -> SessionChanges
    private let original: SceneWindow
    private let group: TabGroup
    private let home: Range<Int>
    private var changes = SessionChanges()
    private var isHome = true

    init(_ scene: Scene, _ job: Job, _ change: @escaping (GroupRun) -> SessionChanges) {
        self.scene = scene
        self.change = change
        durability = job.durability
        original = scene.window
        group = TabGroup(title: "A group", color: .cyan)
        let count = min(300, max(1, original.tabs.count / 3))
        home = original.moverIndex..<min(original.moverIndex + count, original.tabs.count)
    }

    /// Makes the group. Groups that it would cut are dissolved.
    func start() async throws(StorageError) {
        var window = original
        let cut = Set(window.tabs[home].compactMap(\.group))
        for index in window.tabs.indices {
            if let group = window.tabs[index].group, cut.contains(group) {
                window.tabs[index].group = nil
            }
        }
        for index in home { window.tabs[index].group = group.id }
        let before = window.tabs[..<home.lowerBound].compactMap(\.group)
        let kept = window.attributes.groups.filter { !cut.contains($0.id) }
        let index = kept.firstIndex { !before.contains($0.id) } ?? kept.count
        window.attributes.groups = kept[..<index] + [group] + kept[index...]
        try await replaceWindow(with: window)
    }

    func prepare() async throws(StorageError) -> Int {
        changes = change(self)
        return changes.logicalBytes
    }

    func operate() async throws(StorageError) { try await scene.store.save(changes, durability) }

    func finish() async throws(StorageError) { try await replaceWindow(with: original) }

    private func replaceWindow(with window: SceneWindow) async throws(StorageError) {
        let old = Dictionary(uniqueKeysWithValues: scene.window.tabs.map { ($0.id, $0) })
        var changes = SessionChanges()
        changes.put(window.attributes, for: window.id)
        for tab in window.tabs where old[tab.id] != tab { changes.put(tab, in: window.id) }
        try await scene.save(changes)
        scene.window = window
    }

    // MARK: Changes

    fileprivate func toggleGroup() -> SessionChanges {
        for index in scene.window.attributes.groups.indices
        where scene.window.attributes.groups[index].id == group.id {
            scene.window.attributes.groups[index].isCollapsed.toggle()
        }
        var changes = SessionChanges()
        changes.put(scene.window.attributes, for: scene.window.id)
        return changes
    }

    fileprivate func moveGroup() -> SessionChanges {
        let count = home.count
        let now = isHome ? home : scene.window.tabs.count - count..<scene.window.tabs.count
        var tabs = Array(scene.window.tabs[now])
        scene.window.tabs.removeSubrange(now)
        var last = scene.window.tabs.last?.place
        for index in tabs.indices {
            tabs[index].place =
                isHome
                ? .between(last, and: nil) : original.tabs[home][home.lowerBound + index].place
            last = tabs[index].place
        }
        let target = isHome ? scene.window.tabs.count : home.lowerBound
        scene.window.tabs.insert(contentsOf: tabs, at: target)
        isHome.toggle()
        var changes = SessionChanges()
        for tab in tabs { changes.put(tab, in: scene.window.id) }
        return changes
    }
}
