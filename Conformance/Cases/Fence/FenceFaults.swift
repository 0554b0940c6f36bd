import BrowserSessions
import StorageEngines

extension FaultyBackend {
    /// Leaves the incognito sets of a replaced owner to the next one.
    static func leavingIncognito() -> FaultyBackend {
        let heritage = FaultMemory<[String: [SessionChanges]]>([:])
        return FaultyBackend(
            "leaves-incognito-behind", says: "deleted incognito sessions that are there",
            onMedium: { medium, configuration in
                let location = configuration.location
                let store = try medium.open(configuration)
                for changes in heritage.use({ $0.removeValue(forKey: location) ?? [] }) {
                    _ = try store.saveBlocking(changes, durability: .memory)
                }
                let own = FaultMemory<[SessionChanges]>([])
                return store.after(SaveRequest.self) { save, _ in
                    if save.changes.partition == .incognito {
                        own.use { $0.append(save.changes) }
                    }
                }.on(CloseRequest.self) { close, store in
                    do throws(StorageError) {
                        _ = try await store.sessions()
                    } catch {
                        if error.code == .fenced { heritage.use { $0[location] = own.value } }
                    }
                    try await close.perform(on: store)
                }
            })
    }
}
