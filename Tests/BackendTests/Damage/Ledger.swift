import BrowserSessions
import SessionSamples

/// What a store was told: everything that was ever saved, and what each side held after each set.
struct Ledger: Sendable {
    private(set) var current: [SessionID: SessionSnapshot] = [:]
    /// What the sides held after each of their sets; the first entry is the empty side.
    private(set) var history: [StorageSide: [[SessionID: SessionSnapshot]]] = [
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
            case .removeSession, .removeTab, .removeState: break
            }
        }
        guard let side = changes.changes.first?.side else { return }
        current = current.filter { $0.key.side != side }
        for session in expected { current[session.id] = session }
        let sessions = sessions(of: side)
        history[side]?.append(sessions)
    }

    func sessions(of side: StorageSide) -> [SessionID: SessionSnapshot] {
        current.filter { $0.key.side == side }
    }
}

extension SessionChanges.Change {
    var side: StorageSide {
        switch self {
        case .putSession(let id, _), .removeSession(let id), .putTab(_, let id),
            .removeTab(_, let id):
            id.side
        case .putState(_, let key), .removeState(let key): key.side
        }
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
