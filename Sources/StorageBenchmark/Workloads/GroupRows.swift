import BrowserSessions

/// Changes of a group in the middle of the window, which exists only meanwhile.
enum GroupRows {
    static let all = [
        Workload(
            name: "collapse-group", floor: .append, use: .unlessQuick,
            summary: "A group of up to 300 tabs is collapsed or expanded."
        ) { scene, job in
            try await changing(scene, job) { _, window in window.nodes[0].isCollapsed.toggle() }
        },
        Workload(
            name: "move-group", floor: .append, use: .unlessQuick,
            summary: "A group of up to 300 tabs is dragged to the end of its window, or back."
        ) { scene, job in
            let place = scene.window.tabs[scene.window.moverIndex].place
            return try await changing(scene, job) { home, window in
                // Its tabs keep their places in it.
                let isHome = window.nodes[0].place == place
                let end = window.tabs.count - home.count
                let tabs = window.tabs[isHome ? home : end..<window.tabs.count]
                window.tabs.removeSubrange(tabs.indices)
                window.nodes[0].place =
                    isHome ? .between(window.tabs.last?.place, and: nil) : place
                window.tabs.insert(contentsOf: tabs, at: isHome ? end : home.lowerBound)
            }
        },
    ]

    /// Saves the record of the group after each change.
    private static func changing(
        _ scene: Scene, _ job: Job,
        _ change: @escaping (_ home: Range<Int>, inout SceneWindow) -> Void
    ) async throws -> Operation {
        let original = scene.window
        var gathered = original
        let home = gathered.gather()
        try await scene.replaceWindow(with: gathered)
        // What maintenance still does for that is not measured.
        try await scene.reopen()
        var operation = Operation.saving(scene, job) { changes in
            change(home, &scene.window)
            changes.put(scene.window.nodes[0], in: scene.window.id)
        }
        operation.finish = { try await scene.replaceWindow(with: original) }
        return operation
    }
}
