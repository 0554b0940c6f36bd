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
    private var group: StructureNode
    private let home: Range<Int>
    private var changes = SessionChanges()
    private var isHome = true

    init(_ scene: Scene, _ job: Job, _ change: @escaping (GroupRun) -> SessionChanges) {
        self.scene = scene
        self.change = change
        durability = job.durability
        original = scene.window
        group = StructureNode.group(name: "A group", color: .cyan)
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
        group.place = window.tabs[home.lowerBound].place
        let kept = window.nodes.filter { !cut.contains($0.id) }
        let index = kept.firstIndex { $0.place > group.place } ?? kept.count
        window.nodes = kept[..<index] + [group] + kept[index...]
        try await scene.replaceWindow(with: window)
    }

    func prepare() async throws(StorageError) -> Int {
        changes = change(self)
        return changes.logicalBytes
    }

    func operate() async throws(StorageError) { try await scene.store.save(changes, durability) }

    func finish() async throws(StorageError) { try await scene.replaceWindow(with: original) }

    // MARK: Changes

    fileprivate func toggleGroup() -> SessionChanges {
        var changes = SessionChanges()
        guard let index = scene.window.nodes.firstIndex(where: { $0.id == group.id }) else {
            return changes
        }
        scene.window.nodes[index].isCollapsed.toggle()
        changes.put(scene.window.nodes[index], in: scene.window.id)
        return changes
    }

    /// Moves the group, which is one record. Its tabs keep their places in it.
    fileprivate func moveGroup() -> SessionChanges {
        let count = home.count
        let now = isHome ? home : scene.window.tabs.count - count..<scene.window.tabs.count
        let tabs = Array(scene.window.tabs[now])
        var changes = SessionChanges()
        guard let index = scene.window.nodes.firstIndex(where: { $0.id == group.id }) else {
            return changes
        }
        var node = scene.window.nodes.remove(at: index)
        scene.window.tabs.removeSubrange(now)
        node.place = isHome ? .between(lastPlace, and: nil) : group.place
        scene.window.tabs.insert(
            contentsOf: tabs, at: isHome ? scene.window.tabs.count : home.lowerBound)
        let target = scene.window.nodes.firstIndex { $0.place > node.place }
        scene.window.nodes.insert(node, at: target ?? scene.window.nodes.count)
        isHome.toggle()
        changes.put(node, in: scene.window.id)
        return changes
    }

    /// The greatest place at the top of the window.
    private var lastPlace: OrderKey? {
        let tabs = scene.window.tabs.lazy.filter { $0.parent == nil }.map(\.place)
        return (tabs + scene.window.nodes.map(\.place)).max()
    }
}
