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
    init(_ storage: any SessionStorage, opened: [SceneWindow] = []) throws(StorageError) {
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

    private static func open(_ saved: SceneWindow, in windows: WindowList) throws(StorageError) {
        do throws(WindowListError) {
            let window = try windows.open(saved.id.window, attributes: saved.attributes)
            let tabs = saved.tabs.map { metadata in
                Tab(
                    unrealized: metadata,
                    state: HeldTabState(TabState(history: SampleState.history(of: metadata))),
                    engine: PageHistoryEngine())
            }
            window.tabs.restore(
                tabs, nodes: saved.nodes, active: saved.attributes.activeTab)
        } catch {
            throw StorageError(.failed, "\(error)", operation: "open a window")
        }
    }

    func restore() async throws(StorageError) {
        do throws(SessionRestorationError) { try await restorer.restore() } catch {
            throw error.asStorageError
        }
    }

    /// Waits until nothing goes on that restoring began.
    func waitUntilIdle() async { await restorer.waitUntilIdle() }

    func save() async throws(StorageError) {
        do throws(SessionRestorationError) { try await restorer.save() } catch {
            throw error.asStorageError
        }
    }

    func close() async throws(StorageError) {
        do throws(SessionRestorationError) { try await restorer.close() } catch {
            throw error.asStorageError
        }
    }

    /// Gives a tab another title. Returns its metadata; `nil` if there is no such tab.
    func retitle(_ tab: TabID, _ title: String) -> TabMetadata? {
        guard let tab = windows.lazy.compactMap({ $0.tabs.tab(tab) }).first else { return nil }
        tab.setTitle(title)
        return tab.metadata
    }

    /// Moves a group to the end of its window, or else to the beginning. Returns its record.
    func move(_ group: NodeID, toEnd isToEnd: Bool) throws(StorageError) -> StructureNode? {
        guard let list = windows.lazy.map(\.tabs).first(where: { $0.node(group) != nil }) else {
            return nil
        }
        do throws(TabListError) {
            try list.move(group, to: .top(.normal, isToEnd ? .last : .first))
        } catch {
            throw StorageError(.failed, "\(error)", operation: "move a group")
        }
        return list.node(group)
    }

    /// Returns how windows differ from what was saved; `nil` if they do not.
    func difference(from saved: [SceneWindow]) -> String? {
        guard windows.count == saved.count else {
            return "\(windows.count) windows came back of \(saved.count)"
        }
        for expected in saved {
            guard let window = windows.window(expected.id.window, kind: expected.id.kind),
                window.tabs.map(\.metadata) == expected.tabs, window.tabs.nodes == expected.nodes
            else { return "the tabs of a window are not as they were saved" }
            guard let active = window.tabs.activeTab, active.id == expected.attributes.activeTab,
                window.tabs.allSatisfy({ $0.isRealized == ($0 === active) })
            else { return "a window has another active tab, or other realized tabs than that" }
        }
        return nil
    }
}

extension SessionRestorationError {
    fileprivate var asStorageError: StorageError {
        if case .storage(let error) = self { return error }
        return StorageError(.failed, "\(self)", operation: "host")
    }
}
