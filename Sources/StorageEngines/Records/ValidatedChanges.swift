public import BrowserSessions

/// A change set that meets the rules that need no store. It is checked once, where it enters.
struct ValidatedChanges {
    let set: SessionChanges
    /// The partition that all changes concern; `nil` if there are no changes.
    let partition: StoragePartition?

    init(_ set: SessionChanges, maximumStateBytes: Int) throws(StorageError) {
        self.set = set
        partition = try ChangeRules.check(set.changes, maximumStateBytes: maximumStateBytes)
    }
}

/// The rules for a change set.
enum ChangeRules {
    /// The maximum size of a session or tab record, 1 MiB.
    static let maximumRecordBytes = 1 << 20

    /// Returns the partition that all changes concern; `nil` for an empty set. Throws if they
    /// concern both, two of them concern the same record or contradict each other, or something is
    /// too large.
    fileprivate static func check(_ changes: [SessionChanges.Change], maximumStateBytes: Int)
        throws(StorageError) -> StoragePartition?
    {
        var result: StoragePartition?
        for change in changes {
            let partition = try check(change, maximumStateBytes)
            if let result, result != partition {
                throw invalid(
                    "a change set concerns either the regular or the incognito partition; save two sets"
                )
            }
            result = partition
        }
        if changes.count > 1 { try checkContradictions(changes) }
        return result
    }

    /// Checks the sizes of one change; returns its partition.
    private static func check(_ change: SessionChanges.Change, _ maximumStateBytes: Int)
        throws(StorageError) -> StoragePartition
    {
        switch change {
        case .putTab(let tab, let id) where tab.place.length > OrderKey.maximumLength:
            throw StorageError(
                .tooLarge,
                """
                the place of tab \(tab.id) has \(tab.place.length) bytes, the limit is \
                \(OrderKey.maximumLength); renumber the session's places
                """, subject: .tab(tab.id, in: id))
        case .putNode(let node, let id) where node.place.length > OrderKey.maximumLength:
            throw StorageError(
                .tooLarge,
                """
                the place of node \(node.id) has \(node.place.length) bytes, the limit is \
                \(OrderKey.maximumLength); renumber the places of its siblings
                """, subject: .node(node.id, in: id))
        case .putState(let bytes, let key) where bytes.count > maximumStateBytes:
            throw StorageError(
                .tooLarge,
                """
                the '\(key.name.rawValue)' state of tab \(key.tab) has \(bytes.count) bytes, the limit \
                is \(maximumStateBytes); raise 'maximumStateBytes' or save less
                """, subject: .state(key))
        default: return change.partition
        }
    }

    private static func checkContradictions(_ changes: [SessionChanges.Change])
        throws(StorageError)
    {
        var sessions: Set<SessionID> = []
        var removedSessions: Set<SessionID> = []
        var putTabs: [TabID: SessionID] = [:]
        var putNodes: [NodeID: SessionID] = [:]
        var removedTabs: Set<TabInSession> = []
        var removedNodes: Set<NodeInSession> = []
        var states: Set<TabStateKey> = []
        for change in changes {
            let isNew: Bool
            switch change {
            case .putSession(let id, _): isNew = sessions.insert(id).inserted
            case .removeSession(let id):
                isNew = sessions.insert(id).inserted
                removedSessions.insert(id)
            case .putTab(let tab, let id):
                isNew = putTabs.updateValue(id, forKey: tab.id) == nil
            case .removeTab(let tab, let id):
                isNew = removedTabs.insert(TabInSession(tab: tab, session: id)).inserted
            case .putNode(let node, let id):
                isNew = putNodes.updateValue(id, forKey: node.id) == nil
            case .removeNode(let node, let id):
                isNew = removedNodes.insert(NodeInSession(node: node, session: id)).inserted
            case .putState(_, let key), .removeState(let key):
                isNew = states.insert(key).inserted
            }
            if !isNew {
                throw invalid("two changes concern the same record", change.subject)
            }
        }
        try checkTabs(putTabs, removedTabs, removedSessions)
        try checkNodes(putNodes, removedNodes, removedSessions, putTabs)
        try checkStates(of: removedTabs, putTabs, states)
    }

    private static func checkTabs(
        _ put: [TabID: SessionID], _ removed: Set<TabInSession>, _ removedSessions: Set<SessionID>
    ) throws(StorageError) {
        for (tab, session) in put {
            if removedSessions.contains(session) {
                throw invalid(
                    "a tab is put into a session that the same set removes",
                    .tab(tab, in: session))
            }
            if removed.contains(TabInSession(tab: tab, session: session)) {
                throw invalid(
                    "a tab is both put into and removed from the same session",
                    .tab(tab, in: session))
            }
        }
    }

    private static func checkNodes(
        _ put: [NodeID: SessionID], _ removed: Set<NodeInSession>,
        _ removedSessions: Set<SessionID>, _ tabs: [TabID: SessionID]
    ) throws(StorageError) {
        for (node, session) in put {
            let subject = StorageError.Subject.node(node, in: session)
            if removedSessions.contains(session) {
                throw invalid("a node is put into a session that the same set removes", subject)
            }
            if removed.contains(NodeInSession(node: node, session: session)) {
                throw invalid("a node is both put into and removed from the same session", subject)
            }
            if tabs[TabID(node)] != nil {
                throw invalid("a tab and another node have the same identifier", subject)
            }
        }
    }

    private static func checkStates(
        of removed: Set<TabInSession>, _ put: [TabID: SessionID], _ states: Set<TabStateKey>
    ) throws(StorageError) {
        guard !removed.isEmpty, !states.isEmpty else { return }
        let gone = Set(removed.map(\.tab)).subtracting(put.keys)
        if let key = states.first(where: { gone.contains($0.tab) }) {
            throw invalid("a state changes of a tab that the same set removes", .state(key))
        }
    }

    private struct NodeInSession: Hashable {
        var node: NodeID
        var session: SessionID
    }

    private struct TabInSession: Hashable {
        var tab: TabID
        var session: SessionID
    }

    /// Checks the size of a session or tab record, in bytes.
    static func checkRecord(of subject: StorageError.Subject, _ length: Int) throws(StorageError) {
        guard length > maximumRecordBytes else { return }
        throw StorageError(
            .tooLarge,
            """
            the metadata of \(subject) takes \(length) bytes, the limit is \(maximumRecordBytes)
            """, subject: subject)
    }

    static func invalid(_ message: String, _ subject: StorageError.Subject? = nil) -> StorageError {
        let about = subject.map { " (\($0))" } ?? ""
        return StorageError(
            .invalidChanges, "the change set was refused: \(message)\(about)", subject: subject)
    }
}

extension SessionChanges.Change {
    /// The record that it changes.
    var subject: StorageError.Subject {
        switch self {
        case .putSession(let id, _), .removeSession(let id): .session(id)
        case .putTab(let tab, let id): .tab(tab.id, in: id)
        case .removeTab(let tab, let id): .tab(tab, in: id)
        case .putNode(let node, let id): .node(node.id, in: id)
        case .removeNode(let node, let id): .node(node, in: id)
        case .putState(_, let key), .removeState(let key): .state(key)
        }
    }
}

extension RecordKey {
    /// The session or tab that the record describes; `nil` for other records.
    var subject: StorageError.Subject? {
        switch self {
        case .session(let id): .session(id)
        case .tab(let id, let tab): .tab(tab, in: id)
        case .node(let id, let node): .node(node, in: id)
        default: nil
        }
    }
}

extension StorageError.Subject: CustomStringConvertible {
    /// The name, without anything that a page could have made up.
    public var description: String {
        switch self {
        case .session(let id): "session \(id)"
        case .tab(let tab, _): "tab \(tab)"
        case .node(let node, _): "node \(node)"
        case .state(let key): "the '\(key.name.rawValue)' state of tab \(key.tab)"
        }
    }
}
