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
    private(set) var manifest = Manifest(records: 0, fingerprint: 0)

    /// The sessions that have or had a record, by their numbers here.
    private(set) var sessions: [Session] = []
    private var numbers: [SessionID: Int] = [:]
    private(set) var tabs: [TabID: Tab] = [:]
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

    struct Session {
        let id: SessionID
        /// What its attributes are; `nil` if there is no such record.
        var attributes: RecordStamp?
        var tabCount = 0

        var title = ""
        var lastActiveAt = Timestamp.unknown
        /// The time of the most recently active tab; `nil` if it must be searched for.
        var latestTab: Timestamp? = Timestamp(microseconds: .min)
        /// The size of its attributes and tab records in bytes.
        var byteCount = 0
        private(set) var attributesByteCount = 0

        init(_ id: SessionID) { self.id = id }

        mutating func use(_ attributes: Attributes?) {
            self.attributes = attributes?.stamp
            title = attributes?.title ?? ""
            lastActiveAt = attributes?.lastActiveAt ?? .unknown
            byteCount += (attributes?.byteCount ?? 0) - attributesByteCount
            attributesByteCount = attributes?.byteCount ?? 0
        }

        /// Counts a tab that is added, removed or replaced.
        mutating func replace(_ old: Tab?, with new: Tab?) {
            tabCount += (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
            byteCount += (new?.byteCount ?? 0) - (old?.byteCount ?? 0)
            guard let latest = latestTab else { return }
            let time = new?.lastActiveAt ?? Timestamp(microseconds: .min)
            if time >= latest {
                latestTab = time
            } else if old?.lastActiveAt == latest {
                latestTab = nil
            }
        }

        var exists: Bool { attributes != nil || tabCount > 0 }
    }

    /// What is known about a record of attributes.
    struct Attributes {
        var stamp: RecordStamp
        var title: String
        var lastActiveAt: Timestamp
        var byteCount: Int
    }

    struct Tab {
        /// The number of its session.
        var session: Int
        var stamp: RecordStamp
        var lastActiveAt: Timestamp
        var byteCount: Int
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

// MARK: - Looking up

extension PartitionIndex {
    /// The existing sessions, ascending.
    var sessionIDs: [SessionID] { sessions.filter(\.exists).map(\.id).sorted() }

    /// Returns what is known about a session; `nil` if it has no record.
    func session(_ id: SessionID) -> Session? {
        guard let number = numbers[id], sessions[number].exists else { return nil }
        return sessions[number]
    }

    /// Returns the session that a tab is in.
    func session(of tab: TabID) -> SessionID? { tabs[tab].map { sessions[$0.session].id } }

    /// Returns whether a tab is in a session.
    func has(_ tab: TabID, in session: SessionID) -> Bool { self.session(of: tab) == session }

    /// Returns the tabs of a session, ascending.
    func tabs(of id: SessionID) -> [TabID] {
        guard let number = numbers[id], sessions[number].tabCount > 0 else { return [] }
        return tabs.filter { $0.value.session == number }.keys.sorted()
    }

    /// Returns the key of a tab's record.
    func key(of id: TabID, _ tab: Tab) -> RecordKey { .tab(sessions[tab.session].id, id) }

    func state(_ tab: TabID, _ name: StateName) -> State? {
        guard let number = stateNames.firstIndex(of: name) else { return nil }
        return states[StateSlot(tab: tab, name: number)]
    }

    /// Returns the names of a tab's blobs, ascending.
    func names(of tab: TabID) -> [StateName] {
        stateNames.indices
            .filter { states[StateSlot(tab: tab, name: $0)] != nil }
            .map { stateNames[$0] }
            .sorted { $0.rawValue < $1.rawValue }
    }

    /// Returns what a record is now; `nil` if there is none.
    func stamp(of record: RecordKey) -> RecordStamp? {
        switch record {
        case .session(let id): session(id)?.attributes
        case .tab(let id, let tab): has(tab, in: id) ? tabs[tab]?.stamp : nil
        case .stateEntry(let tab, let name): state(tab, name)?.stamp
        case .losses: lossesStamp
        case .commit(let id): commits.first { $0.id == id }?.stamp
        case .point(let number): points.first { $0.number == number }?.stamp
        case .manifest: nil
        }
    }

    /// Returns the number of a session; gives it one if it has none.
    func number(for id: SessionID) -> Int {
        if let known = numbers[id] { return known }
        numbers[id] = sessions.count
        sessions.append(Session(id))
        return sessions.count - 1
    }

    /// Returns the number of the newest restore point; 0 if there is none.
    var newestPoint: StoredNumber { points.last?.number ?? .zero }
}

// MARK: - Changing

extension PartitionIndex {
    /// A record that is added, removed or replaced.
    enum Edit {
        case attributes(SessionID, Attributes?)
        case tab(TabID, Tab?)
        case state(TabID, StateName, State?)
        case newCommit(Commit)
        case forgottenCommit
        case losses(RecordStamp?)
        case newPoint(Point)
        case forgottenPoint(StoredNumber)
    }

    /// Returns what the record is before and after an edit.
    func stamps(of edit: Edit) -> (old: RecordStamp?, new: RecordStamp?) {
        switch edit {
        case .attributes(let id, let new): (session(id)?.attributes, new?.stamp)
        case .tab(let id, let new): (tabs[id]?.stamp, new?.stamp)
        case .state(let tab, let name, let new): (state(tab, name)?.stamp, new?.stamp)
        case .newCommit(let commit): (nil, commit.stamp)
        case .forgottenCommit: (commits.first?.stamp, nil)
        case .losses(let new): (lossesStamp, new)
        case .newPoint(let point): (stamp(of: .point(point.number)), point.stamp)
        case .forgottenPoint(let number): (stamp(of: .point(number)), nil)
        }
    }

    func apply(_ edit: Edit) {
        switch edit {
        case .attributes(let id, let new):
            let number = number(for: id)
            note(sessions[number].attributes, new?.stamp)
            sessions[number].use(new)
        case .tab(let id, let new):
            let old = tabs.replace(id, with: new)
            note(old?.stamp, new?.stamp)
            count(old, new)
            if stateBytes != nil, old?.session != new?.session {
                moveStateBytes(
                    of: id, old.map { sessions[$0.session].id },
                    new.map { sessions[$0.session].id })
            }
        case .state(let tab, let name, let new):
            let old = states.replace(StateSlot(tab: tab, name: number(of: name)), with: new)
            note(old?.stamp, new?.stamp)
            if stateBytes != nil, let session = session(of: tab) {
                stateBytes?[session, default: 0] += (new?.length ?? 0) - (old?.length ?? 0)
            }
        case .newCommit(let commit):
            note(nil, commit.stamp)
            commits.append(commit)
        case .forgottenCommit:
            note(commits.first?.stamp, nil)
            if !commits.isEmpty { commits.removeFirst() }
        case .losses(let new):
            note(lossesStamp, new)
            lossesStamp = new
        case .newPoint(let point):
            note(stamp(of: .point(point.number)), point.stamp)
            points.removeAll { $0.number == point.number }
            points.insert(
                point, at: points.firstIndex { $0.number > point.number } ?? points.endIndex)
        case .forgottenPoint(let number):
            note(stamp(of: .point(number)), nil)
            points.removeAll { $0.number == number }
        }
    }

    private func note(_ old: RecordStamp?, _ new: RecordStamp?) {
        manifest.replace(old?.fingerprint, with: new?.fingerprint)
    }

    /// Sorts the commits after loading, which reads them in the order of their ids.
    func sortCommits() { commits.sort { $0.sequence < $1.sequence } }

    func setLatestTab(_ time: Timestamp, of number: Int) { sessions[number].latestTab = time }

    /// Counts a tab that is added, removed or replaced in the sessions that it concerns.
    private func count(_ old: Tab?, _ new: Tab?) {
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
