import BrowserSessions

extension Workload {
    static let profileRestore = Workload(
        "profile-restore", floor: .store, isSaving: false, use: .unlessQuick,
        happensAtLaunch: true,
        summary: "A profile of up to ten windows with all tabs among them is restored by a browser."
    ) { scene, job async throws(StorageError) in
        try await ProfileRestoreRun(ProfileStore(scene, scene.profile(job))).measuringMemory()
    }

    static let profileRestoreForest = Workload(
        "profile-restore-forest", floor: .store, isSaving: false, use: .unlessQuick,
        happensAtLaunch: true,
        summary: "Such a profile is restored with folders in folders, splits and branches."
    ) { scene, job async throws(StorageError) in
        let forest = scene.profile(job).map { $0.reformed { $0.grow() }.0 }
        return try await ProfileRestoreRun(ProfileStore(scene, forest)).measuringMemory()
    }

    static let profileForestByList = Workload(
        "profile-forest-by-list", floor: .list, isSaving: false, use: .unlessQuick,
        happensAtLaunch: true,
        summary: "The same, compared with a browser that restores the tabs without groups."
    ) { scene, job async throws(StorageError) in
        let windows = scene.profile(job)
        let forest = windows.map { $0.reformed { $0.grow() }.0 }
        let list = windows.map { $0.reformed { $0.flatten() }.0 }
        return ProfileRestoreRun(
            try await ProfileStore(scene, forest),
            comparedWith: try await ProfileStore(scene, list, at: Scene.other))
    }
}

final class ProfileRestoreRun: WorkloadRun {
    private let profile: ProfileStore
    /// The profile that the floor restores by a browser; `nil` if it restores this one without.
    private let other: ProfileStore?
    private var host: ProfileHost?
    private var otherHost: ProfileHost?
    private var restored: [RestoredSession] = []
    private var bytesPerTab: Int?

    /// Fewer tabs say nothing about the memory of one.
    private static let enoughTabs = 1000

    init(_ profile: ProfileStore, comparedWith other: ProfileStore? = nil) {
        (self.profile, self.other) = (profile, other)
    }

    /// Restores once, for the memory that a browser then uses for its tabs, their saved records included.
    func measuringMemory() async throws(StorageError) -> Self {
        let tabs = profile.windows.reduce(0) { $0 + $1.tabs.count }
        guard tabs >= Self.enoughTabs else { return self }
        // What the store itself keeps of a first reading does not count.
        for _ in 0..<2 { _ = try await profile.store.restore(profile.windows.map(\.id)) }
        let host = try await profile.launch()
        let before = Resources.allocatedBytes()
        try await host.restore()
        await host.waitUntilIdle()
        if let before, let after = Resources.allocatedBytes() {
            bytesPerTab = (after - before) / tabs
        }
        return self
    }

    var remark: String? { bytesPerTab.map { "A browser needs \($0) B of memory for each tab." } }

    func prepare() async throws(StorageError) -> Int {
        restored = []
        host = try await profile.launch()
        otherHost = try await other?.launch()
        return 0
    }

    func operate() async throws(StorageError) { try await host?.restore() }

    func operateFloor() async throws(StorageError) {
        if let otherHost { return try await otherHost.restore() }
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

    func finish() async throws(StorageError) {
        try await profile.remove()
        try await other?.remove()
    }
}
