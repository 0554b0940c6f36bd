import BrowserSessions

/// What is known about a partition's records without reading them: the session of each tab, the
/// existing blobs, and the sums that the manifest must show.
///
/// A class, because every save passes it around, and copying its tables costs more than using them.
final class PartitionIndex {
    /// The number of the last applied change set.
    var sequence = StoredNumber.zero
    /// The manifest as it must be: the number of metadata records without the manifest itself, and
    /// the sum of their fingerprints modulo 2^64.
    var manifest = Manifest()

    /// The sessions that have or had a record, by their numbers here.
    private(set) var sessions: [Session] = []
    private(set) var numbers: [SessionID: Int] = [:]
    private(set) var tabs: [TabID: Element] = [:]
    private(set) var nodes: [NodeID: Element] = [:]
    /// How many tabs and nodes are directly below a node.
    private(set) var childCounts: [NodeID: Int] = [:]
    private(set) var states: [StateSlot: State] = [:]
    /// The remembered commit ids, oldest first.
    private(set) var commits: [Commit] = []
    private(set) var lossesStamp: RecordStamp?
    /// The restore points, ascending.
    private(set) var points: [Point] = []
    /// The size of the states of each session's tabs in bytes; `nil` until it is needed.
    var stateBytes: [SessionID: Int]?
    /// The names of states in this store, in order of appearance.
    private(set) var stateNames: [StateName] = []
    /// The kinds of nodes in this store, in order of appearance.
    private(set) var kinds: [StructureNode.Kind] = []

    struct Session {
        let id: SessionID
        /// What its attributes are; `nil` if there is no such record.
        var attributes: RecordStamp?
        var tabCount = 0
        var nodeCount = 0

        var title = ""
        var lastActiveAt = Timestamp.unknown
        /// The time of the most recently active tab; `nil` if it must be searched for.
        var latestTab: Timestamp? = Timestamp(microseconds: .min)
        /// The size of its attributes and tab records in bytes.
        var byteCount = 0
        private(set) var attributesByteCount = 0

        /// Whether its tabs are open.
        let isOpen: Bool

        init(_ id: SessionID) {
            self.id = id
            isOpen = id.kind.isOpen
        }

        mutating func use(_ attributes: Attributes?) {
            self.attributes = attributes?.stamp
            title = attributes?.title ?? ""
            lastActiveAt = attributes?.lastActiveAt ?? .unknown
            byteCount += (attributes?.byteCount ?? 0) - attributesByteCount
            attributesByteCount = attributes?.byteCount ?? 0
        }

        /// Counts a tab or node that is added, removed or replaced.
        mutating func replace(_ old: Element?, with new: Element?) {
            let count = (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
            byteCount += (new?.byteCount ?? 0) - (old?.byteCount ?? 0)
            guard (old ?? new)?.kind == nil else { return nodeCount += count }
            tabCount += count
            guard let latest = latestTab else { return }
            let time = new?.lastActiveAt ?? Timestamp(microseconds: .min)
            if time >= latest {
                latestTab = time
            } else if old?.lastActiveAt == latest {
                latestTab = nil
            }
        }

        var exists: Bool { attributes != nil || tabCount > 0 || nodeCount > 0 }
    }

    /// What is known about a record of attributes.
    struct Attributes {
        var stamp: RecordStamp
        var title: String
        var lastActiveAt: Timestamp
        var byteCount: Int
    }

    /// A tab or another node. Plain numbers, because there are many, and all are copied.
    struct Element {
        /// The number of its session.
        var session: Int
        var stamp: RecordStamp
        var byteCount: Int
        var parent: NodeID?
        /// The number of its kind here; `nil` for a tab.
        var kind: Int?
        var lastActiveAt = Timestamp.unknown
    }

    struct StateSlot: Hashable {
        var tab: TabID
        var name: Int
    }

    struct State {
        /// The stored checksum of the blob's frame.
        var checksum: UInt32
        var length: Int
        /// What the entry's own record is. Its sequence is the number of the set that put the blob.
        var stamp: RecordStamp
    }

    struct Point {
        var number: StoredNumber
        var record: PointRecord
        var stamp: RecordStamp
    }

    struct Commit {
        var id: CommitID
        var sequence: StoredNumber
        var stamp: RecordStamp
    }
}

extension PartitionIndex {
    /// Returns the number of a session; gives it one if it has none.
    func number(for id: SessionID) -> Int {
        if let known = numbers[id] { return known }
        numbers[id] = sessions.count
        sessions.append(Session(id))
        return sessions.count - 1
    }

    /// Returns the number of a kind of nodes; gives it one if it has none.
    func number(of kind: StructureNode.Kind) -> Int {
        if let known = kinds.firstIndex(of: kind) { return known }
        kinds.append(kind)
        return kinds.count - 1
    }

    /// Returns the number of the newest restore point; 0 if there is none.
    var newestPoint: StoredNumber { points.last?.number ?? .zero }
}

// MARK: - Changing

extension PartitionIndex {
    /// A record that is added, removed or replaced.
    enum Edit {
        case attributes(SessionID, Attributes?)
        case element(SessionItem, Element?)
        case state(TabID, StateName, State?)
        case newCommit(Commit)
        case forgottenCommit
        case losses(RecordStamp?)
        case point(StoredNumber, Point?)
    }

    /// Takes an edit over. Who makes the edits counts the manifest.
    func apply(_ edit: Edit) {
        switch edit {
        case .attributes(let id, let new): sessions[number(for: id)].use(new)
        case .element(let item, let new): setElement(item, new)
        case .state(let tab, let name, let new):
            let old = states.replace(StateSlot(tab: tab, name: number(of: name)), with: new)
            if stateBytes != nil, let session = session(of: tab) {
                stateBytes?[session, default: 0] += (new?.length ?? 0) - (old?.length ?? 0)
            }
        case .newCommit(let commit): commits.append(commit)
        case .forgottenCommit: if !commits.isEmpty { commits.removeFirst() }
        case .losses(let new): lossesStamp = new
        case .point(let number, let new):
            points.removeAll { $0.number == number }
            guard let new else { return }
            points.insert(new, at: points.firstIndex { $0.number > number } ?? points.endIndex)
        }
    }

    private func setElement(_ item: SessionItem, _ new: Element?) {
        let old: Element?
        switch item {
        case .tab(let id): old = tabs.replace(id, with: new)
        case .node(let id): old = nodes.replace(id, with: new)
        case .session: return
        }
        count(old, new)
        countChild(old?.parent, new?.parent)
        if stateBytes != nil, old?.session != new?.session, case .tab(let id) = item {
            moveStateBytes(
                of: id, old.map { sessions[$0.session].id }, new.map { sessions[$0.session].id })
        }
    }

    /// Sorts the commits after loading, which reads them in the order of their ids.
    func sortCommits() { commits.sort { $0.sequence < $1.sequence } }

    func setLatestTab(_ time: Timestamp, of number: Int) { sessions[number].latestTab = time }

    /// Counts a child that leaves a parent, and comes below another one.
    private func countChild(_ old: NodeID?, _ new: NodeID?) {
        guard old != new else { return }
        if let old, let count = childCounts[old] { childCounts[old] = count > 1 ? count - 1 : nil }
        if let new { childCounts[new, default: 0] += 1 }
    }

    /// Counts a tab or node that is added, removed or replaced in the sessions that it concerns.
    private func count(_ old: Element?, _ new: Element?) {
        if let old, let new, old.session == new.session {
            return sessions[new.session].replace(old, with: new)
        }
        if let old { sessions[old.session].replace(old, with: nil) }
        if let new { sessions[new.session].replace(nil, with: new) }
    }

    private func number(of name: StateName) -> Int {
        if let known = stateNames.firstIndex(of: name) { return known }
        stateNames.append(name)
        return stateNames.count - 1
    }
}

extension Dictionary {
    /// Puts the value, or removes the key, and returns the old value, with one search.
    fileprivate mutating func replace(_ key: Key, with new: Value?) -> Value? {
        guard let new else { return removeValue(forKey: key) }
        return updateValue(new, forKey: key)
    }
}
