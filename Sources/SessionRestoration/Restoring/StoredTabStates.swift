import BrowserModel
import BrowserSessions

/// Reads the state of unrealized tabs of a partition from the store.
final class StoredTabStates: TabStateSource {
    private let saves: SaveDriver
    private let saved: SavedPartition
    private let extraStates: [StateName]

    init(_ saves: SaveDriver, _ partition: StoragePartition, extra: [StateName]) {
        self.saves = saves
        saved = saves.partition(partition)
        extraStates = extra
    }

    private var names: [StateName] { [.navigation, .native] + extraStates }

    /// Returns the state that is not saved yet, if it is complete. Blobs that did not change are
    /// only in the store.
    func stateInMemory(of tab: Tab) -> TabState? {
        let waiting = waiting(tab.id, names)
        guard waiting.count == names.count,
            case .some(.some(let navigation)) = waiting[key(tab.id, .navigation)],
            let history = try? NavigationHistory(encoded: navigation)
        else { return nil }
        var state = TabState(history: history)
        state.nativeBlob = waiting[key(tab.id, .native)] ?? nil
        for name in extraStates { state.extra[name] = waiting[key(tab.id, name)] ?? nil }
        return state
    }

    /// Returns the blobs that are not saved yet; `nil` for blobs to be removed.
    private func waiting(_ tab: TabID, _ names: [StateName]) -> [TabStateKey: [UInt8]?] {
        var blobs: [TabStateKey: [UInt8]?] = [:]
        for name in names {
            if let blob = saved.pending.unsavedState(name, of: tab) {
                blobs.updateValue(blob, forKey: key(tab, name))
            }
        }
        return blobs
    }

    func loadState(of tab: Tab) async throws -> TabState {
        if let state = stateInMemory(of: tab) { return state }
        return try await loadStates(of: [tab.metadata])[tab.id] ?? TabState()
    }

    func realizeSoon(_ tab: Tab) {
        weak let target = tab
        saves.work.enqueue { try? await target?.forceRealization() }
    }

    /// Reads the states of several tabs together, including unsaved changes. Every tab has a state;
    /// a damaged or absent history becomes one entry with the tab's address and title.
    func loadStates(of tabs: [TabMetadata]) async throws(StorageError) -> [TabID: TabState] {
        let blobs = try await blobs(of: tabs.map(\.id), names)
        var states: [TabID: TabState] = [:]
        for tab in tabs { states[tab.id] = state(of: tab, blobs) }
        return states
    }

    /// Reads the icons of tabs that have one, including unsaved changes. A damaged icon is left
    /// out, because the page provides another.
    func loadIcons(of tabs: [TabID]) async throws(StorageError) -> [TabID: [UInt8]] {
        let blobs = try await blobs(of: tabs, [.icon])
        return Dictionary(uniqueKeysWithValues: blobs.map { ($0.key.tab, $0.value) })
    }

    /// Returns the blobs that are not saved yet, and the others from the store.
    private func blobs(of tabs: [TabID], _ names: [StateName]) async throws(StorageError)
        -> [TabStateKey: [UInt8]]
    {
        let waiting = tabs.reduce(into: [:]) { all, tab in
            all.merge(self.waiting(tab, names)) { first, _ in first }
        }
        let keys = tabs.flatMap { tab in names.map { key(tab, $0) } }
            .filter { waiting[$0] == nil }
        var blobs: [TabStateKey: [UInt8]] = [:]
        do throws(StorageError) {
            if !keys.isEmpty {
                blobs = try await saves.store.call { try await $0.states(of: keys) }
            }
        } catch {
            guard error.code == .corrupted else { throw error }
            blobs = try await readOneByOne(keys)
        }
        blobs.merge(waiting.compactMapValues(\.self)) { _, newer in newer }
        return blobs
    }

    private func key(_ tab: TabID, _ name: StateName) -> TabStateKey {
        TabStateKey(tab: tab, name: name, partition: saved.partition)
    }

    private func readOneByOne(_ keys: [TabStateKey]) async throws(StorageError)
        -> [TabStateKey: [UInt8]]
    {
        var blobs: [TabStateKey: [UInt8]] = [:]
        for key in keys {
            do throws(StorageError) {
                blobs[key] = try await saves.store.call { try await $0.states(of: [key])[key] }
            } catch {
                guard error.code == .corrupted else { throw error }
                if key.name == .navigation { saves.notify(.historyLost(key.tab)) }
            }
        }
        return blobs
    }

    func state(of tab: TabMetadata, _ blobs: [TabStateKey: [UInt8]]) -> TabState {
        var state = TabState(
            history: NavigationHistory(url: tab.url, title: tab.title, time: tab.lastActiveAt))
        if tab.url.isEmpty { state.history = NavigationHistory() }
        if let bytes = blobs[key(tab.id, .navigation)] {
            if let history = try? NavigationHistory(encoded: bytes) {
                state.history = history
            } else {
                saves.notify(.historyLost(tab.id))
            }
        }
        state.nativeBlob = blobs[key(tab.id, .native)]
        for name in extraStates { state.extra[name] = blobs[key(tab.id, name)] }
        return state
    }
}
