import BrowserSessions
import LocalFiles
import SessionSamples

extension Workload {
    static let restore = Workload(
        "restore", floor: .decode, isSaving: false,
        summary: "The metadata of all tabs of a window is read from an open store."
    ) { scene, job throws(StorageError) in RestoreRun(scene) }

    static let realizeOneTab = Workload(
        "realize-one-tab", floor: .read, isSaving: false, takesState: true,
        summary: "The state of one tab is read from an open store."
    ) { scene, job async throws(StorageError) in
        let run = RealizeRun(scene, job)
        try await run.start()
        return run
    }

    static let openExisting = Workload(
        "open-existing", floor: .append, isSaving: false,
        summary: "A store that was closed is opened."
    ) { scene, job throws(StorageError) in OpenRun(scene) }

    static let openCold = Workload(
        "open-cold", floor: nil, isSaving: false, use: .unlessQuick, mostPerRound: 3,
        summary: "A closed store is opened and a window restored, with nothing of it in memory."
    ) { scene, job throws(StorageError) in
        try scene.requireMedium()
        return OpenColdRun(scene)
    }

    static let openAfterKill = Workload(
        "open-after-kill", floor: nil, isSaving: false, use: .unlessQuick, mostPerRound: 3,
        summary: "A store is opened after its process was killed amid its work."
    ) { scene, job throws(StorageError) in
        try scene.requireFiles()
        return OpenAfterKillRun(scene)
    }

    static let deleteIncognito = Workload(
        "delete-incognito", floor: .append, isSaving: false,
        summary: "All incognito tabs are deleted without trace."
    ) { scene, job throws(StorageError) in DeleteIncognitoRun(scene, job) }
}

final class RestoreRun: WorkloadRun {
    private let scene: Scene
    private var restored: RestoredSession?

    init(_ scene: Scene) { self.scene = scene }

    func prepare() async throws(StorageError) -> Int {
        restored = nil
        return 0
    }

    func operate() async throws(StorageError) {
        restored = try await scene.store.restore(scene.window.id)
    }

    func check() async throws(StorageError) -> String? { scene.window.difference(from: restored) }
}

final class RealizeRun: WorkloadRun {
    private let scene: Scene
    private let size: Int
    private var keys: [TabStateKey] = []
    private var key: TabStateKey?
    private var found: [TabStateKey: [UInt8]] = [:]

    init(_ scene: Scene, _ job: Job) {
        self.scene = scene
        size = job.stateBytes
    }

    /// Saves state for some tabs.
    func start() async throws(StorageError) {
        var changes = SessionChanges()
        for tab in scene.window.tabs.prefix(16) {
            let key = TabStateKey(tab: tab.id, name: .native, in: scene.window.id)
            let blob = scene.newBlob(size)
            keys.append(key)
            scene.blobs[key] = blob
            changes.put(blob, for: key)
        }
        try await scene.save(changes)
        try await scene.reopen()
    }

    func prepare() async throws(StorageError) -> Int {
        key = scene.sampler.generator.pick(keys)
        found = [:]
        return 0
    }

    func operate() async throws(StorageError) {
        guard let key else { return }
        found = try await scene.store.states(of: [key])
    }

    func check() async throws(StorageError) -> String? {
        guard let key, found == [key: scene.blobs[key] ?? []] else {
            return "the state of a tab is not as it was saved"
        }
        return nil
    }

    func finish() async throws(StorageError) { try await scene.removeBlobs() }
}

final class OpenRun: WorkloadRun {
    private let scene: Scene

    init(_ scene: Scene) { self.scene = scene }

    func prepare() async throws(StorageError) -> Int {
        try await scene.close()
        return 256
    }

    func operate() async throws(StorageError) { try scene.open() }

    func check() async throws(StorageError) -> String? {
        scene.window.difference(from: try await scene.store.restore(scene.window.id))
    }
}

/// A run that opens the store as after a restart of the machine: files are read from the disk.
final class OpenColdRun: WorkloadRun {
    private let scene: Scene
    private var restored: RestoredSession?
    /// Whether every operation was cold. A single operation with a warm cache makes the whole row warm.
    private(set) var isCold: Bool? = true

    init(_ scene: Scene) { self.scene = scene }

    func prepare() async throws(StorageError) -> Int {
        restored = nil
        try await scene.close()
        if !scene.pageCache.drop() { isCold = false }
        return 0
    }

    func operate() async throws(StorageError) {
        try scene.open()
        restored = try await scene.store.restore(scene.window.id)
    }

    func check() async throws(StorageError) -> String? { scene.window.difference(from: restored) }
}

/// A run that opens a copy of an open store's files, which are what a kill would leave.
final class OpenAfterKillRun: WorkloadRun {
    private let scene: Scene
    private let location: String
    private var opened: MeasuredStore?

    init(_ scene: Scene) {
        self.scene = scene
        location = scene.location + "-killed"
    }

    func prepare() async throws(StorageError) -> Int {
        try await finish()
        try await scene.save(scene.second.changes)
        try FileSystem.copy(scene.location, to: location)
        return 0
    }

    func operate() async throws(StorageError) { opened = try scene.store(at: location) }

    func check() async throws(StorageError) -> String? {
        scene.window.difference(from: try await opened?.restore(scene.window.id))
    }

    func finish() async throws(StorageError) {
        try await opened?.close()
        opened = nil
        try FileSystem.remove(location)
    }
}

final class DeleteIncognitoRun: WorkloadRun {
    private let scene: Scene
    private let session: SceneWindow
    private let changes: SessionChanges

    init(_ scene: Scene, _ job: Job) {
        self.scene = scene
        session = SceneWindow(scene.sampler.window(tabs: job.tabs, kind: .incognito))
        changes = session.changes
    }

    func prepare() async throws(StorageError) -> Int {
        try await scene.store.save(changes, scene.store.traits.greatestDurability)
        let found = try await scene.store.restore(session.id)
        if let difference = session.difference(from: found) {
            throw WrongAnswer.error("before deleting, \(difference)")
        }
        return 256
    }

    func operate() async throws(StorageError) { try await scene.store.deleteIncognito() }

    func check() async throws(StorageError) -> String? {
        let isGone = try await scene.store.restore(session.id) == nil
        return isGone ? nil : "incognito tabs are there after they were deleted"
    }
}
