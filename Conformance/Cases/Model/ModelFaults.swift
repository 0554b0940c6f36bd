import BrowserSessions

/// A tab in a partition.
struct PartitionedTab: Hashable, Sendable {
    var tab: TabID
    var partition: StoragePartition
}
/// Where tabs are, and how often each has moved to another session since the store was opened.
struct Travels: Sendable {
    private var homes: [PartitionedTab: SessionID] = [:]
    private(set) var moves: [PartitionedTab: Int] = [:]
    /// Records that a tab was put into a session; if it moved, returns how often it has.
    mutating func note(_ tab: TabID, in session: SessionID) -> Int? {
        let key = PartitionedTab(tab: tab, partition: session.partition)
        defer { homes[key] = session }
        guard let old = homes[key], old != session else { return nil }
        moves[key, default: 0] += 1
        return moves[key]
    }
}
extension SessionStorage {
    /// Leaves a tab where it is when it moves for the fifth time.
    func droppingFifthMove() -> AlteredStorage {
        let travels = FaultMemory(Travels())
        return saving { changes in
            var staying: Set<TabID> = []
            for case .put(.tab(let tab, let session)) in changes.changes
            where travels.use({ $0.note(tab.id, in: session) }) == 5 {
                staying.insert(tab.id)
            }
            changes = changes.replacing(
                changes.changes.filter { change in
                    switch change {
                    case .put(.tab(let tab, _)): !staying.contains(tab.id)
                    case .remove(.tab(let tab), _): !staying.contains(tab)
                    default: true
                    }
                })
        }
    }
    /// Keeps the old order key of a tab that moves to another session and gets another title.
    func keepingPlaces() -> AlteredStorage {
        let tabs = FaultMemory([PartitionedTab: StoreModel.Home]())
        return savingEach { change in
            guard case .put(.tab(var tab, let session)) = change else { return change }
            let key = PartitionedTab(tab: tab.id, partition: session.partition)
            if let old = tabs.value[key], old.session != session, old.tab.title != tab.title,
                old.tab.isPinned == tab.isPinned, old.tab.group == tab.group
            {
                tab.place = old.tab.place
            }
            tabs.use { [tab] in $0[key] = StoreModel.Home(session: session, tab: tab) }
            return .put(tab, in: session)
        }
    }
    /// Restores the attributes of a removed session when a tab of one of its earlier lives is put
    /// into it.
    func bringingAttributesBack() -> AlteredStorage {
        let memory = FaultMemory(FormerAttributes())
        return saving { changes in
            var put: Set<SessionID> = []
            for case .put(.session(let id, _)) in changes.changes { put.insert(id) }
            for change in changes.changes {
                guard let (id, title) = memory.use({ $0.note(change) }), !put.contains(id)
                else { continue }
                changes.put(SessionAttributes(title: "\(title) "), for: id)
            }
        }
    }
    /// Forgets the state of a tab that moved twice since the store was opened, when it is reopened.
    func forgettingMovedStates() -> AlteredStorage {
        let travels = FaultMemory(Travels())
        return saving {
            for case .put(.tab(let tab, let session)) in $0.changes {
                _ = travels.use { $0.note(tab.id, in: session) }
            }
        }.on(CloseRequest.self) { close, store in
            let moves = travels.value.moves
            for session in (try? await store.sessions()) ?? [] {
                for key in try await store.stateKeys(in: session)
                where moves[PartitionedTab(tab: key.tab, partition: key.partition)] == 2 {
                    _ = try await store.save(SessionChanges(.removeState(key)))
                }
            }
            try await close.perform(on: store)
        }
    }
    /// Reverts attributes that were put three times since the store was opened to the second ones,
    /// when it is reopened.
    func revertingAttributes() -> AlteredStorage {
        let puts = FaultMemory([SessionID: [SessionAttributes]]())
        return saving {
            for case .put(.session(let id, let attributes)) in $0.changes {
                puts.use { $0[id, default: []].append(attributes) }
            }
        }.on(CloseRequest.self) { close, store in
            let reverted = puts.set([:]).filter { $0.value.count >= 3 }
            let sessions = reverted.isEmpty ? [] : try await store.sessions()
            for id in sessions {
                guard let attributes = reverted[id] else { continue }
                let change = SessionChanges(.put(attributes[attributes.count - 2], for: id))
                _ = try await store.save(change)
            }
            try await close.perform(on: store)
        }
    }
}
/// What sessions had before they were removed.
private struct FormerAttributes: Sendable {
    private var attributes: [SessionID: SessionAttributes] = [:]
    private var removed: [SessionID: SessionAttributes] = [:]
    private var guests: [SessionID: Set<TabID>] = [:]
    /// Notes a change; if it puts a tab into a session that had it before its removal, returns the
    /// session and its former title.
    mutating func note(_ change: SessionChanges.Change) -> (SessionID, String)? {
        switch change {
        case .put(.session(let id, let new)):
            attributes[id] = new
            removed[id] = nil
        case .remove(.session(let id), _): removed[id] = attributes.removeValue(forKey: id)
        case .put(.tab(let tab, let id)):
            let isNew = guests[id, default: []].insert(tab.id).inserted
            guard !isNew, let old = removed.removeValue(forKey: id) else { return nil }
            return (id, old.title)
        default: break
        }
        return nil
    }
}
