import BrowserSessions
import LocalFiles
import SessionSamples

/// A store in addition to the scene's, with the same window.
final class ExtraStore {
    let scene: Scene
    let location: String
    var window: SceneWindow
    private let options: [String: OptionValue]
    private var opened: MeasuredStore?
    /// The state of each tab, which begins with the identifier of its tab.
    private var blob: [UInt8] = []

    /// Makes the store and leaves it open.
    ///
    /// - Parameters:
    ///   - suffix: what the store's location has behind that of the scene's.
    ///   - stateBytes: the bytes of state of each tab; 0 for none.
    ///   - options: options in addition to those of the contestant.
    init(
        _ scene: Scene, at suffix: String, stateBytes: Int = 0,
        options: [String: OptionValue] = [:]
    ) async throws(StorageError) {
        try scene.requireBackend()
        self.scene = scene
        self.options = options
        location = scene.location + suffix
        window = scene.window
        try open()
        try await store.save(window.changes, .processCrash)
        if stateBytes > 0 { try await saveStates(stateBytes) }
    }

    /// Throws if it is closed.
    var store: MeasuredStore {
        get throws(StorageError) {
            guard let opened else { throw StorageError(.closed, "the store is closed") }
            return opened
        }
    }

    func open() throws(StorageError) {
        opened = MeasuredStore(try scene.contestant.open(location, adding: options))
    }

    /// Does nothing if it is closed.
    func close() async throws(StorageError) {
        try await opened?.close()
        opened = nil
    }

    func remove() async throws(StorageError) {
        try await close()
        try await scene.remove(location)
    }

    // MARK: - Content

    /// Saves a state of each tab, in sets of about a megabyte.
    private func saveStates(_ count: Int) async throws(StorageError) {
        blob = scene.newBlob(count)
        let most = max(1, (1 << 20) / count)
        var first = 0
        while first < window.tabs.count {
            var changes = SessionChanges()
            for tab in window.tabs[first..<min(first + most, window.tabs.count)] {
                changes.put(state(of: tab), for: key(of: tab))
            }
            try await store.save(changes, .processCrash)
            first += most
        }
    }

    private func key(of tab: TabMetadata) -> TabStateKey {
        TabStateKey(tab: tab.id, name: .native, in: window.id)
    }

    private func state(of tab: TabMetadata) -> [UInt8] {
        Array((Array("\(tab.id)".utf8) + blob).prefix(blob.count))
    }

    /// Returns what differs in the window and some states of a store; `nil` if nothing does.
    func difference(in other: MeasuredStore) async throws(StorageError) -> String? {
        let found = try await other.restore(window.id)
        if let difference = window.difference(from: found) { return difference }
        guard !blob.isEmpty else { return nil }
        var expected: [TabStateKey: [UInt8]] = [:]
        for _ in 0..<16 {
            let tab = scene.sampler.generator.pick(window.tabs)
            expected[key(of: tab)] = state(of: tab)
        }
        let states = try await other.states(of: Array(expected.keys))
        return states == expected ? nil : "state is not as it was saved"
    }
}

extension SceneWindow {
    /// Changes some of the tabs, as browsing between two restore points does.
    mutating func changeTabs(_ changes: inout SessionChanges, _ sampler: inout SessionSampler) {
        var changed: Set<Int> = []
        for _ in 0..<min(50, tabs.count / 2) {
            changed.insert(sampler.generator.integer(in: 0...tabs.count - 1))
        }
        for index in changed.sorted() {
            sampler.mutate(&tabs[index])
            changes.put(tabs[index], in: id)
        }
    }
}
