import BrowserModel
import BrowserSessions

/// Reads the state of unrealized tabs from the store of one side.
final class StoredTabStates: TabStateSource {
    private let storage: StorageHolder
    private let saver: SideSaver
    private let work: HostWork
    private let extraStates: [StateName]

    init(_ storage: StorageHolder, _ saver: SideSaver, _ work: HostWork, extra: [StateName]) {
        self.storage = storage
        self.saver = saver
        self.work = work
        extraStates = extra
    }

    /// What was given to the restorer and is not saved yet.
    func stateInMemory(of tab: Tab) -> TabState? {
        guard case .some(.some(let navigation)) = saver.unsavedState(.navigation, of: tab.id),
            let history = try? NavigationHistory(encoded: navigation)
        else { return nil }
        var state = TabState(history: history)
        state.native = saver.unsavedState(.native, of: tab.id) ?? nil
        for name in extraStates { state.extra[name] = saver.unsavedState(name, of: tab.id) ?? nil }
        return state
    }

    func loadState(of tab: Tab) async throws -> TabState {
        if let state = stateInMemory(of: tab) { return state }
        return try await loadStates(of: [tab.metadata])[tab.id] ?? TabState()
    }

    func realizeSoon(_ tab: Tab) {
        weak let target = tab
        work.enqueue { try? await target?.forceRealization() }
    }

    /// The states of several tabs in one go. Each has an answer: a damaged or absent history is one
    /// entry of the tab's address and title.
    func loadStates(of tabs: [TabMetadata]) async throws(StorageError) -> [TabID: TabState] {
        let names = [.navigation, .native] + extraStates
        let keys = tabs.flatMap { tab in names.map { key(tab.id, $0) } }
        let blobs: [TabStateKey: [UInt8]]
        do throws(StorageError) {
            blobs = try await storage.current.state(of: keys)
        } catch {
            guard error.code == .corrupted else { throw error }
            blobs = try await readOneByOne(keys)
        }
        var states: [TabID: TabState] = [:]
        for tab in tabs { states[tab.id] = state(of: tab, blobs) }
        return states
    }

    private func key(_ tab: TabID, _ name: StateName) -> TabStateKey {
        TabStateKey(tab: tab, name: name, side: saver.side)
    }

    private func readOneByOne(_ keys: [TabStateKey]) async throws(StorageError)
        -> [TabStateKey: [UInt8]]
    {
        var blobs: [TabStateKey: [UInt8]] = [:]
        for key in keys {
            do throws(StorageError) {
                blobs[key] = try await storage.current.state(of: key)
            } catch {
                guard error.code == .corrupted else { throw error }
                if key.name == .navigation { saver.onNotice(.historyLost(key.tab)) }
            }
        }
        return blobs
    }

    private func state(of tab: TabMetadata, _ blobs: [TabStateKey: [UInt8]]) -> TabState {
        var state = TabState(
            history: NavigationHistory(url: tab.url, title: tab.title, time: tab.lastActiveAt))
        if tab.url.isEmpty { state.history = NavigationHistory() }
        if let bytes = blobs[key(tab.id, .navigation)] {
            if let history = try? NavigationHistory(encoded: bytes) {
                state.history = history
            } else {
                saver.onNotice(.historyLost(tab.id))
            }
        }
        state.native = blobs[key(tab.id, .native)]
        for name in extraStates { state.extra[name] = blobs[key(tab.id, name)] }
        return state
    }
}
