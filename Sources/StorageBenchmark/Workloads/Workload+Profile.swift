import BrowserSessions
import LocalFiles
import SessionSamples

extension Workload {
    // A restorer saves as durably as the store can on an explicit request.
    static let profileSave = Workload(
        "profile-save", floor: .store, isSaving: false, use: .unlessQuick,
        summary: "One tab of such a profile is changed: the browser saves what has changed."
    ) { scene, job async throws(StorageError) in
        let run = ProfileSaveRun(try await ProfileStore(scene, scene.profile(job)))
        try await run.start()
        return run
    }

    static let profileSaveNew = Workload(
        "profile-save-new", floor: .store, isSaving: false, use: .unlessQuick,
        summary: "The browser saves such a profile for the first time, histories included."
    ) { scene, job async throws(StorageError) in
        let run = NewProfileRun(
            try await ProfileStore(scene, scene.profile(job), isFilled: false))
        try await run.start()
        return run
    }

    static let profileMoveGroup = Workload(
        "profile-move-group", floor: .store, isSaving: false, use: .unlessQuick,
        summary: "A group of up to 300 of a window's tabs is dragged from one end to the other: the"
            + " browser moves it and saves one record."
    ) { scene, job async throws(StorageError) in
        let (window, group) = scene.profile(job, windows: 1)[0].reformed { $0.gather() }
        let run = MoveGroupRun(try await ProfileStore(scene, [window]), group)
        try await run.start()
        return run
    }
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

/// A run in which a browser moves a group. The floor saves the record that the group had before.
private final class MoveGroupRun: WorkloadRun {
    private let profile: ProfileStore
    private var host: ProfileHost?
    private var group: StructureNode
    private var moved: StructureNode?
    private var count = 0

    init(_ profile: ProfileStore, _ group: StructureNode) {
        (self.profile, self.group) = (profile, group)
    }

    func start() async throws(StorageError) {
        host = try await profile.launch()
        try await host?.restore()
        // A first save has the attributes of the window, too.
        try await operate()
        _ = profile.recorder.takeCalls()
    }

    func prepare() -> Int {
        count += 1
        group = moved ?? group
        return 0
    }

    func operate() async throws(StorageError) {
        moved = try await host?.move(group.id, toEnd: !count.isMultiple(of: 2))
        try await host?.save()
    }

    func operateFloor() async throws(StorageError) {
        try await profile.store.save(change(group), profile.store.traits.greatestDurability)
    }

    private func change(_ group: StructureNode) -> SessionChanges {
        var changes = SessionChanges()
        for window in profile.windows { changes.put(group, in: window.id) }
        return changes
    }

    func check() -> String? {
        guard let moved, moved != group, profile.recorder.takeCalls().saved == [change(moved)]
        else { return "something else was saved than the group that has moved" }
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
