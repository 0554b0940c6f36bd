public import BrowserSessions

/// What a storage was asked for, and with what.
///
/// A test can compare whole calls (`storage.calls == [.sessions, .restore([id], .current)]`) or look
/// at parts of one.
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

        /// Whether its calls read or change single sessions, not the whole store or a side.
        var concernsSessions: Bool {
            switch self {
            case .restore, .state, .stateKeys, .save: true
            case .sessions, .summaries, .generations, .deleteIncognito, .check, .repair,
                .purgeQuarantine, .eraseRemoved, .close:
                false
            }
        }
    }

    /// Which method was called.
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

    /// What was to be saved; `nil` for other calls.
    public var changes: SessionChanges? {
        if case .save(let changes, _) = self { changes } else { nil }
    }

    /// The level that was asked for; `nil` for other calls than `save`.
    public var durability: Durability? {
        if case .save(_, let durability) = self { durability } else { nil }
    }

    /// The sessions that the call names, each once and ascending; `[]` if it names none. A state is
    /// named by its tab alone, which may be in any session of its side.
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

    /// The tabs that the call names, themselves or by a state, each once and ascending.
    public var tabIDs: [TabID] {
        switch self {
        case .state(let keys): Set(keys.map(\.tab)).sorted()
        case .save(let changes, _): Set(changes.changes.compactMap(\.tabID)).sorted()
        case .sessions, .summaries, .generations, .restore, .stateKeys, .deleteIncognito, .check,
            .repair, .purgeQuarantine, .eraseRemoved, .close:
            []
        }
    }

    /// The states that the call reads, puts or removes by their keys, in its order. What goes with
    /// a tab that is removed is not among them.
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
