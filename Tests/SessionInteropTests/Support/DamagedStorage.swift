import BrowserSessions
import SessionTesting

/// A store in memory that reports damage.
struct DamagedStorage: StorageDecorator {
    let base: any SessionStorage = MemoryStorage()
    var provenance = RestoredSession.Provenance.intact
    var losses: [Loss] = []
    /// Tabs with states that cannot be read.
    var damaged: Set<TabID> = []

    func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
        -> [RestoredSession]
    {
        var found = try await base.restore(ids, at: version)
        for index in found.indices {
            found[index].losses = losses
            if found[index].id.kind.role != .notes { found[index].provenance = provenance }
        }
        return found
    }

    func states(of keys: [TabStateKey], at version: SessionVersion) async throws(StorageError)
        -> [TabStateKey: [UInt8]]
    {
        guard keys.allSatisfy({ !damaged.contains($0.tab) }) else {
            throw StorageError(.corrupted, "a state is damaged", operation: "state")
        }
        return try await base.states(of: keys, at: version)
    }
}
