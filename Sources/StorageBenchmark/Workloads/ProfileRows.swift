import BrowserSessions
import SessionSamples

/// What a browser saves and restores over its store.
enum ProfileRows {
    // A restorer saves as durably as the store can on an explicit request.
    static let all = [
        restoring(
            "profile-restore",
            "A profile of up to ten windows with all tabs among them is restored by a browser."
        ) { _ in },
        restoring(
            "profile-restore-forest",
            "Such a profile is restored with folders in folders, splits and branches."
        ) { $0.grow() },
        Workload(
            name: "profile-save", floor: .store, isSaving: false, use: .unlessQuick,
            summary: "One tab of such a profile is changed: the browser saves what has changed."
        ) { scene, job in try await saving(scene, job) },
        Workload(
            name: "profile-save-new", floor: .store, isSaving: false, use: .unlessQuick,
            summary: "The browser saves such a profile for the first time, histories included."
        ) { scene, job in try await savingNew(scene, job) },
    ]

    // MARK: - Restoring

    private static func restoring(
        _ name: String, _ summary: String,
        _ form: @escaping @Sendable (inout SceneWindow) -> Void
    ) -> Workload {
        Workload(
            name: name, floor: .store, isSaving: false, use: .unlessQuick, happensAtLaunch: true,
            summary: summary
        ) { scene, job in
            let profile = try await Profile(scene, scene.profile(job, form))
            let windows = profile.windows
            var restored: [RestoredSession] = []
            return Operation(
                prepare: {
                    restored = []
                    try await profile.launch()
                },
                perform: { try await profile.host?.restore() },
                performFloor: { restored = try await profile.store.restore(windows.map(\.id)) },
                check: {
                    try await profile.host?.check(windows)
                    try WrongAnswer.unless(
                        [0, windows.count].contains(restored.count), "a window is missing")
                    let active = Set(windows.compactMap(\.attributes.activeTab))
                    let read = profile.recorder.takeCalls().tabsRead
                    try WrongAnswer.unless(
                        read == active,
                        "the states of \(read.count) tabs were read, \(active.count) are active")
                },
                finish: profile.remove, remark: try await memory(of: profile))
        }
    }

    /// Returns a sentence on the memory that a browser uses for its tabs, their saved records
    /// included; `nil` for fewer than 1,000 tabs, which say nothing about it.
    private static func memory(of profile: Profile) async throws -> String? {
        let tabs = profile.windows.reduce(0) { $0 + $1.tabs.count }
        guard tabs >= 1000 else { return nil }
        // What the store itself keeps of a first reading does not count.
        for _ in 0..<2 { _ = try await profile.store.restore(profile.windows.map(\.id)) }
        try await profile.launch()
        let before = Resources.allocatedBytes()
        try await profile.host?.restore()
        await profile.host?.waitUntilIdle()
        guard let before, let after = Resources.allocatedBytes() else { return nil }
        return "A browser needs \((after - before) / tabs) B of memory for each tab."
    }

    // MARK: - Saving

    private static func saving(_ scene: Scene, _ job: Job) async throws -> Operation {
        let profile = try await Profile(scene, scene.profile(job))
        try await profile.launch()
        try await profile.host?.restore()
        var changes = SessionChanges()
        var changed: (tab: TabMetadata, session: SessionID)?
        var count = 0
        return Operation(
            prepare: {
                let window = scene.sampler.generator.pick(profile.windows)
                let id = scene.sampler.generator.pick(window.tabs).id
                count += 1
                changes = SessionChanges()
                let tab = await profile.host?.retitle(id, "Unread messages: \(count)")
                changed = tab.map { ($0, window.id) }
                if let tab { changes.put(tab, in: window.id) }
            },
            perform: { try await profile.host?.save() },
            performFloor: {
                try await profile.store.save(changes, profile.store.traits.greatestDurability)
            },
            check: {
                try WrongAnswer.unless(
                    profile.recorder.takeCalls().saved == [changes],
                    "something else was saved than the tab that has changed")
                guard let changed,
                    try await profile.store.restore(changed.session)?.tabs.contains(changed.tab)
                        == true
                else { throw WrongAnswer("the tab is not as it was changed") }
            },
            finish: profile.remove)
    }

    /// The floor saves the same set to another new store.
    private static func savingNew(_ scene: Scene, _ job: Job) async throws -> Operation {
        let profile = try await Profile(scene, scene.profile(job), isFilled: false)
        let other = try await ExtraStore(scene, at: Contestant.other, content: [])
        func prepare() async throws {
            try await other.remove()
            try other.open()
            try await profile.renew()
            try await profile.launch(profile.windows)
            try await profile.host?.restore()
        }
        // Saves once, to record what is saved.
        try await prepare()
        try await profile.host?.save()
        guard let changes = profile.recorder.takeCalls().saved.first else {
            throw WrongAnswer("nothing of a new profile was saved")
        }
        return Operation(
            prepare: prepare, perform: { try await profile.host?.save() },
            performFloor: {
                try await other.store.save(changes, profile.store.traits.greatestDurability)
            },
            check: {
                let saved = profile.recorder.takeCalls().saved
                try WrongAnswer.unless(
                    saved.count == 1 && Set(saved[0].changes) == Set(changes.changes),
                    "a new profile was saved as another set than the one before")
                try await profile.extra.check()
            },
            finish: {
                try await other.remove()
                try await profile.remove()
            })
    }
}
