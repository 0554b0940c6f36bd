import BrowserSessions
import SessionSamples

/// What a browser saves of tabs and windows.
enum SavingRows {
    static let all = [
        Workload(
            name: "save-one-tab", floor: .append,
            summary: "A page was loaded: saves the metadata of one tab."
        ) { scene, job in .savingOneTab(scene, job) },
        Workload(
            name: "save-one-tab-state", floor: .append, takesState: true,
            summary: "A page was loaded: saves the metadata and a state blob of one tab at once."
        ) { scene, job in
            .saving(scene, job) { changes in
                // Only a few tabs are used, so that the store does not grow from sample to sample.
                let tab = scene.window.changedTab(
                    below: min(4, scene.window.tabs.count), &scene.sampler)
                changes.put(tab, in: scene.window.id)
                scene.putBlob(job.stateBytes, of: tab, &changes)
            }
        },
        Workload(
            name: "insert-tab-middle", floor: .append,
            summary: "A tab is opened between two others."
        ) { scene, job in inserting(scene, job) },
        Workload(
            name: "move-tab", floor: .append,
            summary: "A tab is dragged from the middle of its window to the end, or back."
        ) { scene, job in
            let place = scene.window.tabs[scene.window.moverIndex].place
            return .saving(scene, job) { changes in scene.moveTab(home: place, &changes) }
        },
        Workload(
            name: "move-tab-between-windows", floor: .append,
            summary: "A tab is dragged to another window, or back."
        ) { scene, job in
            let mover = scene.window.tabs[scene.window.moverIndex]
            return .saving(scene, job) { changes in scene.exchangeTab(mover, &changes) }
        },
        Workload(
            name: "save-new-session", floor: .append,
            summary: "A window with all its tabs is saved for the first time."
        ) { scene, job in
            let window = SceneWindow(scene.sampler.window(tabs: job.tabs))
            return .adding(window.changes, removing: { $0.remove(window.id) }, scene, job) {
                try await window.check(in: scene.store)
            }
        },
        Workload(
            name: "close-all-and-undo", floor: .append,
            summary: "All tabs of a window are closed and brought back: two saves."
        ) { scene, job in
            let window = scene.window
            let closed = window.changed { $0.id.kind = .recentlyClosed }
            var (closing, undoing) = (closed.changes, window.changes)
            closing.remove(window.id)
            undoing.remove(closed.id)
            let sets = [closing, undoing]
            scene.logicalBytes = sets.reduce(0) { $0 + $1.logicalBytes }
            return Operation(
                perform: {
                    for changes in sets { try await scene.store.save(changes, job.durability) }
                })
        },
    ]

    private static func inserting(_ scene: Scene, _ job: Job) -> Operation {
        let index = scene.window.moverIndex
        let before = index > 0 ? scene.window.tabs[index - 1].place : nil
        let tab = scene.sampler.tab(at: .between(before, and: scene.window.tabs[index].place))
        var changes = SessionChanges()
        changes.put(tab, in: scene.window.id)
        return .adding(
            changes, removing: { $0.remove(tab.id, from: scene.window.id) }, scene, job)
    }
}

extension Operation {
    /// Saves a set of changes that a closure makes and that also updates the scene.
    static func saving(
        _ scene: Scene, _ job: Job, _ change: @escaping (inout SessionChanges) -> Void
    ) -> Operation {
        var changes = SessionChanges()
        var count = 0
        func make() {
            changes = SessionChanges()
            change(&changes)
            count += 1
        }
        return Operation(
            prepare: {
                make()
                scene.logicalBytes = changes.logicalBytes
            },
            perform: { try await scene.store.save(changes, job.durability) },
            finish: {
                // After an even number of times, what moved is back in its place.
                if !count.isMultiple(of: 2) {
                    make()
                    try await scene.save(changes)
                }
                try await scene.removeBlobs()
            })
    }

    /// Saves the metadata of any one tab.
    static func savingOneTab(_ scene: Scene, _ job: Job) -> Operation {
        .saving(scene, job) { changes in
            changes.put(scene.window.changedTab(&scene.sampler), in: scene.window.id)
        }
    }

    /// Saves something new, and removes it before the next time, so that the store keeps its size.
    static func adding(
        _ changes: SessionChanges, removing remove: (inout SessionChanges) -> Void,
        _ scene: Scene, _ job: Job, check: @escaping () async throws -> Void = {}
    ) -> Operation {
        var removal = SessionChanges()
        remove(&removal)
        // As of a window that a user closes: no loss, before which a store would take a restore point.
        removal.isIntended = true
        let undo = removal
        scene.logicalBytes = changes.logicalBytes
        var isThere = false
        func removeIt() async throws {
            // The durability is that of the operation, which otherwise would have to sync this save, too.
            if isThere { try await scene.store.save(undo, job.durability) }
            isThere = false
        }
        return Operation(
            prepare: {
                try await removeIt()
                isThere = true
            },
            perform: { try await scene.store.save(changes, job.durability) }, check: check,
            finish: removeIt)
    }
}

extension Scene {
    /// Saves a new state of a tab.
    func putBlob(_ count: Int, of tab: TabMetadata, _ changes: inout SessionChanges) {
        let (key, blob) = (window.key(of: tab), newBlob(count))
        blobs[key] = blob
        changes.put(blob, for: key)
    }

    /// Moves the middle tab to the end of its window, or back to its place.
    fileprivate func moveTab(home: OrderKey, _ changes: inout SessionChanges) {
        let middle = window.moverIndex
        var tab: TabMetadata
        if window.tabs[middle].place == home {
            tab = window.tabs.remove(at: middle)
            tab.place = .between(window.tabs.last?.place, and: nil)
            window.tabs.append(tab)
        } else {
            tab = window.tabs.removeLast()
            tab.place = home
            window.tabs.insert(tab, at: middle)
        }
        changes.put(tab, in: window.id)
    }

    /// Moves the tab to the end of the second window, or back to its place.
    fileprivate func exchangeTab(_ mover: TabMetadata, _ changes: inout SessionChanges) {
        var tab = mover
        if second.tabs.last?.id == mover.id {
            second.tabs.removeLast()
            let index = window.tabs.firstIndex { tab.place < $0.place } ?? window.tabs.count
            window.tabs.insert(tab, at: index)
            changes.put(tab, in: window.id)
        } else {
            window.tabs.removeAll { $0.id == mover.id }
            tab.place = .between(second.tabs.last?.place, and: nil)
            second.tabs.append(tab)
            changes.put(tab, in: second.id)
        }
    }
}
