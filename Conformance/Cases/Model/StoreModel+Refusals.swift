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
            case .put(.tab(let tab, _)) where tab.place.length > OrderKey.maximumLength:
                codes.insert(.tooLarge)
            case .put(.node(let node, _)) where node.place.length > OrderKey.maximumLength:
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

    private struct Removal: Hashable {
        var item: SessionItem
        var session: SessionID
    }

    /// Whether two changes concern one record, or one puts what another removes.
    static func contradicts(_ changes: [SessionChanges.Change]) -> Bool {
        var put: [SessionItem: SessionID] = [:]
        var removed: Set<Removal> = []
        var states: Set<TabStateKey> = []
        for change in changes {
            let isNew =
                switch change {
                case .put(let record): put.updateValue(record.session, forKey: record.item) == nil
                case .remove(let item, let id):
                    removed.insert(Removal(item: item, session: id)).inserted
                case .putState(_, let key), .removeState(let key): states.insert(key).inserted
                }
            if !isNew { return true }
        }
        let gone = Set(removed.map(\.item)).subtracting(put.keys)
        return put.contains { item, session in
            removed.contains(Removal(item: item, session: session))
                || removed.contains(Removal(item: .session(session), session: session))
        }
            || put.keys.contains {
                if case .node(let id) = $0 { put[.tab(TabID(id))] != nil } else { false }
            }
            || states.contains { gone.contains(.tab($0.tab)) }
    }
}
