public import BrowserSessions

/// A call of a storage with its arguments.
///
/// A test can compare complete calls (`storage.calls == [.sessions, .restore([id], .current)]`) or
/// check parts of one.
public enum StorageCall: Hashable, Sendable {
    /// `sessions()`, which lists the saved sessions.
    case sessions
    /// `sessions(at:)` of a restore point, with the point.
    case sessionsAtPoint(RestorePointID)
    /// `summaries()`, which describes the saved sessions.
    case summaries
    /// `restorePoints()`, which lists the points that the store keeps.
    case restorePoints
    /// `restorePointBytes()`, which says what the points take.
    case restorePointBytes
    /// `earlierTabs()`, which lists the tabs that only points have.
    case earlierTabs
    /// `takeRestorePoint(name:pinned:)` with its arguments.
    case takeRestorePoint(name: String, pinned: Bool)
    /// `releaseRestorePoint(_:)` with the point.
    case releaseRestorePoint(RestorePointID)
    /// `restore(_:at:)` with the requested sessions and their version.
    case restore([SessionID], SessionVersion)
    /// `states(of:at:)` with the keys of the requested states and their version.
    case states([TabStateKey], SessionVersion = .current)
    /// `stateKeys(in:at:)` with the session to list the states of, and its version.
    case stateKeys(SessionID, SessionVersion = .current)
    /// `save(_:durability:)` with the change set and the requested durability.
    case save(SessionChanges, Durability)
    /// `deleteIncognito()`, which deletes the incognito partition.
    case deleteIncognito
    /// `check()`, which looks for damage and changes nothing.
    case check
    /// `repair()`, which gives up what was lost.
    case repair
    /// `purgeQuarantine()`, which deletes what was replaced or taken out.
    case purgeQuarantine
    /// `eraseRemoved()`, which erases the traces of removed data from the files.
    case eraseRemoved
    /// `forget(_:isDryRun:)` with the sites.
    case forget(ForgottenSites, isDryRun: Bool)
    /// `close()`, which ends the use of the store.
    case close

    /// The methods of `SessionStorage`. The raw value is the operation that errors name.
    public enum Operation: String, Hashable, Sendable, CaseIterable {
        /// Lists the saved sessions.
        case sessions
        /// Describes the saved sessions without restoring them.
        case summaries
        /// Lists the restore points that the store keeps.
        case restorePoints = "restore points"
        /// Says what the restore points take.
        case restorePointBytes = "restore point bytes"
        /// Lists the tabs that only restore points have.
        case earlierTabs = "earlier tabs"
        /// Takes a restore point.
        case takeRestorePoint = "take restore point"
        /// Gives up a restore point.
        case releaseRestorePoint = "release restore point"
        /// Reads sessions with their tabs.
        case restore
        /// Reads states of tabs.
        case states
        /// Lists the states of the tabs in a session.
        case stateKeys = "state keys"
        /// Applies a change set.
        case save
        /// Deletes the incognito partition.
        case deleteIncognito = "delete incognito"
        /// Looks for damage and changes nothing.
        case check
        /// Repairs the store and gives up what was lost.
        case repair
        /// Deletes what was replaced or taken out.
        case purgeQuarantine = "purge quarantine"
        /// Erases the traces of removed data from the files.
        case eraseRemoved = "erase removed"
        /// Removes what leads to sites.
        case forget
        /// Ends the use of the store.
        case close

        /// Whether its calls read or change single sessions, not the whole store or a partition.
        var concernsSessions: Bool {
            switch self {
            case .restore, .states, .stateKeys, .save: true
            case .sessions, .summaries, .restorePoints, .restorePointBytes, .earlierTabs,
                .takeRestorePoint,
                .releaseRestorePoint,
                .deleteIncognito, .check, .repair,
                .purgeQuarantine, .eraseRemoved, .forget, .close:
                false
            }
        }
    }

    /// The method that was called.
    public var operation: Operation {
        switch self {
        case .sessions, .sessionsAtPoint: .sessions
        case .summaries: .summaries
        case .restorePoints: .restorePoints
        case .restorePointBytes: .restorePointBytes
        case .earlierTabs: .earlierTabs
        case .takeRestorePoint: .takeRestorePoint
        case .releaseRestorePoint: .releaseRestorePoint
        case .restore: .restore
        case .states: .states
        case .stateKeys: .stateKeys
        case .save: .save
        case .deleteIncognito: .deleteIncognito
        case .check: .check
        case .repair: .repair
        case .purgeQuarantine: .purgeQuarantine
        case .eraseRemoved: .eraseRemoved
        case .forget: .forget
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
        case .stateKeys(let id, _): [id]
        case .save(let changes, _): Set(changes.changes.compactMap(\.sessionID)).sorted()
        case .sessions, .sessionsAtPoint, .summaries, .restorePoints, .restorePointBytes,
            .earlierTabs,
            .takeRestorePoint,
            .releaseRestorePoint,
            .states, .deleteIncognito, .check, .repair,
            .purgeQuarantine, .eraseRemoved, .forget, .close:
            []
        }
    }

    /// The tabs that the call names, directly or by a state, ascending and without duplicates.
    public var tabIDs: [TabID] {
        switch self {
        case .states(let keys, _): Set(keys.map(\.tab)).sorted()
        case .save(let changes, _): Set(changes.changes.compactMap(\.tabID)).sorted()
        case .sessions, .sessionsAtPoint, .summaries, .restorePoints, .restorePointBytes,
            .earlierTabs,
            .takeRestorePoint,
            .releaseRestorePoint,
            .restore, .stateKeys, .deleteIncognito, .check,
            .repair, .purgeQuarantine, .eraseRemoved, .forget, .close:
            []
        }
    }

    /// The states that the call reads, puts or removes by key, in the order of the call. Excludes
    /// the states that are removed with a tab.
    public var keys: [TabStateKey] {
        switch self {
        case .states(let keys, _): keys
        case .save(let changes, _): changes.changes.compactMap(\.key)
        case .sessions, .sessionsAtPoint, .summaries, .restorePoints, .restorePointBytes,
            .earlierTabs,
            .takeRestorePoint,
            .releaseRestorePoint,
            .restore, .stateKeys, .deleteIncognito, .check,
            .repair, .purgeQuarantine, .eraseRemoved, .forget, .close:
            []
        }
    }
}

extension SessionChanges.Change {
    fileprivate var sessionID: SessionID? {
        switch self {
        case .putSession(let id, _), .removeSession(let id), .putTab(_, let id),
            .removeTab(_, let id), .putNode(_, let id), .removeNode(_, let id):
            id
        case .putState, .removeState: nil
        }
    }

    fileprivate var tabID: TabID? {
        switch self {
        case .putTab(let tab, _): tab.id
        case .removeTab(let id, _): id
        case .putState(_, let key), .removeState(let key): key.tab
        case .putSession, .removeSession, .putNode, .removeNode: nil
        }
    }

    fileprivate var key: TabStateKey? {
        switch self {
        case .putState(_, let key), .removeState(let key): key
        case .putSession, .removeSession, .putTab, .removeTab, .putNode, .removeNode: nil
        }
    }
}
