import ArgumentParser
import BrowserSessions
import RestorePlans

/// What a user wants to have removed: whole sessions, and single tabs of others.
struct RemovalPlan {
    /// The sessions that go with all their tabs, in the order of a store.
    private(set) var sessions: [RestoredSession] = []
    /// The tabs that go from sessions that stay, by session.
    private(set) var tabs: [(session: RestoredSession, tabs: [TabMetadata])] = []

    /// Plans a removal. A window goes with its companions, such as its unused tabs. A session that
    /// would be left without tabs goes as a whole.
    ///
    /// - Parameters:
    ///   - items: the sessions and tabs that were named; anything may be there twice.
    ///   - all: all sessions of the store.
    init(_ items: [SessionRecord], of all: [RestoredSession]) {
        var whole: Set<SessionID> = []
        var single: [SessionID: Set<TabID>] = [:]
        for item in items {
            if let tab = item.tab {
                single[item.session, default: []].insert(tab.id)
            } else {
                whole.insert(item.session)
            }
        }
        for session in all where single[session.id]?.count == session.tabs.count {
            whole.insert(session.id)
        }
        let windows = Set(whole.filter { $0.kind.role == .window }.map(\.window))
        for session in all {
            let isCompanion = session.id.kind.role == .companion
            if whole.contains(session.id) || isCompanion && windows.contains(session.id.window) {
                sessions.append(session)
            } else if let wanted = single[session.id] {
                tabs.append((session, session.tabs.filter { wanted.contains($0.id) }))
            }
        }
    }

    /// The change sets, one for each partition in which something goes. All are marked as intended.
    var changes: [SessionChanges] {
        StoragePartition.allCases.compactMap { partition in
            var changes = SessionChanges()
            changes.isIntended = true
            for session in sessions where session.id.partition == partition {
                changes.remove(session.id)
            }
            for (session, tabs) in tabs where session.id.partition == partition {
                let difference = SessionDifference(of: session, to: session.without(tabs))
                for change in difference.changes.changes { changes.add(change) }
            }
            return changes.isEmpty ? nil : changes
        }
    }
}

extension RestoredSession {
    /// Returns the session without some of its tabs. What is below a tab takes the tab's place, plain groups and
    /// splits that lose all their tabs go, and the next tab becomes active if the active one goes.
    func without(_ leaving: [TabMetadata]) -> RestoredSession {
        var records = Dictionary(
            records.compactMap { record in record.nodeID.map { ($0, record) } },
            uniquingKeysWith: { first, _ in first })
        func above(_ tab: TabMetadata) -> Set<NodeID> {
            var found: Set<NodeID> = []
            var next = tab.parent
            while let id = next, found.insert(id).inserted { next = records[id]?.parent }
            return found
        }
        var gone = Set(leaving.map { NodeID($0.id) })
        let staying = tabs.filter { !gone.contains(NodeID($0.id)) }
        let emptied = Set(leaving.flatMap(above)).subtracting(staying.flatMap(above))
        gone.formUnion(emptied.filter { records[$0]?.isOnlyForItsContent == true })
        for record in records.movedUp(from: gone) {
            if let id = record.nodeID { records[id] = record }
        }
        var session = self
        session.tabs = staying.compactMap { records[NodeID($0.id)]?.tab }
        session.nodes = nodes.compactMap { gone.contains($0.id) ? nil : records[$0.id]?.node }
        if let active = attributes.activeTab, gone.contains(NodeID(active)) {
            let index = tabs.firstIndex { $0.id == active } ?? 0
            let stays = { (tab: TabMetadata) in !gone.contains(NodeID(tab.id)) }
            session.attributes.activeTab =
                tabs[index...].first(where: stays)?.id ?? tabs[..<index].last(where: stays)?.id
        }
        return session
    }
}

extension [NodeID: SessionRecord] {
    /// Returns what is below nodes that go, at the places of these, in its order. Panes of splits are tabs without
    /// anything below: what was below one comes beside the split.
    fileprivate func movedUp(from gone: Set<NodeID>) -> [SessionRecord] {
        var moved: [SessionRecord.Position: [SessionRecord]] = [:]
        for (id, record) in self where !gone.contains(id) {
            guard var anchor = record.position, anchor.list.parent.map(gone.contains) == true
            else { continue }
            while let parent = anchor.list.parent,
                gone.contains(parent) || self[parent]?.node?.kind == .split,
                let above = self[parent]?.position
            {
                anchor = above
            }
            moved[anchor, default: []].append(record)
        }
        return moved.flatMap { anchor, records in
            let next = values.compactMap(\.position)
                .filter { $0.list == anchor.list && anchor.place < $0.place }.map(\.place).min()
            var place = anchor.place
            return records.sorted { one, other in
                guard let one = one.position, let other = other.position else { return false }
                return one < other
            }.map { record in
                place = .between(place, and: next)
                var record = record
                record.position = anchor
                record.position?.place = place
                return record
            }
        }
    }
}

/// Finds the sessions and tabs of a store that a user names by their identifiers, or by the beginnings
/// of these.
struct ItemFinder {
    /// All sessions but notes, in the order of the store.
    let sessions: [RestoredSession]

    init(_ store: any SessionStorage) async throws(StorageError) {
        sessions = try await store.restore(store.sessions().filter { $0.kind.role != .notes })
    }

    /// Whether a word could name a session or tab, and no store: hexadecimal digits and hyphens, perhaps
    /// with a kind behind a slash. A folder of such a name is reached by `./NAME`.
    static func isItem(_ word: String) -> Bool { SessionPrefix(word) != nil }

    /// Returns what a word names. Of a window without a kind, that is its regular session.
    ///
    /// Throws `notFound` if there is none, or `invalidConfiguration` with the possible ones.
    func item(_ word: String) throws(StorageError) -> SessionRecord {
        guard let prefix = SessionPrefix(word) else {
            throw StorageError(
                .invalidConfiguration,
                "'\(word)' is no session or tab; write the beginning of its identifier, as 'list' and "
                    + "'show' print it", operation: "find")
        }
        let ids = Set(prefix.choose(among: sessions.map(\.id)))
        let begin = word.uppercased().replacing("…", with: "")
        let found =
            sessions.filter { ids.contains($0.id) }.map { .session($0.id, $0.attributes) }
            + sessions.flatMap { session in
                session.tabs.filter { "\($0.id)".hasPrefix(begin) }.map {
                    SessionRecord.tab($0, in: session.id)
                }
            }
        if found.count == 1 { return found[0] }
        guard !found.isEmpty else {
            throw StorageError(
                .notFound,
                "the store has no session or tab that begins with '\(word)'; see 'list' and 'show'",
                operation: "find")
        }
        let names = found.map { record in
            record.tab.map { "tab \($0.id) of \(record.session)" } ?? "session \(record.session)"
        }
        throw StorageError(word, mayBe: names, operation: "find")
    }
}
