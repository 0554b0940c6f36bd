import BrowserSessions

/// What is known about a partition's records without reading them: the session of each tab, the existing blobs, and the sums that the manifest must show.
///
/// A class, because every save passes it around, and copying its tables costs more than using them.
final class PartitionIndex {
    /// The number of the last applied change set.
    var sequence = StoredNumber.zero
    /// The manifest as it must be: the number of metadata records without the manifest itself, and
    /// the sum of their fingerprints modulo 2^64.
    private(set) var manifest = Manifest(records: 0, fingerprint: 0)

    private(set) var sessions: [SessionID: Session] = [:]
    private(set) var tabs: [TabID: Tab] = [:]
    private(set) var states: [StateSlot: State] = [:]
    /// The tabs of the previous generation.
    private(set) var previousTabs: [TabID: Tab] = [:]
    /// The remembered commit ids, oldest first.
    private(set) var commits: [Commit] = []
    private(set) var lossesFingerprint: UInt64?
    /// The kept generations, by the number in their keys.
    private(set) var generations: [UInt32: Generation] = [:]
    /// The tabs of kept generations other than the one that each opening takes: their state stays.
    private(set) var pinnedTabs: Set<TabID> = []
    /// The size of the states of each session's tabs in bytes; `nil` until it is needed.
    var stateBytes: [SessionID: Int]?
    /// The names of states in this store, in order of appearance.
    private(set) var stateNames: [StateName] = []

    struct Session {
        /// The fingerprint of its attributes; `nil` if there is no such record.
        var attributes: UInt64?
        var tabCount = 0
        /// The sum of the fingerprints of its records; the next one is for the previous generation.
        var sum: UInt64 = 0
        var previousSum: UInt64 = 0
        var previousAttributes: UInt64?
        var previousTabCount = 0

        var title = ""
        var lastActiveAt = Timestamp.unknown
        /// The time of the most recently active tab; `nil` if it must be searched for.
        var latestTab: Timestamp? = Timestamp(microseconds: .min)
        /// The size of its attributes and tab records in bytes.
        var byteCount = 0
        private(set) var attributesByteCount = 0

        mutating func use(_ attributes: Attributes?) {
            self.attributes = attributes?.fingerprint
            title = attributes?.title ?? ""
            lastActiveAt = attributes?.lastActiveAt ?? .unknown
            byteCount += (attributes?.byteCount ?? 0) - attributesByteCount
            attributesByteCount = attributes?.byteCount ?? 0
        }

        /// Counts a tab that is added, removed or replaced.
        mutating func replace(_ old: Tab?, with new: Tab?) {
            tabCount += (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
            sum &+= (new?.fingerprint ?? 0) &- (old?.fingerprint ?? 0)
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
        var isUnused: Bool { !exists && previousAttributes == nil && previousTabCount == 0 }
    }

    /// What is known about a record of attributes.
    struct Attributes {
        var fingerprint: UInt64
        var title: String
        var lastActiveAt: Timestamp
        var byteCount: Int
    }

    struct Tab {
        var session: SessionID
        var fingerprint: UInt64
        var lastActiveAt: Timestamp
        var byteCount: Int

        func key(of tab: TabID) -> [UInt8] { RecordKey.tab(session, tab).bytes }
    }

    struct StateSlot: Hashable {
        var tab: TabID
        var name: Int
    }

    struct State {
        /// The stored checksum of the blob's frame.
        var checksum: UInt32
        var length: Int
        /// The fingerprint of the entry's own record.
        var fingerprint: UInt64
    }

    struct Generation {
        var kept: KeptGeneration
        var fingerprint: UInt64
    }

    struct Commit {
        var id: CommitID
        var sequence: StoredNumber
        var fingerprint: UInt64
    }

    /// The sessions of the current generation, ascending.
    var sessionIDs: [SessionID] { sessions.filter(\.value.exists).map(\.key).sorted() }
}

// MARK: - Looking up

extension PartitionIndex {
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
}

// MARK: - Changing

extension PartitionIndex {
    /// A record that is added, removed or replaced.
    enum Edit {
        case attributes(SessionID, Attributes?)
        case tab(TabID, Tab?)
        case previousAttributes(SessionID, UInt64?)
        case previousTab(TabID, Tab?)
        case state(TabID, StateName, State?)
        case newCommit(Commit)
        case forgottenCommit
        case losses(UInt64?)
        case generation(UInt32, Generation)
    }

    /// Returns the fingerprints of the record before and after an edit.
    func fingerprints(of edit: Edit) -> (old: UInt64?, new: UInt64?) {
        switch edit {
        case .attributes(let id, let new): (sessions[id]?.attributes, new?.fingerprint)
        case .tab(let id, let new): (tabs[id]?.fingerprint, new?.fingerprint)
        case .previousAttributes(let id, let new): (sessions[id]?.previousAttributes, new)
        case .previousTab(let id, let new): (previousTabs[id]?.fingerprint, new?.fingerprint)
        case .state(let tab, let name, let new): (state(tab, name)?.fingerprint, new?.fingerprint)
        case .newCommit(let commit): (nil, commit.fingerprint)
        case .forgottenCommit: (commits.first?.fingerprint, nil)
        case .losses(let new): (lossesFingerprint, new)
        case .generation(let number, let new): (generations[number]?.fingerprint, new.fingerprint)
        }
    }

    func apply(_ edit: Edit) {
        switch edit {
        case .attributes(let id, let new):
            let change = note(sessions[id]?.attributes, new?.fingerprint)
            editSession(id) {
                $0.use(new)
                $0.sum &+= change
            }
        case .tab(let id, let new):
            let old = tabs.replace(id, with: new)
            note(old?.fingerprint, new?.fingerprint)
            count(old, new) { $0.replace($1, with: $2) }
            moveStateBytes(of: id, old?.session, new?.session)
        case .previousAttributes(let id, let new):
            let change = note(sessions[id]?.previousAttributes, new)
            editSession(id) {
                $0.previousAttributes = new
                $0.previousSum &+= change
            }
        case .previousTab(let id, let new):
            let old = previousTabs.replace(id, with: new)
            note(old?.fingerprint, new?.fingerprint)
            count(old, new) { session, old, new in
                session.previousTabCount += (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
                session.previousSum &+= (new?.fingerprint ?? 0) &- (old?.fingerprint ?? 0)
            }
        case .state(let tab, let name, let new):
            let old = states.replace(StateSlot(tab: tab, name: number(of: name)), with: new)
            note(old?.fingerprint, new?.fingerprint)
            if stateBytes != nil, let session = tabs[tab]?.session {
                stateBytes?[session, default: 0] += (new?.length ?? 0) - (old?.length ?? 0)
            }
        case .newCommit(let commit):
            note(nil, commit.fingerprint)
            commits.append(commit)
        case .forgottenCommit:
            note(commits.first?.fingerprint, nil)
            if !commits.isEmpty { commits.removeFirst() }
        case .losses(let new):
            note(lossesFingerprint, new)
            lossesFingerprint = new
        case .generation(let number, let new):
            note(generations[number]?.fingerprint, new.fingerprint)
            generations[number] = new
        }
    }

    /// Counts a record of a generation that does not change here.
    func addPinned(_ fingerprint: UInt64, tab: TabID? = nil) {
        note(nil, fingerprint)
        if let tab { pinnedTabs.insert(tab) }
    }

    /// Returns whether a kept generation needs the state of a tab that does not exist any more.
    func needsStateOfEarlier(_ tab: TabID) -> Bool {
        previousTabs[tab] != nil || pinnedTabs.contains(tab)
    }

    /// Counts a record with a changed fingerprint; returns the difference.
    @discardableResult
    private func note(_ old: UInt64?, _ new: UInt64?) -> UInt64 {
        manifest.replace(old, with: new)
        return (new ?? 0) &- (old ?? 0)
    }

    /// Sorts the commits after loading, which reads them in the order of their ids.
    func sortCommits() { commits.sort { $0.sequence < $1.sequence } }

    private func editSession(_ id: SessionID, _ edit: (inout Session) -> Void) {
        let isUnused = Self.edit(&sessions[id, default: Session()], edit)
        if isUnused { sessions[id] = nil }
    }

    /// Returns whether the session is not needed any more.
    private static func edit(_ session: inout Session, _ edit: (inout Session) -> Void) -> Bool {
        edit(&session)
        return session.isUnused
    }

    func setLatestTab(_ time: Timestamp, of id: SessionID) {
        editSession(id) { $0.latestTab = time }
    }

    /// Counts a tab that is added, removed or replaced in the sessions that it concerns.
    private func count(_ old: Tab?, _ new: Tab?, _ replace: (inout Session, Tab?, Tab?) -> Void) {
        if let old, let new, old.session == new.session {
            return editSession(new.session) { replace(&$0, old, new) }
        }
        if let old { editSession(old.session) { replace(&$0, old, nil) } }
        if let new { editSession(new.session) { replace(&$0, nil, new) } }
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
