import BrowserSessions
import LocalFiles
import SessionSamples

extension Workload {
    static let profileRestore = Workload(
        "profile-restore", floor: .store, isSaving: false, use: .unlessQuick,
        happensAtLaunch: true,
        summary: "A profile of up to ten windows with all tabs among them is restored by a browser."
    ) { scene, job async throws(StorageError) in
        ProfileRestoreRun(try await ProfileStore(scene, job, isFilled: true))
    }

    // A restorer saves as durably as the store can on an explicit request.
    static let profileSave = Workload(
        "profile-save", floor: .store, isSaving: false, use: .unlessQuick,
        summary: "One tab of such a profile is changed: the browser saves what has changed."
    ) { scene, job async throws(StorageError) in
        let run = ProfileSaveRun(try await ProfileStore(scene, job, isFilled: true))
        try await run.start()
        return run
    }

    static let profileSaveNew = Workload(
        "profile-save-new", floor: .store, isSaving: false, use: .unlessQuick,
        summary: "The browser saves such a profile for the first time, histories included."
    ) { scene, job async throws(StorageError) in
        let run = NewProfileRun(try await ProfileStore(scene, job, isFilled: false))
        try await run.start()
        return run
    }
}

/// A store in addition to the scene's, with the windows of a profile. Together, the windows have as
/// many tabs as the scene's window.
private final class ProfileStore {
    let scene: Scene
    let windows: [SceneWindow]
    private(set) var store: MeasuredStore
    private(set) var recorder: CallRecorder
    private var host: ProfileHost?
    private let location: String

    /// - Parameter isFilled: whether the store already has the windows, with their histories.
    init(_ scene: Scene, _ job: Job, isFilled: Bool) async throws(StorageError) {
        try scene.requireBackend()
        self.scene = scene
        location = scene.location + Scene.profile
        let count = min(10, max(1, job.tabs))
        let snapshots = (0..<count).map { place in
            scene.sampler.window(
                tabs: job.tabs / count + (place < job.tabs % count ? 1 : 0), state: .navigationOnly)
        }
        windows = snapshots.map { SceneWindow($0) }
        store = try scene.store(at: location)
        recorder = CallRecorder(store.storage)
        guard isFilled else { return }
        for snapshot in snapshots {
            try await store.save(SessionChanges(saving: snapshot), .processCrash)
        }
    }

    /// Returns the profile as in a process that has just started.
    func launch(_ opened: [SceneWindow] = []) async throws(StorageError) -> ProfileHost {
        try await quit()
        let host = try ProfileHost(recorder, opened: opened)
        self.host = host
        return host
    }

    func quit() async throws(StorageError) {
        try await host?.close()
        host = nil
        _ = recorder.takeCalls()
    }

    /// Replaces the store by an empty one.
    func renew() async throws(StorageError) {
        try await remove()
        store = try scene.store(at: location)
        recorder = CallRecorder(store.storage)
    }

    func remove() async throws(StorageError) {
        try await quit()
        try await store.close()
        try await scene.remove(location)
    }

    /// Returns how the windows in the store differ; `nil` if they do not.
    func difference() async throws(StorageError) -> String? {
        for window in windows {
            let found = try await store.restore(window.id)
            if let difference = window.difference(from: found) { return difference }
        }
        return nil
    }
}

private final class ProfileRestoreRun: WorkloadRun {
    private let profile: ProfileStore
    private var host: ProfileHost?
    private var restored: [RestoredSession] = []

    init(_ profile: ProfileStore) { self.profile = profile }

    func prepare() async throws(StorageError) -> Int {
        restored = []
        host = try await profile.launch()
        return 0
    }

    func operate() async throws(StorageError) { try await host?.restore() }

    func operateFloor() async throws(StorageError) {
        restored = try await profile.store.restore(profile.windows.map(\.id))
    }

    func check() async throws(StorageError) -> String? {
        if let difference = await host?.difference(from: profile.windows) { return difference }
        let active = Set(profile.windows.compactMap(\.attributes.activeTab))
        let read = profile.recorder.takeCalls().tabsRead
        guard read == active else {
            return "the states of \(read.count) tabs were read, \(active.count) are active"
        }
        return nil
    }

    func finish() async throws(StorageError) { try await profile.remove() }
}

private final class ProfileSaveRun: WorkloadRun {
    private let profile: ProfileStore
    private var host: ProfileHost?
    private var changes = SessionChanges()
    private var changed: (tab: TabMetadata, session: SessionID)?
    private var count = 0

    init(_ profile: ProfileStore) { self.profile = profile }

    func start() async throws(StorageError) {
        host = try await profile.launch()
        try await host?.restore()
    }

    func prepare() async throws(StorageError) -> Int {
        let window = profile.scene.sampler.generator.pick(profile.windows)
        let id = profile.scene.sampler.generator.pick(window.tabs).id
        count += 1
        changes = SessionChanges()
        changed = await host?.retitle(id, "Unread messages: \(count)").map { ($0, window.id) }
        if let changed { changes.put(changed.tab, in: changed.session) }
        return 0
    }

    func operate() async throws(StorageError) { try await host?.save() }

    func operateFloor() async throws(StorageError) {
        try await profile.store.save(changes, profile.store.traits.greatestDurability)
    }

    func check() async throws(StorageError) -> String? {
        guard profile.recorder.takeCalls().saved == [changes] else {
            return "something else was saved than the tab that has changed"
        }
        guard let changed,
            try await profile.store.restore(changed.session)?.tabs.contains(changed.tab) == true
        else { return "the tab is not as it was changed" }
        return nil
    }

    func finish() async throws(StorageError) { try await profile.remove() }
}

/// A run in which a browser saves a new profile. The floor saves the same set to another new store.
private final class NewProfileRun: WorkloadRun {
    private let profile: ProfileStore
    private var host: ProfileHost?
    private var other: MeasuredStore?
    private var changes = SessionChanges()
    private let otherLocation: String

    init(_ profile: ProfileStore) {
        self.profile = profile
        otherLocation = profile.scene.location + Scene.other
    }

    /// Saves once, to record what is saved.
    func start() async throws(StorageError) {
        _ = try await prepare()
        try await operate()
        guard let first = profile.recorder.takeCalls().saved.first else {
            throw WrongAnswer.error("nothing of a new profile was saved")
        }
        changes = first
    }

    func prepare() async throws(StorageError) -> Int {
        try await removeOther()
        try await profile.renew()
        other = try profile.scene.store(at: otherLocation)
        host = try await profile.launch(profile.windows)
        try await host?.restore()
        return 0
    }

    func operate() async throws(StorageError) { try await host?.save() }

    func operateFloor() async throws(StorageError) {
        try await other?.save(changes, profile.store.traits.greatestDurability)
    }

    func check() async throws(StorageError) -> String? {
        let saved = profile.recorder.takeCalls().saved
        guard saved.count == 1, Set(saved[0].changes) == Set(changes.changes) else {
            return "a new profile was saved as another set than the one before"
        }
        return try await profile.difference()
    }

    func finish() async throws(StorageError) {
        try await removeOther()
        try await profile.remove()
    }

    private func removeOther() async throws(StorageError) {
        try await other?.close()
        other = nil
        try await profile.scene.remove(otherLocation)
    }
}
