#if FaultyBackends
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

    /// Leaves a tab where it is when it moves for the fifth time.
    struct DropsFifthMove: StorageDecorator {
        let base: any SessionStorage
        private let travels = FaultMemory(Travels())

        init(base: any SessionStorage) { self.base = base }

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            let staying = travels.use { travels in
                changes.changes.compactMap { change -> TabID? in
                    guard case .putTab(let tab, let session) = change else { return nil }
                    return travels.note(tab.id, in: session) == 5 ? tab.id : nil
                }
            }
            let kept = changes.changes.filter { change in
                switch change {
                case .putTab(let tab, _): !staying.contains(tab.id)
                case .removeTab(let tab, _): !staying.contains(tab)
                default: true
                }
            }
            return try await base.save(changes.replacing(kept), durability: durability)
        }
    }

    /// Keeps the old order key of a tab that moves to another session and gets another title.
    struct KeepsPlaceInMoves: StorageDecorator {
        let base: any SessionStorage
        private let tabs = FaultMemory([PartitionedTab: StoreModel.Home]())

        init(base: any SessionStorage) { self.base = base }

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            let altered = tabs.use { tabs in
                changes.changes.map { change in
                    guard case .putTab(var tab, let session) = change else { return change }
                    let key = PartitionedTab(tab: tab.id, partition: session.partition)
                    if let old = tabs[key], old.session != session,
                        old.tab.title != tab.title,
                        old.tab.isPinned == tab.isPinned, old.tab.group == tab.group
                    {
                        tab.place = old.tab.place
                    }
                    tabs[key] = StoreModel.Home(session: session, tab: tab)
                    return .putTab(tab, in: session)
                }
            }
            return try await base.save(changes.replacing(altered), durability: durability)
        }
    }

    /// Restores the attributes of a removed session when a tab of one of its earlier lives is put
    /// into it.
    struct BringsAttributesBack: StorageDecorator {
        let base: any SessionStorage
        private let memory = FaultMemory(Memory())

        private struct Memory: Sendable {
            var attributes: [SessionID: SessionAttributes] = [:]
            var removed: [SessionID: SessionAttributes] = [:]
            var guests: [SessionID: Set<TabID>] = [:]
        }

        init(base: any SessionStorage) { self.base = base }

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            let more = memory.use { memory in changes.changes.flatMap { note($0, &memory) } }
            let put = changes.changes.compactMap { change -> SessionID? in
                if case .putSession(let id, _) = change { id } else { nil }
            }
            let missing = more.filter { change in
                if case .putSession(let id, _) = change { !put.contains(id) } else { false }
            }
            return try await base.save(
                changes.replacing(changes.changes + missing), durability: durability)
        }

        private func note(_ change: SessionChanges.Change, _ memory: inout Memory)
            -> [SessionChanges.Change]
        {
            switch change {
            case .putSession(let id, let attributes):
                memory.attributes[id] = attributes
                memory.removed[id] = nil
            case .removeSession(let id):
                memory.removed[id] = memory.attributes.removeValue(forKey: id)
            case .putTab(let tab, let id):
                let isOld = memory.guests[id, default: []].contains(tab.id)
                memory.guests[id, default: []].insert(tab.id)
                guard isOld, let old = memory.removed.removeValue(forKey: id) else { return [] }
                return [.putSession(id, SessionAttributes(title: "\(old.title) "))]
            default: break
            }
            return []
        }
    }

    /// Forgets the state of a tab that moved twice since the store was opened, when it is reopened.
    struct ForgetsStateOfMovedTabs: StorageDecorator {
        let base: any SessionStorage
        private let travels = FaultMemory(Travels())

        init(base: any SessionStorage) { self.base = base }

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            travels.use { travels in
                for case .putTab(let tab, let session) in changes.changes {
                    _ = travels.note(tab.id, in: session)
                }
            }
            return try await base.save(changes, durability: durability)
        }

        func close() async throws(StorageError) {
            let lost = travels.use { $0.moves.filter { $0.value == 2 }.keys.map(\.self) }
            for session in (try? await base.sessions()) ?? [] {
                for key in try await base.stateKeys(in: session)
                where lost.contains(PartitionedTab(tab: key.tab, partition: key.partition)) {
                    _ = try await base.save(SessionChanges(.removeState(key)))
                }
            }
            try await base.close()
        }
    }

    /// Reverts attributes that were put three times since the store was opened to the second ones,
    /// when it is reopened.
    struct RevertsAttributesAtClose: StorageDecorator {
        let base: any SessionStorage
        private let puts = FaultMemory([SessionID: [SessionAttributes]]())

        init(base: any SessionStorage) { self.base = base }

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            puts.use { puts in
                for case .putSession(let id, let attributes) in changes.changes {
                    puts[id, default: []].append(attributes)
                }
            }
            return try await base.save(changes, durability: durability)
        }

        func close() async throws(StorageError) {
            let reverted = puts.use { puts in
                let old = puts.filter { $0.value.count >= 3 }
                puts = [:]
                return old.sorted { $0.key < $1.key }
            }
            let sessions = reverted.isEmpty ? [] : try await base.sessions()
            for (id, attributes) in reverted where sessions.contains(id) {
                let change = SessionChanges(.putSession(id, attributes[attributes.count - 2]))
                _ = try await base.save(change)
            }
            try await base.close()
        }
    }
#endif
