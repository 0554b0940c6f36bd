import BrowserSessions
import SessionSamples

/// A store with a big window and a small one, and its expected content.
final class Scene {
    let contestant: Contestant
    let location: String
    let floor: Floor
    let pageCache: PageCache
    private(set) var store: MeasuredStore
    var sampler: SessionSampler
    /// The window of the measured size.
    var window: SceneWindow
    /// A small window that exchanges tabs with the big one.
    var second: SceneWindow
    /// The expected state.
    var blobs: [TabStateKey: [UInt8]] = [:]
    /// The bytes that the next operation writes, which floor A appends.
    var logicalBytes = 0
    /// Whether the page cache was dropped each time that a job wanted it; `nil` if none did.
    var isCold: Bool?

    /// Opens a new store in the folder and saves both windows.
    init(
        _ contestant: Contestant, tabs: Int, seed: UInt64, folder: String,
        pageCache: PageCache = .kept
    ) async throws(StorageError) {
        self.contestant = contestant
        self.pageCache = pageCache
        location = contestant.location(in: folder)
        floor = try Floor(folder)
        sampler = SessionSampler(seed: seed)
        window = SceneWindow(sampler.window(tabs: tabs))
        second = SceneWindow(sampler.window(tabs: 4))
        window.freeMover()
        store = MeasuredStore(try contestant.open(location))
        try await save(window.changes)
        try await save(second.changes)
    }

    /// Throws `unsupported` if the contestant is not a backend.
    func requireBackend() throws(StorageError) {
        try require(contestant.role == .backend, "it is no backend")
    }

    /// Throws `unsupported` if the contestant has no files on this machine.
    func requireFiles() throws(StorageError) {
        try require(contestant.role != .dry, "it has nothing on the disk")
        try require(contestant.form != .address, "its files are elsewhere")
    }

    /// Throws `unsupported` with the reason unless the contestant can do it.
    func require(_ canDo: Bool, _ reason: String) throws(StorageError) {
        if !canDo { throw StorageError(.unsupported, reason) }
    }

    /// Saves changes outside the measured operations. They survive the end of the process.
    func save(_ changes: SessionChanges) async throws(StorageError) {
        try await store.save(changes, .processCrash)
    }

    /// Saves what differs in another content of the window, outside the measured operations.
    func replaceWindow(with window: SceneWindow) async throws(StorageError) {
        let old = Dictionary(uniqueKeysWithValues: self.window.tabs.map { ($0.id, $0) })
        var changes = SessionChanges()
        for node in window.nodes { changes.put(node, in: window.id) }
        for tab in window.tabs where old[tab.id] != tab { changes.put(tab, in: window.id) }
        let kept = Set(window.nodes.map(\.id))
        for node in self.window.nodes where !kept.contains(node.id) {
            changes.remove(node.id, from: window.id)
        }
        try await save(changes)
        self.window = window
    }

    /// Returns a blob of the given number of bytes, with different content each time.
    func newBlob(_ count: Int) -> [UInt8] {
        SampleState.blob(bytes: count, using: &sampler.generator)
    }

    // MARK: - Closing and opening

    func close() async throws(StorageError) { try await store.close() }

    func open() throws(StorageError) { store = try store(at: location) }

    /// Opens a store of the same contestant.
    func store(at location: String) throws(StorageError) -> MeasuredStore {
        MeasuredStore(try contestant.open(location))
    }

    func reopen() async throws(StorageError) {
        try await close()
        try open()
    }

    /// Drops the page cache. A single operation with a warm cache makes the whole row warm.
    func dropCache() { isCold = pageCache.drop() && isCold ?? true }

    // MARK: - Comparing

    /// Throws a ``WrongAnswer`` if the store does not hold what was saved.
    func check() async throws {
        for expected in [window, second] { try await expected.check(in: store) }
        let sessions = Set(try await store.storage.sessions())
        try WrongAnswer.unless(
            sessions == [window.id, second.id], "there are \(sessions.count) sessions instead of 2")
        try await checkBlobs(in: store)
    }

    /// Throws a ``WrongAnswer`` if a store lacks a state.
    func checkBlobs(in store: MeasuredStore) async throws {
        let states = try await store.states(of: Array(blobs.keys))
        try WrongAnswer.unless(states == blobs, "state is not as it was saved")
    }

    /// Compares all state, also after closing and opening, and removes it.
    func removeBlobs() async throws {
        guard !blobs.isEmpty else { return }
        try await reopen()
        try await checkBlobs(in: store)
        var changes = SessionChanges()
        for key in blobs.keys { changes.remove(key) }
        blobs = [:]
        try await save(changes)
    }
}
