import BrowserSessions

extension StoreModel {
    /// Returns the codes with which a store may refuse the set; empty if it must accept it. It must
    /// refuse it if there is one, unless it is unknown whether the set was applied before.
    func refusals(of changes: SessionChanges) -> Set<StorageError.Code> {
        var codes: Set<StorageError.Code> = []
        let all = changes.changes
        if Set(all.map(\.partition)).count > 1 || Self.contradicts(all) {
            codes.insert(.invalidChanges)
        }
        for change in all {
            switch change {
            case .putState(let bytes, _) where bytes.count > ModelNames.maximumStateBytes:
                codes.insert(.tooLarge)
            case .putTab(let tab, _) where tab.place.length > OrderKey.maximumLength:
                codes.insert(.tooLarge)
            case .putNode(let node, _) where node.place.length > OrderKey.maximumLength:
                codes.insert(.tooLarge)
            default: continue
            }
        }
        let isRepeated = receipt(for: changes).isRepeated
        if isRepeated != true, hasStrayState(changes) || breaksForest(changes) {
            codes.insert(.invalidChanges)
        }
        let isOld = isRepeated != false
        if let expected = changes.expectedSequence, expected != sequences[changes.partition], !isOld
        {
            codes.insert(.conflict)
        }
        return codes
    }

    /// Whether a state is put for a tab that is not in its partition after the set.
    private func hasStrayState(_ changes: SessionChanges) -> Bool {
        var after = self
        after.apply(changes, nil)
        return changes.changes.contains {
            if case .putState(_, let key) = $0 { after.home(of: key) == nil } else { false }
        }
    }

    private enum Record: Hashable {
        case session(SessionID)
        case tab(TabID)
        case removal(TabID, SessionID)
        case state(TabStateKey)
        case node(NodeID)
        case nodeRemoval(NodeID, SessionID)
    }

    /// Whether two changes concern one record, or one puts what another removes.
    static func contradicts(_ changes: [SessionChanges.Change]) -> Bool {
        var records: Set<Record> = []
        var put: [TabID: SessionID] = [:]
        var putNodes: [NodeID: SessionID] = [:]
        var gone: Set<TabID> = []
        var removed: Set<SessionID> = []
        var states: Set<TabID> = []
        for change in changes {
            let record: Record
            switch change {
            case .putSession(let id, _): record = .session(id)
            case .removeSession(let id):
                record = .session(id)
                removed.insert(id)
            case .putTab(let tab, let id):
                record = .tab(tab.id)
                put[tab.id] = id
            case .removeTab(let tab, let id):
                record = .removal(tab, id)
                gone.insert(tab)
            case .putNode(let node, let id):
                record = .node(node.id)
                putNodes[node.id] = id
            case .removeNode(let node, let id): record = .nodeRemoval(node, id)
            case .putState(_, let key), .removeState(let key):
                record = .state(key)
                states.insert(key.tab)
            }
            if !records.insert(record).inserted { return true }
        }
        let isNodeWrong = putNodes.contains { node, session in
            removed.contains(session) || records.contains(.nodeRemoval(node, session))
                || put[TabID(node)] != nil
        }
        return isNodeWrong
            || put.contains { tab, session in
                removed.contains(session) || records.contains(.removal(tab, session))
            } || !gone.subtracting(put.keys).isDisjoint(with: states)
    }
}
