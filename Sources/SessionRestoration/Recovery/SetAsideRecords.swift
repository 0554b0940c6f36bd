import BrowserModel
import BrowserSessions
import Logging

/// The sessions that were set aside.
final class SetAsideRecords {
    private let context: RestorerContext
    private var records: [SessionID: SetAsideSession] = [:] {
        didSet { context.savedItemsChanged() }
    }

    init(_ context: RestorerContext) { self.context = context }

    subscript(id: SessionID) -> SetAsideSession? {
        get { records[id] }
        set { records[id] = newValue }
    }

    /// The sessions, the newest first.
    var sessions: [SetAsideSession] {
        records.values.sorted { ($0.date, $0.id) > ($1.date, $1.id) }
    }

    // MARK: At launch

    /// Adds the sessions that earlier processes set aside.
    func found(_ sessions: [RestoredSession]) {
        for session in sessions {
            records[session.id] = SetAsideSession(
                id: session.id, tabs: session.tabs.count, shownTab: session.shownTab,
                attributes: session.attributes)
        }
    }

    /// Sets windows aside in one change set, so that a killed process leaves all or none of them.
    func setAside(
        _ sessions: [RestoredSession], _ reason: SetAsideReason
    ) async throws(StorageError) {
        guard !sessions.isEmpty else { return }
        var changes = SessionChanges()
        let moved = sessions.map { session in
            var copy = session
            copy.id = SessionID(window: .random(), kind: .setAside)
            copy.attributes = session.attributes.setAside(
                from: session.id, reason, at: context.clock.now)
            changes.put(copy.attributes, for: copy.id)
            if session.id.kind.role == .library {
                let rest = session.withoutTabs
                let kept = Set(rest.nodes.map(\.id))
                copy = copy.renamed(
                    Dictionary(uniqueKeysWithValues: kept.map { ($0, NodeID.random()) }))
                changes.put(rest)
                for node in session.nodes where !kept.contains(node.id) {
                    changes.remove(node.id, from: session.id)
                }
            } else {
                changes.remove(session.id)
            }
            for node in copy.nodes { changes.put(node, in: copy.id) }
            for tab in copy.tabs { changes.put(tab, in: copy.id) }
            return copy
        }
        try await context.store.applyInTurn(changes)
        context.logger.warning(
            "windows were set aside",
            metadata: ["windows": "\(moved.count)", "reason": "\(reason.rawValue)"])
        found(moved)
    }

    // MARK: While the app runs

    /// Discards acknowledged sessions that are too old or too many, and reports them.
    ///
    /// Called after a save of this process: until something newer is saved, the sessions may be the
    /// only copy. Discards nothing if something could not be read at launch.
    func discardOld() {
        guard context.phase == .running, context.report?.isSuspicious == false else { return }
        let policy = context.policy.crashes
        var acknowledged: [(id: SessionID, mark: StoreAge.Mark)] = []
        for (id, record) in records where record.isAcknowledged {
            if let mark = record.attributes.ageMark, context.age.knows(mark) {
                acknowledged.append((id, mark))
            } else {
                seen(id)
            }
        }
        acknowledged.sort { ($0.mark.value, $0.id) > ($1.mark.value, $1.id) }
        var dropped = DroppedItems()
        for (index, entry) in acknowledged.enumerated() {
            let isOld = context.age.isOlder(entry.mark, than: policy.setAsideAge)
            if isOld || index >= policy.maximumSetAside { dropped.setAside.append(entry.id) }
        }
        guard !dropped.isEmpty else { return }
        for id in dropped.setAside { forget(id) }
        context.report(.dropped(dropped))
    }

    /// Starts the age of a session that this store has not measured yet.
    private func seen(_ id: SessionID) {
        guard var record = records[id] else { return }
        record.attributes.ageMark = context.age.next()
        records[id] = record
        context.saves.regular.mark(.content(record.attributes, for: id))
    }

    /// Removes a session without waiting for the store.
    func forget(_ id: SessionID) {
        records[id] = nil
        context.saves.regular.mark(.removed(id))
    }
}

extension RestoredSession {
    /// The tab that represents the session in a list: the active tab, otherwise the last used.
    var shownTab: TabMetadata? {
        tabs.first { $0.id == attributes.activeTab } ?? tabs.shownTab
    }
}

extension [TabMetadata] {
    /// The tab that was last used; `nil` if there is none.
    var shownTab: TabMetadata? {
        self.max { ($0.lastActiveAt, $0.id) < ($1.lastActiveAt, $1.id) }
    }
}

/// The tabs of spaces, which leave the library with the groups and splits that they are in, and come back.
///
/// Spaces, folders and containers stay. What leaves has copies of them, which name them.
extension RestoredSession {
    /// Returns the session with other identifiers for some nodes, which note the old ones.
    func renamed(_ names: [NodeID: NodeID]) -> RestoredSession {
        var session = self
        for index in nodes.indices {
            session.nodes[index].parent = nodes[index].parent.map { names[$0] ?? $0 }
            guard let name = names[nodes[index].id] else { continue }
            session.nodes[index].id = name
            session.nodes[index].properties[SavedProperty.nodeID] = nodes[index].id.description
        }
        for index in tabs.indices {
            session.tabs[index].parent = tabs[index].parent.map { names[$0] ?? $0 }
        }
        return session
    }

    /// Returns the library as it was before tabs left it, with these alone.
    var backInLibrary: RestoredSession {
        let names = nodes.compactMap { copy in
            copy.properties[SavedProperty.nodeID].flatMap { NodeID($0) }.map { (copy.id, $0) }
        }
        var session = renamed(Dictionary(names, uniquingKeysWith: { first, _ in first }))
        session.id = SessionID(window: .profileWide, kind: .library)
        session.attributes = session.attributes.broughtBack
        return session
    }
}
