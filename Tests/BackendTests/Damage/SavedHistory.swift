import BrowserSessions
import SessionSamples

/// What a store was given: everything that was ever saved, and what each partition held after each set.
struct SavedHistory: Sendable {
    private(set) var current: [SessionID: SessionSnapshot] = [:]
    /// What the partitions held after each of their sets; the first entry is the empty partition.
    private(set) var history: [StoragePartition: [[SessionID: SessionSnapshot]]] = [
        .regular: [[:]], .incognito: [[:]],
    ]
    private(set) var tabs: [TabID: Set<TabMetadata>] = [:]
    private(set) var states: [TabStateKey: Set<[UInt8]>] = [:]
    private(set) var attributes: [SessionID: Set<SessionAttributes>] = [:]

    /// Takes down what is there once `changes` were applied.
    mutating func note(_ changes: SessionChanges, _ expected: [SessionSnapshot]) {
        for change in changes.changes {
            switch change {
            case .putSession(let id, let new): attributes[id, default: []].insert(new)
            case .putTab(let tab, _): tabs[tab.id, default: []].insert(tab)
            case .putState(let bytes, let key): states[key, default: []].insert(bytes)
            case .removeSession, .removeTab, .putNode, .removeNode, .removeState: break
            }
        }
        guard let partition = changes.changes.first?.partition else { return }
        current = current.filter { $0.key.partition != partition }
        for session in expected { current[session.id] = session }
        let sessions = sessions(of: partition)
        history[partition]?.append(sessions)
    }

    func sessions(of partition: StoragePartition) -> [SessionID: SessionSnapshot] {
        current.filter { $0.key.partition == partition }
    }
}

extension SessionSnapshot {
    /// The keys of all its blobs with their bytes.
    var blobs: [TabStateKey: [UInt8]] {
        var blobs: [TabStateKey: [UInt8]] = [:]
        for tab in tabs {
            for (name, bytes) in tab.states {
                blobs[TabStateKey(tab: tab.metadata.id, name: name, in: id)] = bytes
            }
        }
        return blobs
    }

    /// Whether a restored session is this one: attributes and tabs.
    func equals(_ restored: RestoredSession) -> Bool {
        restored.id == id && restored.attributes == attributes
            && restored.tabs == tabs.map(\.metadata)
    }
}
