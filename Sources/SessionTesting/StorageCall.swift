public import BrowserSessions

/// A call of a storage with its arguments.
///
/// A test can compare complete calls (`storage.calls == [.sessions, .restore([id], .current)]`) or
/// check parts of one.
public enum StorageCall: Hashable, Sendable {
    case sessions
    case summaries
    case generations
    case restore([SessionID], SessionGeneration)
    case state([TabStateKey])
    case stateKeys(SessionID)
    case save(SessionChanges, Durability)
    case deleteIncognito
    case check
    case repair
    case purgeQuarantine
    case eraseRemoved
    case close

    /// The methods of `SessionStorage`.
    public enum Operation: String, Hashable, Sendable, CaseIterable {
        case sessions
        case summaries
        case generations
        case restore
        case state
        case stateKeys = "state keys"
        case save
        case deleteIncognito = "delete incognito"
        case check
        case repair
        case purgeQuarantine = "purge quarantine"
        case eraseRemoved = "erase removed"
        case close

        /// Whether its calls read or change single sessions, not the whole store or a partition.
        var concernsSessions: Bool {
            switch self {
            case .restore, .state, .stateKeys, .save: true
            case .sessions, .summaries, .generations, .deleteIncognito, .check, .repair,
                .purgeQuarantine, .eraseRemoved, .close:
                false
            }
        }
    }

    /// The method that was called.
    public var operation: Operation {
        switch self {
        case .sessions: .sessions
        case .summaries: .summaries
        case .generations: .generations
        case .restore: .restore
        case .state: .state
        case .stateKeys: .stateKeys
        case .save: .save
        case .deleteIncognito: .deleteIncognito
        case .check: .check
        case .repair: .repair
        case .purgeQuarantine: .purgeQuarantine
        case .eraseRemoved: .eraseRemoved
        case .close: .close
        }
    }

    /// The changes to save; `nil` for other calls.
    public var changes: SessionChanges? {
        if case .save(let changes, _) = self { changes } else { nil }
    }

    /// The requested durability; `nil` for calls other than `save`.
    public var durability: Durability? {
        if case .save(_, let durability) = self { durability } else { nil }
    }

    /// The sessions that the call names, ascending and without duplicates; `[]` if there are none.
    /// A state is identified by its tab, which can be in any session of its partition.
    public var sessionIDs: [SessionID] {
        switch self {
        case .restore(let ids, _): Set(ids).sorted()
        case .stateKeys(let id): [id]
        case .save(let changes, _): Set(changes.changes.compactMap(\.sessionID)).sorted()
        case .sessions, .summaries, .generations, .state, .deleteIncognito, .check, .repair,
            .purgeQuarantine, .eraseRemoved, .close:
            []
        }
    }

    /// The tabs that the call names, directly or by a state, ascending and without duplicates.
    public var tabIDs: [TabID] {
        switch self {
        case .state(let keys): Set(keys.map(\.tab)).sorted()
        case .save(let changes, _): Set(changes.changes.compactMap(\.tabID)).sorted()
        case .sessions, .summaries, .generations, .restore, .stateKeys, .deleteIncognito, .check,
            .repair, .purgeQuarantine, .eraseRemoved, .close:
            []
        }
    }

    /// The states that the call reads, puts or removes by key, in the order of the call. Excludes
    /// the states that are removed with a tab.
    public var keys: [TabStateKey] {
        switch self {
        case .state(let keys): keys
        case .save(let changes, _): changes.changes.compactMap(\.key)
        case .sessions, .summaries, .generations, .restore, .stateKeys, .deleteIncognito, .check,
            .repair, .purgeQuarantine, .eraseRemoved, .close:
            []
        }
    }
}

extension SessionChanges.Change {
    fileprivate var sessionID: SessionID? {
        switch self {
        case .putSession(let id, _), .removeSession(let id), .putTab(_, let id),
            .removeTab(_, let id):
            id
        case .putState, .removeState: nil
        }
    }

    fileprivate var tabID: TabID? {
        switch self {
        case .putTab(let tab, _): tab.id
        case .removeTab(let id, _): id
        case .putState(_, let key), .removeState(let key): key.tab
        case .putSession, .removeSession: nil
        }
    }

    fileprivate var key: TabStateKey? {
        switch self {
        case .putState(_, let key), .removeState(let key): key
        case .putSession, .removeSession, .putTab, .removeTab: nil
        }
    }
}
