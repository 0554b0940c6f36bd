import BrowserSessions
import CommandLineSupport
import SessionSamples

/// A store with a big window and a small one, and its expected content.
final class Scene {
    let contestant: Contestant
    /// The program of companions.
    let executable: String
    let location: String
    let floor: Floor
    let pageCache: PageCache
    var role: BenchResult.Role { contestant.role }
    private(set) var store: MeasuredStore
    var sampler: SessionSampler
    /// The window of the measured size.
    var window: SceneWindow
    /// A small window that exchanges tabs with the big one.
    var second: SceneWindow
    /// The expected state.
    var blobs: [TabStateKey: [UInt8]] = [:]

    /// The suffixes of the locations of the contestant's other stores.
    static let (profile, other, fresh) = ("-profile", "-other", "-fresh")
    static let (beside, points, plain) = ("-beside", "-points", "-plain")
    static let otherStores = [profile, other, fresh, beside, points, plain]

    /// Opens a new store in the folder and saves both windows.
    init(
        _ contestant: Contestant, tabs: Int, seed: UInt64, folder: String,
        pageCache: PageCache = .kept, executable: String = OwnProgram.path
    ) async throws(StorageError) {
        self.contestant = contestant
        self.executable = executable
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

    /// Throws `unsupported` if the contestant stores nothing on a disk.
    func requireMedium() throws(StorageError) {
        guard role == .dry else { return }
        throw StorageError(.unsupported, "it has nothing on the disk")
    }

    /// Throws `unsupported` if the contestant has no files on this machine.
    func requireFiles() throws(StorageError) {
        try requireMedium()
        guard contestant.form == .address else { return }
        throw StorageError(.unsupported, "its files are elsewhere")
    }

    /// Removes a store of the same contestant.
    func remove(_ location: String) async throws(StorageError) {
        try await contestant.remove(location)
    }

    /// Throws `unsupported` if the contestant is not a backend.
    func requireBackend() throws(StorageError) {
        guard role != .backend else { return }
        throw StorageError(.unsupported, "it is no backend")
    }

    /// Throws `unsupported` if the contestant is a store that does something.
    func requireNoStore() throws(StorageError) {
        guard role != .dry else { return }
        throw StorageError(.unsupported, "it is the same with each store")
    }

    /// Saves changes outside the measured operations. They survive the end of the process.
    func save(_ changes: SessionChanges) async throws(StorageError) {
        try await store.save(changes, .processCrash)
    }

    /// Saves what differs in another content of the window, outside the measured operations.
    func replaceWindow(with window: SceneWindow) async throws(StorageError) {
        let old = Dictionary(uniqueKeysWithValues: self.window.tabs.map { ($0.id, $0) })
        var changes = SessionChanges()
        changes.put(window.attributes, for: window.id)
        for tab in window.tabs where old[tab.id] != tab { changes.put(tab, in: window.id) }
        let nodes = Dictionary(uniqueKeysWithValues: self.window.nodes.map { ($0.id, $0) })
        for node in window.nodes where nodes[node.id] != node { changes.put(node, in: window.id) }
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

    func open() throws(StorageError) { store = MeasuredStore(try contestant.open(location)) }

    /// Opens a store of the same contestant.
    func store(at location: String) throws(StorageError) -> MeasuredStore {
        MeasuredStore(try contestant.open(location))
    }

    /// Makes a store with the expected content of this one and closes it.
    func saveAnew(_ location: String) async throws(StorageError) {
        let other = try store(at: location)
        for window in [window, second] { try await other.save(window.changes, .processCrash) }
        var changes = SessionChanges()
        for (key, blob) in blobs { changes.put(blob, for: key) }
        if !blobs.isEmpty { try await other.save(changes, .processCrash) }
        try await other.close()
    }

    func reopen() async throws(StorageError) {
        try await close()
        try open()
    }

    // MARK: - Comparing

    /// Returns what differs from what was saved; `nil` if nothing does.
    func difference() async throws(StorageError) -> String? {
        for expected in [window, second] {
            let found = try await store.restore(expected.id)
            if let difference = expected.difference(from: found) { return difference }
        }
        let sessions = Set(try await store.sessions())
        guard sessions == [window.id, second.id] else {
            return "there are \(sessions.count) sessions instead of 2"
        }
        let states = try await store.states(of: Array(blobs.keys))
        guard states == blobs else { return "state is not as it was saved" }
        return nil
    }
}

/// The expected content of a window.
struct SceneWindow: Sendable {
    var id: SessionID
    var attributes: SessionAttributes
    /// The tabs, in order.
    var tabs: [TabMetadata]
    /// The groups, in order.
    var nodes: [StructureNode]

    init(_ snapshot: SessionSnapshot) {
        id = snapshot.id
        attributes = snapshot.attributes
        tabs = snapshot.tabs.map(\.metadata)
        nodes = snapshot.nodes
    }

    /// The entire content, as one set.
    var changes: SessionChanges {
        var changes = SessionChanges()
        changes.put(attributes, for: id)
        for node in nodes { changes.put(node, in: id) }
        for tab in tabs { changes.put(tab, in: id) }
        return changes
    }

    /// The index of the tab that moves, which is in the middle.
    var moverIndex: Int { tabs.count / 2 }

    /// Removes the middle tab from its group and openers, so that moving it needs no repairs.
    mutating func freeMover() {
        let index = moverIndex
        guard tabs.indices.contains(index) else { return }
        if let group = tabs[index].group {
            for member in tabs.indices where tabs[member].group == group {
                tabs[member].group = nil
            }
            nodes.removeAll { $0.id == group }
        }
        let id = tabs[index].id
        tabs[index].opener = nil
        tabs[index].isPinned = false
        for other in tabs.indices where tabs[other].opener?.tab == id { tabs[other].opener = nil }
        if attributes.activeTab == id { attributes.activeTab = tabs.first?.id }
    }

    /// Returns what is wrong in a restored session; `nil` if nothing is.
    func difference(from found: RestoredSession?) -> String? {
        guard let found else { return "a session of \(tabs.count) tabs is not there" }
        guard found.id == id, found.attributes == attributes else {
            return "the attributes of a session are not as they were saved"
        }
        guard found.nodes == nodes else {
            return "the groups of a session are not as they were saved"
        }
        guard found.tabs.count == tabs.count else {
            return "\(found.tabs.count) tabs came back of \(tabs.count)"
        }
        if let place = tabs.indices.first(where: { tabs[$0] != found.tabs[$0] }) {
            return "tab \(place + 1) of \(tabs.count) is not as it was saved"
        }
        guard found.provenance == .intact, found.losses.isEmpty else {
            return "a session came back as \(found.provenance.rawValue)"
        }
        return nil
    }
}
