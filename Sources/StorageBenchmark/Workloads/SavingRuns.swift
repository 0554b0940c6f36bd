import BrowserSessions
import SessionSamples

/// A run in which each operation saves the changes of a closure, which also updates the scene.
class SavingRun: WorkloadRun {
    let scene: Scene
    var durability: Durability
    private let makeChanges: (Scene) -> SessionChanges
    private var changes = SessionChanges()
    /// The number of operations. After an even number, a moved tab is back in its place.
    private var count = 0

    init(_ scene: Scene, _ job: Job, _ makeChanges: @escaping (Scene) -> SessionChanges) {
        self.scene = scene
        self.makeChanges = makeChanges
        durability = job.durability
    }

    func prepare() async throws(StorageError) -> Int {
        changes = makeChanges(scene)
        count += 1
        return changes.logicalBytes
    }

    func operate() async throws(StorageError) { try await scene.store.save(changes, durability) }

    func finish() async throws(StorageError) {
        if !count.isMultiple(of: 2) { try await scene.save(makeChanges(scene)) }
        try await scene.removeBlobs()
    }
}

extension Scene {
    func removeBlobs() async throws(StorageError) {
        guard !blobs.isEmpty else { return }
        // Closing and opening the store makes sure that the last save is compared, too.
        try await reopen()
        guard try await store.states(of: Array(blobs.keys)) == blobs else {
            throw WrongAnswer.error("state is not as it was saved")
        }
        var changes = SessionChanges()
        for key in blobs.keys { changes.remove(key) }
        blobs = [:]
        try await save(changes)
    }
}

/// A wrong answer that is found in code that can only throw errors.
enum WrongAnswer {
    private static let mark = "compare"

    static func error(_ message: String) -> StorageError {
        StorageError(.corrupted, message, operation: mark)
    }

    /// Returns what was wrong if the error stands for a wrong answer; otherwise, `nil`.
    static func message(_ error: StorageError) -> String? {
        error.operation == mark ? error.message : nil
    }
}

/// A run that inserts a new tab before the middle, after removing the previous operation's tab, so
/// that the window keeps its size.
final class InsertRun: WorkloadRun {
    private let scene: Scene
    private let durability: Durability
    private var changes = SessionChanges()
    private var inserted: TabID?

    init(_ scene: Scene, _ job: Job) {
        self.scene = scene
        durability = job.durability
    }

    func prepare() async throws(StorageError) -> Int {
        try await finish()
        let index = scene.window.moverIndex
        let before = index > 0 ? scene.window.tabs[index - 1].place : nil
        let tab = scene.sampler.tab(at: .between(before, and: scene.window.tabs[index].place))
        scene.window.tabs.insert(tab, at: index)
        inserted = tab.id
        changes = SessionChanges()
        changes.put(tab, in: scene.window.id)
        return changes.logicalBytes
    }

    func operate() async throws(StorageError) { try await scene.store.save(changes, durability) }

    /// Removes the inserted tab.
    func finish() async throws(StorageError) {
        guard let tab = inserted else { return }
        inserted = nil
        scene.window.tabs.removeAll { $0.id == tab }
        var changes = SessionChanges()
        changes.remove(tab, from: scene.window.id)
        // The durability is that of the operation, which otherwise would have to sync this save, too.
        try await scene.store.save(changes, durability)
    }
}

/// A run that saves a window that the store does not have, and removes it before the next operation.
final class NewSessionRun: WorkloadRun {
    private let scene: Scene
    private let durability: Durability
    private let session: SceneWindow
    private let changes: SessionChanges
    private let bytes: Int
    private var isThere = false

    init(_ scene: Scene, _ job: Job) {
        self.scene = scene
        durability = job.durability
        session = SceneWindow(scene.sampler.window(tabs: job.tabs))
        changes = session.changes
        bytes = changes.logicalBytes
    }

    func prepare() async throws(StorageError) -> Int {
        try await finish()
        isThere = true
        return bytes
    }

    func operate() async throws(StorageError) { try await scene.store.save(changes, durability) }

    func check() async throws(StorageError) -> String? {
        session.difference(from: try await scene.store.restore(session.id))
    }

    func finish() async throws(StorageError) {
        guard isThere else { return }
        isThere = false
        var changes = SessionChanges()
        changes.remove(session.id)
        try await scene.store.save(changes, durability)
    }
}

/// A run that closes all tabs of the window at once, and brings them back.
final class CloseAllRun: WorkloadRun {
    private let scene: Scene
    private let durability: Durability
    private let closing: SessionChanges
    private let undoing: SessionChanges
    private let bytes: Int

    init(_ scene: Scene, _ job: Job) {
        self.scene = scene
        durability = job.durability
        var closed = scene.window
        closed.id.kind = .recentlyClosed
        closing = Self.moving(closed, from: scene.window.id)
        undoing = Self.moving(scene.window, from: closed.id)
        bytes = closing.logicalBytes + undoing.logicalBytes
    }

    private static func moving(_ window: SceneWindow, from old: SessionID) -> SessionChanges {
        var changes = window.changes
        changes.remove(old)
        return changes
    }

    func prepare() async throws(StorageError) -> Int { bytes }

    func operate() async throws(StorageError) {
        try await scene.store.save(closing, durability)
        try await scene.store.save(undoing, durability)
    }
}
