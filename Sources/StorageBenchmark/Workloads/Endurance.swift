import BrowserSessions

/// The course of a long operation: many saves on one store, as in days of use.
struct Endurance: Sendable {
    /// The number of saves, unless the user chooses another.
    let saves: Int
    /// The distance between saves that must reach the medium. They are not among the row's times.
    let durableEvery: Int
    /// The number of consecutive saves before a store may rest.
    let burst: Int
    /// The length of a rest in milliseconds. Stores do maintenance when no save has come for a
    /// while. Each length is random, so that some bursts begin during maintenance.
    let rest: ClosedRange<Int>
    /// The bytes of state in each save; 0 for metadata.
    let stateBytes: Int
    /// The number of tabs, unless the user chooses another.
    static let tabs = 1000
}

extension Workload {
    static let longRun = Workload(
        "long-run", floor: nil,
        endurance: Endurance(
            saves: 100_000, durableEvery: 500, burst: 500, rest: 0...300, stateBytes: 0),
        summary: "100,000 saves of one tab's metadata, with rests; then the store is compared with"
            + " a fresh one."
    ) { scene, job throws(StorageError) in scene.savingOneTab(job) }

    static let rewriteState = Workload(
        "rewrite-state", floor: nil,
        endurance: Endurance(
            saves: 3600, durableEvery: 60, burst: 30, rest: 250...250, stateBytes: 10 << 10),
        summary: "The state of one tab is saved 3,600 times, as every second for an hour; then the"
            + " store is compared with a fresh one."
    ) { scene, job throws(StorageError) in scene.rewritingState(job) }

    static let rewriteWithoutRest = Workload(
        "rewrite-without-rest", floor: nil,
        endurance: Endurance(
            saves: 20_000, durableEvery: 1000, burst: 100, rest: 0...0, stateBytes: 50 << 10),
        summary: "The state of one tab is saved 20,000 times, as fast as it goes: what maintenance"
            + " that waits for a rest leaves on the disk."
    ) { scene, job throws(StorageError) in scene.rewritingState(job) }
}

extension Scene {
    /// Saves the state of one tab.
    fileprivate func rewritingState(_ job: Job) -> SavingRun {
        let key = TabStateKey(
            tab: window.tabs[window.moverIndex].id, name: .native, in: window.id)
        return SavingRun(self, job) { scene in
            let blob = scene.newBlob(job.stateBytes)
            scene.blobs[key] = blob
            var changes = SessionChanges()
            changes.put(blob, for: key)
            return changes
        }
    }
}
