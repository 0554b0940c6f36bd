import BrowserSessions
import SessionSamples

extension Workload {
    static let openWithPoints = Workload(
        "open-with-points", floor: .without, isSaving: false, use: .onRequest,
        happensAtLaunch: true, summary: "A closed store with 20 restore points is opened."
    ) { scene, job async throws(StorageError) in
        try scene.requirePoints()
        let run = OpenWithPointsRun(try await StorePair(scene, interval: 0))
        try await run.start()
        return run
    }

    static let saveWithPoints = Workload(
        "save-with-points", floor: .without, isSaving: false, use: .onRequest,
        comparesTails: true,
        summary: "One tab is saved to a store that takes a restore point each second."
    ) { scene, job async throws(StorageError) in
        try scene.requirePoints()
        let run = SaveWithPointsRun(try await StorePair(scene, interval: 1))
        try await run.start()
        return run
    }
}

extension Scene {
    fileprivate func requirePoints() throws(StorageError) {
        guard store.traits.takesRestorePoints else {
            throw StorageError(.unsupported, "it takes no restore points when asked")
        }
    }
}

/// Two stores with the same content: one has restore points; the other has at most the one
/// that an opening takes.
struct StorePair {
    let scene: Scene
    let pointed: ExtraStore
    let plain: ExtraStore

    /// - Parameter interval: the seconds between the points that the store takes by itself; 0 for none.
    init(_ scene: Scene, interval: Int) async throws(StorageError) {
        self.scene = scene
        pointed = try await ExtraStore(
            scene, at: Scene.points, options: ["restorePointInterval": .integer(interval)])
        plain = try await ExtraStore(
            scene, at: Scene.plain, options: ["restorePointInterval": 0])
    }

    /// Changes tabs of both windows in the same way.
    func change() -> SessionChanges {
        var changes = SessionChanges()
        pointed.window.changeTabs(&changes, &scene.sampler)
        plain.window = pointed.window
        return changes
    }

    func points() async throws(StorageError) -> Int {
        try await pointed.store.storage.restorePoints().count
    }

    /// Throws a wrong answer unless both stores have their window, and only one has points.
    func remove(expecting least: Int) async throws(StorageError) {
        let (count, none) = (
            try await points(), try await plain.store.storage.restorePoints().count
        )
        guard count >= least, none <= 1 else {
            throw WrongAnswer.error(
                "there are \(count) restore points, and \(none) where none are asked for")
        }
        for extra in [pointed, plain] {
            if let difference = try await extra.difference(in: extra.store) {
                throw WrongAnswer.error("with restore points, \(difference)")
            }
            try await extra.remove()
        }
    }
}

private final class OpenWithPointsRun: WorkloadRun {
    private let pair: StorePair

    private static let pointCount = 20

    init(_ pair: StorePair) { self.pair = pair }

    /// Takes the points, and makes the same changes without them.
    func start() async throws(StorageError) {
        for number in 0..<Self.pointCount {
            let changes = pair.change()
            for extra in [pair.pointed, pair.plain] {
                try await extra.store.save(changes, .processCrash)
            }
            _ = try await pair.pointed.store.storage.takeRestorePoint(
                name: "\(number)", pinned: true)
        }
        // The first opening after a change takes a point, and is not what is measured.
        _ = try await prepare()
        try pair.plain.open()
    }

    func prepare() async throws(StorageError) -> Int {
        try await pair.pointed.close()
        try await pair.plain.close()
        return 0
    }

    func operate() async throws(StorageError) { try pair.pointed.open() }

    func operateFloor() async throws(StorageError) { try pair.plain.open() }

    func check() async throws(StorageError) -> String? {
        guard try await pair.points() == Self.pointCount else {
            return "there are not as many restore points as were taken"
        }
        return try await pair.pointed.difference(in: pair.pointed.store)
    }

    func finish() async throws(StorageError) {
        _ = try await prepare()
        try pair.pointed.open()
        try pair.plain.open()
        try await pair.remove(expecting: Self.pointCount)
    }
}

private final class SaveWithPointsRun: WorkloadRun {
    private let pair: StorePair
    private var changes = SessionChanges()
    private let durability: Durability

    init(_ pair: StorePair) {
        self.pair = pair
        durability = pair.scene.store.traits.greatestDurability
    }

    /// Takes a first point, so that also the shortest run saves what a point has to keep.
    func start() async throws(StorageError) {
        _ = try await pair.pointed.store.storage.takeRestorePoint(name: "first", pinned: true)
    }

    func prepare() async throws(StorageError) -> Int {
        let index = pair.scene.sampler.generator.integer(
            in: 0...pair.pointed.window.tabs.count - 1)
        pair.scene.sampler.mutate(&pair.pointed.window.tabs[index])
        let tab = pair.pointed.window.tabs[index]
        pair.plain.window.tabs[index] = tab
        changes = SessionChanges()
        changes.put(tab, in: pair.pointed.window.id)
        return changes.logicalBytes
    }

    func operate() async throws(StorageError) {
        try await pair.pointed.store.save(changes, durability)
    }

    func operateFloor() async throws(StorageError) {
        try await pair.plain.store.save(changes, durability)
    }

    func finish() async throws(StorageError) {
        // The warm-up and the counts have no floor.
        var changes = SessionChanges()
        for tab in pair.plain.window.tabs { changes.put(tab, in: pair.plain.window.id) }
        try await pair.plain.store.save(changes, .processCrash)
        try await pair.remove(expecting: 1)
    }
}
