import BrowserSessions

/// The rules of a session's forest that are checked at a save, in time that depends on the set alone.
///
/// What a set does not touch is not looked at: a restore repairs what damage breaks. A parent that is not
/// there may be named if others name it: it was lost to damage, and its children stay usable.
struct ForestRules {
    private let changes: [SessionChanges.Change]
    private let index: PartitionIndex
    /// What the set puts, by identifier.
    private var put: [NodeID: Element] = [:]
    private var removed: Set<NodeID> = []
    private var removedSessions: Set<SessionID> = []
    /// Parents that are not there, with the sessions in which others name them: lost to damage.
    private var lost: Set<LostParent> = []

    private struct Element {
        var session: SessionID
        var parent: NodeID?
        var edge: NodeEdge
        var zone: NodeZone
        /// `nil` for a tab.
        var kind: StructureNode.Kind?
    }

    private struct LostParent: Hashable {
        var id: NodeID
        var session: SessionID
    }

    /// The deepest level at which a node may be saved.
    private static let maximumDepth = SessionForest.maximumDepth

    init(_ changes: [SessionChanges.Change], _ index: PartitionIndex) {
        (self.changes, self.index) = (changes, index)
        for change in changes {
            switch change {
            case .putTab(let tab, let session):
                put[NodeID(tab.id)] = Element(
                    session: session, parent: tab.parent, edge: tab.edge, zone: tab.zone)
            case .putNode(let node, let session):
                put[node.id] = Element(
                    session: session, parent: node.parent, edge: node.edge, zone: node.zone,
                    kind: node.kind)
            case .removeTab(let tab, let session):
                if index.has(tab, in: session) { removed.insert(NodeID(tab)) }
            case .removeNode(let node, let session):
                if index.session(of: node) == session { removed.insert(node) }
            case .removeSession(let session): removedSessions.insert(session)
            case .putSession, .putState, .removeState: continue
            }
        }
        removed.subtract(put.keys)
        lost = lostParents()
    }

    /// Whether a set may break a rule at all.
    static func concern(_ changes: [SessionChanges.Change], _ index: PartitionIndex) -> Bool {
        index.hasStructure
            || changes.contains { change in
                switch change {
                case .putNode: true
                case .putTab(let tab, _): tab.parent != nil
                default: false
                }
            }
    }

    /// Throws `invalidChanges`, naming the node, if the set breaks a rule.
    func check() throws(StorageError) {
        var leaving = Leaving(children: leaving())
        for (id, element) in put {
            try checkIdentity(id, element)
            try checkParent(of: id, element)
            try checkChildren(of: id, stayingIn: element.session, &leaving)
        }
        for id in removed { try checkChildren(of: id, stayingIn: nil, &leaving) }
    }

    private func refused(_ id: NodeID, _ element: Element?, _ message: String) -> StorageError {
        let session = element?.session ?? index.session(of: id) ?? index.session(of: TabID(id))
        let isNode = element.map { $0.kind != nil } ?? (index.nodes[id] != nil)
        let subject = session.map { session -> StorageError.Subject in
            isNode ? .node(id, in: session) : .tab(TabID(id), in: session)
        }
        return ChangeRules.invalid(message, subject)
    }

    private func checkIdentity(_ id: NodeID, _ element: Element) throws(StorageError) {
        let isTaken = element.kind == nil ? index.nodes[id] != nil : index.tabs[TabID(id)] != nil
        guard isTaken, !removed.contains(id) else { return }
        throw refused(id, element, "a tab and another node have the same identifier")
    }

    // MARK: Parents

    private func checkParent(of id: NodeID, _ element: Element) throws(StorageError) {
        guard let parent = element.parent else { return }
        if element.kind?.isRoot == true {
            throw refused(id, element, "a space, view or container has no parent")
        }
        guard let session = session(of: parent) else {
            if lost.contains(LostParent(id: parent, session: element.session)) { return }
            throw refused(id, element, "its parent \(parent) is not there; put it in the same set")
        }
        if session != element.session {
            throw refused(id, element, "its parent \(parent) is in another session")
        }
        let kind = put[parent].map(\.kind) ?? index.nodes[parent]?.kind
        if element.zone != .normal, kind != .space, kind != .view {
            throw refused(id, element, "only what is at the top, or in a space or view, has a zone")
        }
        guard Self.mayHold(kind, element) else {
            throw refused(id, element, "its parent \(parent) has no such children")
        }
        try checkWayUp(from: id, element)
    }

    /// Whether a node of a kind may have such a child.
    private static func mayHold(_ kind: StructureNode.Kind?, _ child: Element) -> Bool {
        guard let kind else { return child.edge == .branch }
        if child.edge == .branch { return kind.hasBranches }
        return kind == .split ? child.kind == nil || child.kind == .split : kind.hasMembers
    }

    private func checkWayUp(from id: NodeID, _ element: Element) throws(StorageError) {
        var next = element.parent
        var depth = 0
        while let ancestor = next {
            if ancestor == id { throw refused(id, element, "the node would be below itself") }
            depth += 1
            if depth > Self.maximumDepth {
                throw refused(
                    id, element, "nodes are at most \(Self.maximumDepth) levels deep")
            }
            next = put[ancestor].map(\.parent) ?? index.parent(of: ancestor)
        }
    }

    /// Returns the parents in the set that are not there, and that others in the same session name already.
    /// After damage alone this looks at all nodes, once.
    private func lostParents() -> Set<LostParent> {
        let wanted = Set(put.values.compactMap(\.parent)).filter { id in
            index.childCounts[id] != nil && index.nodes[id] == nil && index.tabs[TabID(id)] == nil
                && put[id] == nil
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
        if let element = put[id] { return element.session }
        if removed.contains(id) { return nil }
        guard let session = index.session(of: id) ?? index.session(of: TabID(id)) else {
            return nil
        }
        return removedSessions.contains(session) ? nil : session
    }

    // MARK: Children

    /// How many children of each node go.
    private struct Leaving {
        var children: [NodeID: Int]
        /// Those that go with their sessions, once it was asked for.
        var withSessions: [NodeID: Int]?
    }

    /// Returns how many children of each node go: to another parent, or where their parent goes.
    private func leaving() -> [NodeID: Int] {
        var counts: [NodeID: Int] = [:]
        for (child, element) in put {
            guard let parent = index.parent(of: child) else { continue }
            if element.parent != parent || element.session == put[parent]?.session {
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
                put[child] == nil, !removed.contains(child)
            else { return }
            counts[parent, default: 0] += 1
        }
        for (id, node) in index.nodes { note(id, node.parent, node.session) }
        for (id, tab) in index.tabs { note(NodeID(id), tab.parent, tab.session) }
        return counts
    }

    /// Checks that no child stays without its parent in its session.
    ///
    /// - Parameters:
    ///   - session: the session that the node is in after the set; `nil` if it is removed.
    ///   - leaving: how many children of each node go.
    private func checkChildren(
        of id: NodeID, stayingIn session: SessionID?, _ leaving: inout Leaving
    ) throws(StorageError) {
        let count = index.childCounts[id] ?? 0
        guard count > 0 else { return }
        // What was lost to damage has children, too: a put brings it back to them.
        guard let old = index.session(of: id) ?? index.session(of: TabID(id)) else { return }
        // Children that are not put elsewhere go with their session.
        if session == old || removedSessions.contains(old) { return }
        var left = count - leaving.children[id, default: 0]
        if left > 0, !removedSessions.isEmpty {
            let others = leaving.withSessions ?? leavingWithSessions()
            leaving.withSessions = others
            left -= others[id, default: 0]
        }
        guard left > 0 else { return }
        throw refused(
            id, put[id],
            "\(left) nodes below it would stay behind; move or remove them in the same set")
    }
}
