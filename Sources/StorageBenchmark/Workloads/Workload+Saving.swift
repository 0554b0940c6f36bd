import BrowserSessions
import SessionSamples

extension Workload {
    static let saving: [Workload] = [
        Workload(
            "save-one-tab", floor: .append, fitsSchedule: true,
            summary: "A page was loaded: saves the metadata of one tab."
        ) { scene, job throws(StorageError) in scene.savingOneTab(job) },
        Workload(
            "save-one-tab-state", floor: .append, takesState: true, fitsSchedule: true,
            summary: "A page was loaded: saves the metadata and a state blob of one tab at once."
        ) { scene, job throws(StorageError) in
            SavingRun(scene, job) { scene in
                // Only a few tabs are used, so that the store does not grow from sample to sample.
                let tab = scene.changedTab(below: min(4, scene.window.tabs.count))
                let blob = scene.newBlob(job.stateBytes)
                let key = TabStateKey(tab: tab.id, name: .native, in: scene.window.id)
                scene.blobs[key] = blob
                var changes = SessionChanges()
                changes.put(tab, in: scene.window.id)
                changes.put(blob, for: key)
                return changes
            }
        },
        Workload(
            "insert-tab-middle", floor: .append,
            summary: "A tab is opened between two others."
        ) { scene, job throws(StorageError) in InsertRun(scene, job) },
        Workload(
            "move-tab", floor: .append, fitsSchedule: true,
            summary: "A tab is dragged from the middle of its window to the end, or back."
        ) { scene, job throws(StorageError) in
            let place = scene.window.tabs[scene.window.moverIndex].place
            return SavingRun(scene, job) { scene in scene.moveTab(home: place) }
        },
        Workload(
            "move-tab-between-windows", floor: .append, fitsSchedule: true,
            summary: "A tab is dragged to another window, or back."
        ) { scene, job throws(StorageError) in
            let mover = scene.window.tabs[scene.window.moverIndex]
            return SavingRun(scene, job) { scene in scene.exchangeTab(mover) }
        },
        Workload(
            "save-new-session", floor: .append,
            summary: "A window with all its tabs is saved for the first time."
        ) { scene, job throws(StorageError) in NewSessionRun(scene, job) },
    ]

    static let closeAllAndUndo = Workload(
        "close-all-and-undo", floor: .append, fitsSchedule: true,
        summary: "All tabs of a window are closed and brought back: two saves."
    ) { scene, job throws(StorageError) in CloseAllRun(scene, job) }
}

extension Scene {
    /// Returns a run that saves the metadata of any one tab.
    func savingOneTab(_ job: Job) -> SavingRun {
        SavingRun(self, job) { scene in
            var changes = SessionChanges()
            changes.put(scene.changedTab(below: scene.window.tabs.count), in: scene.window.id)
            return changes
        }
    }

    /// Returns one of the first tabs of the window after it has loaded another page.
    fileprivate func changedTab(below count: Int) -> TabMetadata {
        let index = sampler.generator.integer(in: 0...count - 1)
        sampler.mutate(&window.tabs[index])
        return window.tabs[index]
    }

    /// Moves the middle tab to the end of its window, or back to its place. Returns the changes.
    fileprivate func moveTab(home: OrderKey) -> SessionChanges {
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
        var changes = SessionChanges()
        changes.put(tab, in: window.id)
        return changes
    }

    /// Moves the tab to the end of the second window, or back to its place. Returns the changes.
    fileprivate func exchangeTab(_ mover: TabMetadata) -> SessionChanges {
        var tab = mover
        var changes = SessionChanges()
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
        return changes
    }
}
