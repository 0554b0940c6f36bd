import BrowserSessions

/// A store that applies change sets at once, without tasks: what a coordinator's random host saves to.
struct SimulatedStore {
    struct StoredTab: Hashable {
        var metadata: TabMetadata
        var session: SessionID
    }

    private(set) var attributes: [SessionID: SessionAttributes] = [:]
    private(set) var tabs: [TabID: StoredTab] = [:]
    private var blobs: [TabStateKey: [UInt8]] = [:]
    private var sequences: [StoragePartition: UInt64] = [:]

    /// Returns the number of changes that the saved state of a tab has; -1 if there is no state.
    func stateVersion(of tab: TabID, in session: SessionID) throws -> Int {
        let key = TabStateKey(tab: tab, name: .navigation, in: session)
        guard let bytes = blobs[key] else { return -1 }
        return Int(try NavigationHistory(encoded: bytes).entries[0].title) ?? -1
    }

    /// Applies a set, or throws what a store would throw.
    mutating func save(
        _ changes: SessionChanges, in partition: StoragePartition, _ durability: Durability
    ) throws(StorageError) -> SaveReceipt {
        let last = sequences[partition, default: 0]
        if let expected = changes.expectedSequence, expected != last {
            throw StorageError(.conflict, "the last set is \(last), not \(expected)")
        }
        var put: Set<TabID> = []
        for case .put(.tab(let tab, _)) in changes.changes { put.insert(tab.id) }
        for change in changes.changes { apply(change, keeping: put) }
        if !changes.changes.isEmpty { sequences[partition] = last + 1 }
        return SaveReceipt(
            sequence: sequences[partition, default: 0], durability: durability)
    }

    private mutating func apply(_ change: SessionChanges.Change, keeping put: Set<TabID>) {
        switch change {
        case .put(.session(let id, let new)): attributes[id] = new
        case .remove(.session(let id), _):
            attributes[id] = nil
            for (tab, stored) in tabs where stored.session == id && !put.contains(tab) {
                remove(tab)
            }
        case .put(.tab(let tab, let session)):
            tabs[tab.id] = StoredTab(metadata: tab, session: session)
        case .remove(.tab(let tab), let session): if tabs[tab]?.session == session { remove(tab) }
        case .putState(let bytes, let key): blobs[key] = bytes
        case .removeState(let key): blobs[key] = nil
        case .put(.node), .remove(.node, _): break
        }
    }

    private mutating func remove(_ tab: TabID) {
        tabs[tab] = nil
        for key in blobs.keys where key.tab == tab { blobs[key] = nil }
    }

    mutating func deleteIncognito() {
        attributes = attributes.filter { $0.key.partition == .regular }
        for (tab, stored) in tabs where stored.session.partition == .incognito { remove(tab) }
        sequences[.incognito] = nil
    }
}
