import BrowserSessions

/// What a change set does to which records, without their content.
///
/// A change has hundreds of bytes with references, so a set is read here once, and the rules look at
/// this.
struct ChangeOutline {
    /// A tab or another node that the set puts.
    struct Put: Equatable {
        var session: SessionID
        var parent: NodeID?
        var edge: NodeEdge
        var zone: NodeZone
        /// `nil` for a tab.
        var kind: StructureNode.Kind?

        func item(_ id: NodeID) -> SessionItem { kind == nil ? .tab(TabID(id)) : .node(id) }
    }

    /// A tab or another node, by the session from which it is removed.
    private struct Removal: Hashable {
        var item: SessionItem
        var session: SessionID
    }

    /// The tabs and other nodes that the set puts, in its order.
    private(set) var puts: [(id: NodeID, put: Put)] = []
    private var numbers: [NodeID: Int] = [:]
    private var removed: Set<Removal> = []
    private(set) var removedSessions: Set<SessionID> = []
    private(set) var putStates: [TabStateKey] = []
    /// The states that are put or removed.
    private(set) var states: Set<TabStateKey> = []
    /// Whether a node is put that is no tab, or a tab below one.
    private(set) var hasStructure = false
    private var sessions: Set<SessionID> = []

    /// - Parameter count: the expected number of changes.
    init(count: Int) {
        puts.reserveCapacity(count)
        numbers.reserveCapacity(count)
    }

    /// The tabs and other nodes that the set removes, each with the session that it names.
    var removals: some Sequence<(item: SessionItem, session: SessionID)> {
        removed.lazy.map { ($0.item, $0.session) }
    }

    /// Returns how the set puts a tab or another node; `nil` if it does not.
    func put(_ id: NodeID) -> Put? { numbers[id].map { puts[$0].put } }

    /// Whether the set puts a tab.
    func puts(_ tab: TabID) -> Bool { put(NodeID(tab)).map { $0.kind == nil } ?? false }

    /// Adds a change. Throws `invalidChanges` if an earlier one concerns the same record.
    mutating func note(_ change: SessionChanges.Change) throws(StorageError) {
        let isNew: Bool
        switch change {
        case .put(.session(let id, _)): isNew = sessions.insert(id).inserted
        case .remove(.session(let id), _):
            isNew = sessions.insert(id).inserted
            removedSessions.insert(id)
        case .put(.tab(let tab, let id)):
            if tab.parent != nil { hasStructure = true }
            isNew = try note(
                NodeID(tab.id),
                Put(session: id, parent: tab.parent, edge: tab.edge, zone: tab.zone))
        case .put(.node(let node, let id)):
            hasStructure = true
            isNew = try note(
                node.id,
                Put(
                    session: id, parent: node.parent, edge: node.edge, zone: node.zone,
                    kind: node.kind))
        case .remove(let item, let id):
            isNew = removed.insert(Removal(item: item, session: id)).inserted
        case .putState(_, let key):
            isNew = states.insert(key).inserted
            putStates.append(key)
        case .removeState(let key): isNew = states.insert(key).inserted
        }
        guard isNew else {
            throw ChangeRules.invalid("two changes concern the same record", change.subject)
        }
    }

    private mutating func note(_ id: NodeID, _ new: Put) throws(StorageError) -> Bool {
        guard let number = numbers.updateValue(puts.count, forKey: id) else {
            puts.append((id, new))
            return true
        }
        let old = puts[number].put
        if (old.kind == nil) == (new.kind == nil) { return false }
        throw ChangeRules.invalid(
            "a tab and another node have the same identifier",
            .record(.node(id), in: old.kind == nil ? new.session : old.session))
    }

    /// Throws `invalidChanges` if two changes contradict each other.
    func checkContradictions() throws(StorageError) {
        if !removedSessions.isEmpty || !removed.isEmpty {
            for (id, put) in puts { try checkRemoval(of: id, put) }
        }
        guard !removed.isEmpty, !states.isEmpty else { return }
        let gone = Set(removed.map(\.item)).subtracting(puts.lazy.map { $1.item($0) })
        if let key = states.first(where: { gone.contains(.tab($0.tab)) }) {
            throw ChangeRules.invalid(
                "a state changes of a tab that the same set removes", .state(key))
        }
    }

    private func checkRemoval(of id: NodeID, _ put: Put) throws(StorageError) {
        let word = put.kind == nil ? "tab" : "node"
        let item = put.item(id)
        let subject = StorageError.Subject.record(item, in: put.session)
        if removedSessions.contains(put.session) {
            throw ChangeRules.invalid(
                "a \(word) is put into a session that the same set removes", subject)
        }
        if removed.contains(Removal(item: item, session: put.session)) {
            throw ChangeRules.invalid(
                "a \(word) is both put into and removed from the same session", subject)
        }
    }

    /// Throws `invalidChanges` for the state of a tab that is not in the partition after the set.
    ///
    /// - Parameter session: returns the session of a tab in the partition now; `nil` if none.
    func checkStates(_ session: (TabID) -> SessionID?) throws(StorageError) {
        for key in putStates where !puts(key.tab) {
            if let current = session(key.tab), !removedSessions.contains(current) { continue }
            throw ChangeRules.invalid(
                """
                the '\(key.name.rawValue)' state of tab \(key.tab) is put on the \
                \(key.partition.rawValue) partition, where the tab is not; name its session, and save the tab \
                before or with it
                """, .state(key))
        }
    }
}
