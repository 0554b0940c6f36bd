import BrowserSessions
import SessionRestoration
import SessionTesting

/// The content of the store, as it follows from ``DurableChanges`` alone.
struct HeardStore: Equatable {
    private(set) var sessions: Set<SessionID> = []
    private(set) var tabs: [TabID: SessionID] = [:]

    init() {}

    /// What a store has: that is all that is known of the time before the first change was heard.
    init(_ storage: any SessionStorage) async throws {
        for id in try await storage.sessions() where id.partition == .regular && id.kind != .launch
        {
            sessions.insert(id)
            for tab in try await storage.restore(id, at: .current)?.tabs ?? [] {
                tabs[tab.id] = id
            }
        }
    }

    mutating func hear(_ changes: DurableChanges) {
        for change in changes.changes {
            switch change {
            case .put(.tab(let tab), let session): tabs[tab] = session
            case .put(_, let session): sessions.insert(session)
            case .removed(.session(let id)):
                sessions.remove(id)
                tabs = tabs.filter { $0.value != id }
            case .removed(.tab(let tab)): tabs[tab] = nil
            case .removed(.node), .state: break
            }
        }
        // A session without attributes is there as long as it has tabs.
        sessions = sessions.union(tabs.values)
            .filter { ![.recentlyClosed, .transit].contains($0.kind) || tabs.values.contains($0) }
    }

    /// In words; `nil` if there is none.
    func difference(_ other: HeardStore) -> String? {
        guard self != other else { return nil }
        let wrong = Set(tabs.keys).union(other.tabs.keys).filter { tabs[$0] != other.tabs[$0] }
        let places = wrong.map { tab in
            [tabs[tab], other.tabs[tab]].map { $0?.description ?? "nowhere" }
        }
        return "tabs \(places), sessions \(sessions.symmetricDifference(other.sessions))"
    }
}

extension RandomHost {
    /// Everything that is in the store and durable was reported, and nothing else.
    func checkFeed() async throws {
        guard storage.traits.greatestDurability == .powerLoss else { return }
        let real = try await HeardStore(storage.base)
        guard let difference = heard.difference(real) else { return }
        throw fail("what was reported as durable is not what the store has: \(difference)")
    }
}
