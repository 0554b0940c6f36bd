import BrowserSessions

/// The rules of a session's forest that are checked at a save, in time that depends on the set alone.
///
/// What a set does not touch is not looked at: a restore repairs what damage breaks.
struct ForestRules {
    private let changes: [SessionChanges.Change]
    private let index: PartitionIndex
    /// What the set puts, by identifier.
    private var put: [NodeID: Element] = [:]
    private var removed: Set<NodeID> = []
    private var removedSessions: Set<SessionID> = []

    private struct Element {
        var session: SessionID
        var parent: NodeID?
        var edge: NodeEdge
        var zone: NodeZone
        /// `nil` for a tab.
        var kind: StructureNode.Kind?
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
        for (id, element) in put {
            try checkIdentity(id, element)
            try checkParent(of: id, element)
            try checkChildren(of: id, stayingIn: element.session)
        }
        for id in removed { try checkChildren(of: id, stayingIn: nil) }
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

    /// Checks that no child stays without its parent in its session.
    ///
    /// - Parameter session: the session that the node is in after the set; `nil` if it is removed.
    private func checkChildren(of id: NodeID, stayingIn session: SessionID?) throws(StorageError) {
        let count = index.childCounts[id] ?? 0
        guard count > 0 else { return }
        let old = index.session(of: id) ?? index.session(of: TabID(id))
        if let session, session == old { return }
        if let old, removedSessions.contains(old), session == nil { return }
        var left = count
        for (child, element) in put where index.parent(of: child) == id {
            if element.parent != id || element.session == session { left -= 1 }
        }
        left -= removed.count { index.parent(of: $0) == id }
        guard left > 0 else { return }
        throw refused(
            id, put[id],
            "\(left) nodes below it would stay behind; move or remove them in the same set")
    }
}
