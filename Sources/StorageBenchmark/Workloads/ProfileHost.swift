import BrowserModel
import BrowserSessions
import Logging
import SessionRestoration
import SessionSamples

/// The measured part of a browser's profile over a store: its windows and their restorer.
actor ProfileHost {
    private let windows: WindowList
    private let restorer: SessionRestorer

    /// - Parameters:
    ///   - storage: the profile's store.
    ///   - opened: windows that are open before anything is restored. Each tab has a history.
    init(_ storage: any SessionStorage, opened: [SceneWindow] = []) throws {
        windows = WindowList(now: { SessionSampler.now })
        for window in opened { try Self.open(window, in: windows) }
        var policy = RestorationPolicy()
        // With these settings, only the measured work saves or moves anything.
        policy.saveDelay = .seconds(24 * 60 * 60)
        policy.inactiveAge = nil
        restorer = SessionRestorer(
            windows: windows, storage: storage, policy: policy, now: { SessionSampler.now },
            logger: Logger(label: "storagebench") { _ in SwiftLogNoOpLogHandler() })
    }

    private static func open(_ saved: SceneWindow, in windows: WindowList) throws {
        let window = try windows.open(saved.id.window, attributes: saved.attributes)
        let tabs = saved.tabs.map { metadata in
            Tab(
                unrealized: metadata,
                state: TabState(history: SampleState.history(of: metadata)))
        }
        window.tabs.restore(tabs, nodes: saved.nodes, active: saved.attributes.activeTab)
    }

    func restore() async throws { try await restorer.restore() }

    /// Waits until nothing goes on that restoring began.
    func waitUntilIdle() async { await restorer.waitUntilIdle() }

    func save() async throws { try await restorer.save() }

    func close() async throws { try await restorer.close() }

    /// Gives a tab another title. Returns its metadata; `nil` if there is no such tab.
    func retitle(_ tab: TabID, _ title: String) -> TabMetadata? {
        guard let tab = windows.lazy.compactMap({ $0.tabs.tab(tab) }).first else { return nil }
        tab.setTitle(title)
        return tab.metadata
    }

    /// Throws a ``WrongAnswer`` if the windows are not as they were saved.
    func check(_ saved: [SceneWindow]) throws {
        try WrongAnswer.unless(
            windows.count == saved.count, "\(windows.count) windows came back of \(saved.count)")
        for expected in saved {
            guard let window = windows.window(expected.id.window, kind: expected.id.kind),
                window.tabs.map(\.metadata) == expected.tabs, window.tabs.nodes == expected.nodes
            else { throw WrongAnswer("the tabs of a window are not as they were saved") }
            guard let active = window.tabs.activeTab, active.id == expected.attributes.activeTab,
                window.tabs.allSatisfy({ $0.isRealized == ($0 === active) })
            else {
                throw WrongAnswer(
                    "a window has another active tab, or other realized tabs than that")
            }
        }
    }
}

extension Error {
    /// The error of the store, also behind a restorer; `nil` if it is another.
    var ofStorage: StorageError? {
        if case .storage(let error)? = self as? SessionRestorationError { return error }
        return self as? StorageError
    }
}
