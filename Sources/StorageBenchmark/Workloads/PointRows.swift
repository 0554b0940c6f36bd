import BrowserSessions

/// The cost of restore points: a store with points, and as the floor one with the same content that
/// has at most the one that an opening takes.
enum PointRows {
    static let all = [
        Workload(
            name: "open-with-points", floor: .without, isSaving: false, use: .onRequest,
            happensAtLaunch: true, summary: "A closed store with 20 restore points is opened."
        ) { scene, _ in try await opening(try await StorePair(scene, interval: 0)) },
        Workload(
            name: "save-with-points", floor: .without, isSaving: false, use: .onRequest,
            comparesTails: true,
            summary: "One tab is saved to a store that takes a restore point each second."
        ) { scene, _ in try await saving(try await StorePair(scene, interval: 1)) },
    ]

    private static func opening(_ pair: StorePair) async throws -> Operation {
        for number in 0..<20 {
            var changes = SessionChanges()
            pair.pointed.windows[0].changeTabs(&changes, &pair.scene.sampler)
            pair.plain.windows = pair.pointed.windows
            try await pair.save(changes)
            _ = try await pair.storage.takeRestorePoint(name: "\(number)", pinned: true)
        }
        // The first opening after a change takes a point, and is not what is measured.
        try await pair.plain.reopen()
        func close() async throws {
            try await pair.pointed.close()
            try await pair.plain.close()
        }
        return Operation(
            prepare: close,
            perform: { try pair.pointed.open() }, performFloor: { try pair.plain.open() },
            check: {
                let count = try await pair.storage.restorePoints().count
                try WrongAnswer.unless(
                    count == 20, "there are not as many restore points as were taken")
                try await pair.pointed.check()
            },
            finish: {
                try await close()
                try pair.pointed.open()
                try pair.plain.open()
                try await pair.remove(expecting: 20)
            })
    }

    private static func saving(_ pair: StorePair) async throws -> Operation {
        let durability = pair.scene.store.traits.greatestDurability
        // With a first point, also the shortest run saves what a point has to keep.
        _ = try await pair.storage.takeRestorePoint(name: "first", pinned: true)
        var changes = SessionChanges()
        return Operation(
            prepare: {
                changes = SessionChanges()
                let tab = pair.pointed.windows[0].changedTab(&pair.scene.sampler)
                pair.plain.windows = pair.pointed.windows
                changes.put(tab, in: pair.pointed.windows[0].id)
            },
            perform: { try await pair.pointed.store.save(changes, durability) },
            performFloor: { try await pair.plain.store.save(changes, durability) },
            finish: {
                // The warm-up and the counts have no floor.
                try await pair.plain.store.save(pair.plain.windows[0].changes, .processCrash)
                try await pair.remove(expecting: 1)
            })
    }
}

/// Two stores with the same content: only one has restore points.
private struct StorePair {
    let scene: Scene
    let pointed: ExtraStore
    let plain: ExtraStore

    /// - Parameter interval: the seconds between the points that the store takes by itself; 0 for none.
    init(_ scene: Scene, interval: Int) async throws {
        try scene.requirePoints()
        self.scene = scene
        pointed = try await ExtraStore(
            scene, at: Contestant.extra, options: ["restorePointInterval": .integer(interval)])
        plain = try await ExtraStore(
            scene, at: Contestant.other, options: ["restorePointInterval": 0])
    }

    /// The store with points.
    var storage: any SessionStorage { get throws { try pointed.store.storage } }

    func save(_ changes: SessionChanges) async throws {
        for extra in [pointed, plain] { try await extra.store.save(changes, .processCrash) }
    }

    /// Throws a ``WrongAnswer`` unless both stores have their window, and only one has points.
    func remove(expecting least: Int) async throws {
        let count = try await storage.restorePoints().count
        let none = try await plain.store.storage.restorePoints().count
        try WrongAnswer.unless(
            count >= least && none <= 1,
            "there are \(count) restore points, and \(none) where none are asked for")
        for extra in [pointed, plain] {
            try await extra.check()
            try await extra.remove()
        }
    }
}
