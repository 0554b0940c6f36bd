import BrowserSessions

/// The states of tabs in a session as far as they can be read.
struct ReadableStates {
    private(set) var states: [TabStateKey: [UInt8]] = [:]
    /// The tabs with states that cannot be read.
    private(set) var damaged: Set<TabID> = []

    init(
        of tabs: Set<TabID>, in session: SessionID, _ store: any SessionStorage,
        _ version: SessionVersion
    ) async throws(StorageError) {
        var keys: [TabStateKey] = []
        do throws(StorageError) {
            keys = try await store.stateKeys(in: session, at: version)
                .filter { tabs.contains($0.tab) }
            states = try await store.states(of: keys, at: version)
            return
        } catch {
            // The point went meanwhile, as when data is cleared, and its states with it.
            guard [.corrupted, .notFound].contains(error.code) else { throw error }
            if keys.isEmpty { damaged = tabs }
        }
        for key in keys {
            do throws(StorageError) {
                states[key] = try await store.state(of: key, at: version)
            } catch {
                guard [.corrupted, .notFound].contains(error.code) else { throw error }
                damaged.insert(key.tab)
            }
        }
    }
}

extension SessionRecords {
    /// Returns the tabs of earlier sessions that are here with other states. One with earlier states that
    /// cannot be read, or are larger than the store takes, keeps those that it has.
    func tabs(
        of store: any SessionStorage, thatWereOtherwise source: any SessionStorage,
        _ version: SessionVersion, _ past: [RestoredSession]
    ) async throws(StorageError) -> Set<TabID> {
        var different: Set<TabID> = []
        for session in past {
            // So many states are in memory at a time.
            for start in stride(from: 0, to: session.tabs.count, by: 256) {
                let tabs = session.tabs[start...].prefix(256).map(\.id)
                let then = try await ReadableStates(of: Set(tabs), in: session.id, source, version)
                let large = then.states.filter { $1.count > store.traits.maximumStateBytes }
                    .map(\.key.tab)
                for (id, tabs) in Dictionary(grouping: tabs, by: { self[.tab($0)]?.session }) {
                    guard let id else { continue }
                    let tabs = Set(tabs).subtracting(then.damaged).subtracting(large)
                    let now = try await ReadableStates(of: tabs, in: id, store, .current)
                    let keys = Set(then.states.keys).union(now.states.keys)
                        .filter { tabs.contains($0.tab) && then.states[$0] != now.states[$0] }
                    different.formUnion(now.damaged.union(keys.map(\.tab)))
                }
            }
        }
        return different
    }
}
