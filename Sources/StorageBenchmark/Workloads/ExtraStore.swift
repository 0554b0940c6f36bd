import BrowserSessions
import SessionSamples

/// A store of a backend in addition to the scene's.
final class ExtraStore {
    let scene: Scene
    let location: String
    /// The windows that it holds, by default the scene's.
    var windows: [SceneWindow]
    private let options: [String: OptionValue]
    private var opened: MeasuredStore?
    /// The state of each tab, which begins with the identifier of its tab.
    private var blob: [UInt8] = []

    /// Makes the store and leaves it open.
    ///
    /// - Parameters:
    ///   - suffix: what the store's location has behind that of the scene's.
    ///   - content: the sets to save; by default the windows.
    ///   - options: options in addition to those of the contestant.
    init(
        _ scene: Scene, at suffix: String = Contestant.extra, _ windows: [SceneWindow]? = nil,
        content: [SessionChanges]? = nil, options: [String: OptionValue] = [:]
    ) async throws {
        try scene.requireBackend()
        self.scene = scene
        self.options = options
        self.windows = windows ?? [scene.window]
        location = scene.location + suffix
        try open()
        for changes in content ?? self.windows.map(\.changes) {
            try await store.save(changes, .processCrash)
        }
    }

    /// Throws if it is closed.
    var store: MeasuredStore {
        get throws {
            guard let opened else { throw StorageError(.closed, "the store is closed") }
            return opened
        }
    }

    func open() throws {
        opened = MeasuredStore(try scene.contestant.open(location, adding: options))
    }

    /// Does nothing if it is closed.
    func close() async throws {
        try await opened?.close()
        opened = nil
    }

    func reopen() async throws {
        try await close()
        try open()
    }

    func remove() async throws {
        try await close()
        try await scene.contestant.remove(location)
    }

    // MARK: - Content

    /// Saves a state of each of the first tabs, in sets of about a megabyte. Saves the same each time.
    func saveStates(_ count: Int, of tabs: Int = .max) async throws {
        if blob.isEmpty { blob = scene.newBlob(count) }
        let most = max(1, (1 << 20) / count)
        var rest = windows[0].tabs.prefix(tabs)
        while !rest.isEmpty {
            var changes = SessionChanges()
            for tab in rest.prefix(most) {
                changes.put(state(of: tab), for: windows[0].key(of: tab))
            }
            try await store.save(changes, .processCrash)
            rest = rest.dropFirst(most)
        }
    }

    private func state(of tab: TabMetadata) -> [UInt8] {
        Array((Array("\(tab.id)".utf8) + blob).prefix(blob.count))
    }

    /// Throws a ``WrongAnswer`` if a store, by default this one, lacks a window or some state.
    func check(in other: MeasuredStore? = nil) async throws {
        let other = try other ?? store
        for window in windows { try await window.check(in: other) }
        guard !blob.isEmpty else { return }
        var expected: [TabStateKey: [UInt8]] = [:]
        for _ in 0..<16 {
            let tab = scene.sampler.generator.pick(windows[0].tabs)
            expected[windows[0].key(of: tab)] = state(of: tab)
        }
        let states = try await other.states(of: Array(expected.keys))
        try WrongAnswer.unless(states == expected, "state is not as it was saved")
    }
}
