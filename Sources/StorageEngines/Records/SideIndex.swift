import BrowserSessions

/// What is known of a side's records without reading them: where each tab is, which blobs exist,
/// and the sums that the manifest must show.
///
/// A class, because every save hands it around, and copying its tables costs more than using them.
final class SideIndex {
    /// The number of the last applied change set.
    var sequence = StoredNumber.zero
    /// What the manifest must say: how many metadata records there are, itself not counted, and the
    /// sum of their fingerprints modulo 2^64.
    private(set) var manifest = Manifest(records: 0, fingerprint: 0)

    private(set) var sessions: [SessionID: Session] = [:]
    private(set) var tabs: [TabID: Tab] = [:]
    private(set) var states: [StateSlot: State] = [:]
    /// The tabs of the previous generation.
    private(set) var previousTabs: [TabID: Tab] = [:]
    /// The commit ids that are remembered, oldest first.
    private(set) var commits: [Commit] = []
    private(set) var lossesFingerprint: UInt64?
    /// The generations that are kept, by the number in their keys.
    private(set) var generations: [UInt32: Generation] = [:]
    /// Tabs of other kept generations than the one that each opening takes: their state stays.
    private(set) var pinnedTabs: Set<TabID> = []
    /// The bytes of the states of each session's tabs; `nil` as long as nobody asked.
    var stateBytes: [SessionID: Int]?
    /// The names that states have in this store, in order of appearance.
    private(set) var stateNames: [StateName] = []

    struct Session {
        /// The fingerprint of its attributes; `nil` if there is no such record.
        var attributes: UInt64?
        var tabCount = 0
        /// The sum of the fingerprints of its records, and of those of the previous generation.
        var sum: UInt64 = 0
        var previousSum: UInt64 = 0
        var previousAttributes: UInt64?
        var previousTabCount = 0

        var title = ""
        var lastActiveAt = Timestamp.unknown
        /// The time of the tab that was active last; `nil` if that is to be looked for.
        var latestTab: Timestamp? = Timestamp(microseconds: .min)
        /// Bytes of the records of its attributes and tabs.
        var byteCount = 0
        private(set) var attributesByteCount = 0

        mutating func use(_ attributes: Attributes?) {
            self.attributes = attributes?.fingerprint
            title = attributes?.title ?? ""
            lastActiveAt = attributes?.lastActiveAt ?? .unknown
            byteCount += (attributes?.byteCount ?? 0) - attributesByteCount
            attributesByteCount = attributes?.byteCount ?? 0
        }

        /// Counts a tab that is new, gone or replaced.
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

    /// What is known of a record of attributes.
    struct Attributes {
        var fingerprint: UInt64
        var title: String
        var lastActiveAt: Timestamp
        var byteCount: Int
    }

    struct Tab {
        var session: SessionID
        var place: OrderKey
        var fingerprint: UInt64
        var lastActiveAt: Timestamp
        var byteCount: Int

        func key(of tab: TabID) -> [UInt8] { RecordKey.tab(session, place, tab).bytes }
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

extension SideIndex {
    func state(_ tab: TabID, _ name: StateName) -> State? {
        guard let number = stateNames.firstIndex(of: name) else { return nil }
        return states[StateSlot(tab: tab, name: number)]
    }

    /// The names of a tab's blobs, ascending.
    func names(of tab: TabID) -> [StateName] {
        stateNames.indices
            .filter { states[StateSlot(tab: tab, name: $0)] != nil }
            .map { stateNames[$0] }
            .sorted { $0.rawValue < $1.rawValue }
    }
}

// MARK: - Changing

extension SideIndex {
    /// One record more, less or replaced.
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

    /// The fingerprints of the record before and after an edit.
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

    /// Counts a record of a generation that nothing here changes.
    func addPinned(_ fingerprint: UInt64, tab: TabID? = nil) {
        note(nil, fingerprint)
        if let tab { pinnedTabs.insert(tab) }
    }

    /// Whether a kept generation needs the state of a tab that is not there any more.
    func needsStateOfEarlier(_ tab: TabID) -> Bool {
        previousTabs[tab] != nil || pinnedTabs.contains(tab)
    }

    /// Counts a record whose fingerprint changes; returns by how much.
    @discardableResult
    private func note(_ old: UInt64?, _ new: UInt64?) -> UInt64 {
        manifest.replace(old, with: new)
        return (new ?? 0) &- (old ?? 0)
    }

    /// After loading, when commits came in the order of their ids.
    func sortCommits() { commits.sort { $0.sequence < $1.sequence } }

    private func editSession(_ id: SessionID, _ edit: (inout Session) -> Void) {
        let isUnused = Self.edit(&sessions[id, default: Session()], edit)
        if isUnused { sessions[id] = nil }
    }

    /// Returns whether nothing needs the session any more.
    private static func edit(_ session: inout Session, _ edit: (inout Session) -> Void) -> Bool {
        edit(&session)
        return session.isUnused
    }

    func setLatestTab(_ time: Timestamp, of id: SessionID) {
        editSession(id) { $0.latestTab = time }
    }

    /// Counts a tab that is new, gone or replaced in the sessions that it concerns.
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
    /// Puts the value, or removes the key, and returns what was there, with one search.
    fileprivate mutating func replace(_ key: Key, with new: Value?) -> Value? {
        guard let new else { return removeValue(forKey: key) }
        return updateValue(new, forKey: key)
    }
}
