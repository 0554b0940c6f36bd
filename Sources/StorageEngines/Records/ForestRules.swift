import BrowserSessions

/// The rules of a session's forest that are checked at a save, in time that depends on the set alone.
///
/// What a set does not touch is not looked at: a restore repairs what damage breaks. A parent that is not
/// there may be named if others name it: it was lost to damage, and its children stay usable.
struct ForestRules {
    private let changes: ChangeOutline
    private let index: PartitionIndex
    private var removed: Set<NodeID> = []
    private var removedSessions: Set<SessionID> { changes.removedSessions }

    private typealias Element = ChangeOutline.Put

    private struct LostParent: Hashable {
        var id: NodeID
        var session: SessionID
    }

    /// The deepest level at which a node may be saved.
    private static let maximumDepth = SessionForest.maximumDepth

    init(_ changes: ChangeOutline, _ index: PartitionIndex) {
        (self.changes, self.index) = (changes, index)
        for (item, session) in changes.removals where index.session(of: item) == session {
            if let id = item.nodeID { removed.insert(id) }
        }
        if !removed.isEmpty { removed.subtract(changes.puts.lazy.map(\.id)) }
    }

    /// Throws `invalidChanges`, naming the node, if the set breaks a rule.
    func check() throws(StorageError) {
        var memory = Memory()
        for (id, element) in changes.puts {
            try checkIdentity(id, element)
            try checkParent(of: id, element, &memory)
            try checkChildren(of: id, stayingIn: element.session, &memory)
        }
        for id in removed { try checkChildren(of: id, stayingIn: nil, &memory) }
    }

    /// What was found once and is asked for again.
    private struct Memory {
        /// The last node that may be below its parent, with all nodes above it: neighbors mostly have
        /// one parent.
        var approved: (element: Element, above: [NodeID])?
        /// Parents that are not there, with the sessions in which others name them: lost to damage.
        var lost: Set<LostParent>?
        /// How many children of each node go.
        var leaving: [NodeID: Int]?
        /// Those that go with their sessions.
        var leavingWithSessions: [NodeID: Int]?
    }

    private func refused(_ id: NodeID, _ element: Element?, _ message: String) -> StorageError {
        let session = element?.session ?? index.session(of: id) ?? index.session(of: TabID(id))
        let isNode = element.map { $0.kind != nil } ?? (index.nodes[id] != nil)
        let item = isNode ? SessionItem.node(id) : .tab(TabID(id))
        let subject = session.map { StorageError.Subject.record(item, in: $0) }
        return ChangeRules.invalid(message, subject)
    }

    private func checkIdentity(_ id: NodeID, _ element: Element) throws(StorageError) {
        let isTaken = element.kind == nil ? index.nodes[id] != nil : index.tabs[TabID(id)] != nil
        guard isTaken, !removed.contains(id) else { return }
        throw refused(id, element, "a tab and another node have the same identifier")
    }

    // MARK: Parents

    private func checkParent(
        of id: NodeID, _ element: Element, _ memory: inout Memory
    ) throws(StorageError) {
        guard let parent = element.parent else { return }
        if let approved = memory.approved, approved.element == element,
            !approved.above.contains(id)
        {
            return
        }
        if element.kind?.isRoot == true {
            throw refused(id, element, "a space, view or container has no parent")
        }
        guard let session = session(of: parent) else {
            let lost = memory.lost ?? lostParents()
            memory.lost = lost
            if lost.contains(LostParent(id: parent, session: element.session)) { return }
            throw refused(id, element, "its parent \(parent) is not there; put it in the same set")
        }
        if session != element.session {
            throw refused(id, element, "its parent \(parent) is in another session")
        }
        let kind = changes.put(parent).map(\.kind) ?? index.kind(of: parent)
        if element.zone != .normal, kind != .space, kind != .view {
            throw refused(id, element, "only what is at the top, or in a space or view, has a zone")
        }
        guard Self.mayHold(kind, element) else {
            throw refused(id, element, "its parent \(parent) has no such children")
        }
        memory.approved = (element, try nodesAbove(id, element))
    }

    /// Whether a node of a kind may have such a child.
    private static func mayHold(_ kind: StructureNode.Kind?, _ child: Element) -> Bool {
        guard let kind else { return child.edge == .branch }
        if child.edge == .branch { return kind.hasBranches }
        return kind == .split ? child.kind == nil || child.kind == .split : kind.hasMembers
    }

    /// Returns the nodes above one, nearest first. Throws if it is one of them or there are too many.
    private func nodesAbove(_ id: NodeID, _ element: Element) throws(StorageError) -> [NodeID] {
        var above: [NodeID] = []
        var next = element.parent
        while let ancestor = next {
            if ancestor == id { throw refused(id, element, "the node would be below itself") }
            above.append(ancestor)
            if above.count > Self.maximumDepth {
                throw refused(
                    id, element, "nodes are at most \(Self.maximumDepth) levels deep")
            }
            next = changes.put(ancestor).map(\.parent) ?? index.parent(of: ancestor)
        }
        return above
    }

    /// Returns the parents in the set that are not there, and that others in the same session name already.
    /// After damage alone this looks at all nodes, once.
    private func lostParents() -> Set<LostParent> {
        let wanted = Set(changes.puts.compactMap(\.put.parent)).filter { id in
            index.childCounts[id] != nil && index.nodes[id] == nil && index.tabs[TabID(id)] == nil
                && changes.put(id) == nil
        }
        guard !wanted.isEmpty else { return [] }
        var found: Set<LostParent> = []
        func note(_ parent: NodeID?, _ session: Int) {
            guard let parent, wanted.contains(parent) else { return }
            found.insert(LostParent(id: parent, session: index.sessions[session].id))
        }
        for node in index.nodes.values { note(node.parent, node.session) }
        for tab in index.tabs.values { note(tab.parent, tab.session) }
        return found
    }

    /// Returns the session that a node is in after the set; `nil` if it is not there.
    private func session(of id: NodeID) -> SessionID? {
        if let element = changes.put(id) { return element.session }
        if removed.contains(id) { return nil }
        guard let session = index.session(of: id) ?? index.session(of: TabID(id)) else {
            return nil
        }
        return removedSessions.contains(session) ? nil : session
    }

    // MARK: Children

    /// Returns how many children of each node go: to another parent, or where their parent goes.
    private func leaving() -> [NodeID: Int] {
        var counts: [NodeID: Int] = [:]
        for (child, element) in changes.puts {
            guard let parent = index.parent(of: child) else { continue }
            if element.parent != parent || element.session == changes.put(parent)?.session {
                counts[parent, default: 0] += 1
            }
        }
        for child in removed {
            if let parent = index.parent(of: child) { counts[parent, default: 0] += 1 }
        }
        return counts
    }

    /// Returns how many children of each node go because their session is removed. The session of a node is
    /// that of its children, unless they named it when it was lost. This looks at all nodes.
    private func leavingWithSessions() -> [NodeID: Int] {
        var counts: [NodeID: Int] = [:]
        func note(_ child: NodeID, _ parent: NodeID?, _ session: Int) {
            guard let parent, removedSessions.contains(index.sessions[session].id),
                changes.put(child) == nil, !removed.contains(child)
            else { return }
            counts[parent, default: 0] += 1
        }
        for (id, node) in index.nodes { note(id, node.parent, node.session) }
        for (id, tab) in index.tabs { note(NodeID(id), tab.parent, tab.session) }
        return counts
    }

    /// Checks that no child stays without its parent in its session.
    ///
    /// - Parameter session: the session that the node is in after the set; `nil` if it is removed.
    private func checkChildren(
        of id: NodeID, stayingIn session: SessionID?, _ memory: inout Memory
    ) throws(StorageError) {
        let count = index.childCounts[id] ?? 0
        guard count > 0 else { return }
        // What was lost to damage has children, too: a put brings it back to them.
        guard let old = index.session(of: id) ?? index.session(of: TabID(id)) else { return }
        // Children that are not put elsewhere go with their session.
        if session == old || removedSessions.contains(old) { return }
        let leaving = memory.leaving ?? leaving()
        memory.leaving = leaving
        var left = count - leaving[id, default: 0]
        if left > 0, !removedSessions.isEmpty {
            let others = memory.leavingWithSessions ?? leavingWithSessions()
            memory.leavingWithSessions = others
            left -= others[id, default: 0]
        }
        guard left > 0 else { return }
        throw refused(
            id, changes.put(id),
            "\(left) nodes below it would stay behind; move or remove them in the same set")
    }
}
