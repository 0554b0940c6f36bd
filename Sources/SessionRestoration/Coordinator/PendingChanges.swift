import BrowserModel
import BrowserSessions

/// The state of one partition: what the store has, and what is pending.
///
/// A tab or session is pending from its first change until the store acknowledges that version. Changes are
/// marks until they are sent. Only then are metadata and state read from the model, so a tab that changes ten
/// times is saved once, and only with the blobs that differ from the store's. Data that is about to leave the
/// model, such as the tabs of a closing window, is taken immediately.
struct PendingChanges {
    let partition: StoragePartition
    var limits: Limits
    /// Whether this partition is never saved.
    var isMuted = false
    var tabs: [TabID: PendingTab] = [:]
    var sessions: [SessionID: PendingSession] = [:]
    /// The sessions in which the store has each tab, as far as they are known.
    var stored = StoredTabs()
    /// The tabs that are at the top of their session because the store lacks the tab that they are below.
    var waiting: [NodeID: Set<TabID>] = [:]
    /// The nodes that the store has in each session, as far as they are known.
    var storedNodes = StoredNodes()
    /// The attributes that this process saved, unless another one may have put others since.
    var storedAttributes: [SessionID: SessionAttributes] = [:]
    /// The tabs with a blob that exceeds the store's limit.
    var incomplete: [TabID: StorageError] = [:]
    /// The number of session removals. A change shows a workflow that sessions it read may be removed.
    private(set) var removals = 0
    private var lastVersion = 0
    private var notices: [RestorationEvent] = []

    struct Limits {
        var maximumStateBytes: Int
        var extraStates: [StateName]
    }

    init(of partition: StoragePartition, limits: Limits) {
        self.partition = partition
        self.limits = limits
    }

    // MARK: Queries

    /// Whether the store has acknowledged all changes.
    var isClean: Bool { tabs.isEmpty && sessions.isEmpty }

    /// Whether a change is pending that the store has not refused.
    var hasSomethingToSend: Bool {
        tabs.values.contains { !$0.refusal.isAllThatWaits }
            || sessions.values.contains { !$0.refusal.isAllThatWaits }
    }

    /// The tabs that are not saved as they are, with the reason.
    var refusals: [TabID: StorageError] {
        incomplete.merging(tabs.compactMapValues { $0.refusal.error }) { _, refused in refused }
    }

    /// The sessions that are not saved as they are, with the reason.
    var sessionRefusals: [SessionID: StorageError] {
        sessions.compactMapValues { $0.refusal.isAllThatWaits ? $0.refusal.error : nil }
    }

    /// Returns the session that the tab must be in; `nil` if there is none.
    func session(of tab: TabID) -> SessionID? {
        if let pending = tabs[tab] { return pending.session }
        return stored[tab]?.last
    }

    /// Returns whether the tab was last taken into the session and has not changed since.
    func isKept(_ tab: TabID, in session: SessionID) -> Bool {
        if case .live? = tabs[tab]?.target { return false }
        return self.session(of: tab) == session
    }

    /// Returns whether the store has the tab completely, as it is.
    func hasAll(of tab: TabID) -> Bool {
        !isMuted && tabs[tab] == nil && incomplete[tab] == nil && stored[tab] != nil
    }

    /// Returns whether a tab's state must be read before the tab leaves the model.
    func needsState(of tab: TabID) -> Bool {
        !isMuted && (tabs[tab]?.isStateDue ?? false || stored[tab] == nil)
    }

    /// Returns a blob that is not saved yet; `nil` if there is none.
    func unsavedState(_ name: StateName, of tab: TabID) -> [UInt8]?? {
        guard let pending = tabs[tab] else { return nil }
        return pending.blobs[name]
    }

    /// Returns whether the session must be removed from the store before tabs enter it again.
    func isRemovedFirst(_ session: SessionID) -> Bool {
        sessions[session].map { $0.isRemovedFirst && !$0.refusal.whole } ?? false
    }

    // MARK: Reports

    mutating func notify(_ event: RestorationEvent) { notices.append(event) }

    mutating func takeNotices() -> [RestorationEvent] {
        guard !notices.isEmpty else { return [] }
        defer { notices = [] }
        return notices
    }

    // MARK: Changes

    mutating func newVersion() -> Int {
        lastVersion += 1
        return lastVersion
    }

    /// Gives a tab a new version.
    ///
    /// - Parameter isAsked: whether the user asked for the change. What was asked to leave the windows stays so
    ///   while it is elsewhere.
    /// - Returns: whether something changed.
    mutating func change(
        _ tab: TabID, isAsked: Bool = false, _ change: (inout PendingTab) -> Void
    ) -> Bool {
        guard !isMuted else { return false }
        var changed = tabs[tab] ?? PendingTab(target: .gone, version: 0)
        changed.version = newVersion()
        changed.refusal = changed.refusal.afterChange
        changed.isAsked = isAsked || changed.isAsked && !changed.isOpen
        change(&changed)
        if case .gone = changed.target, stored[tab] == nil {
            tabs[tab] = nil
        } else {
            tabs[tab] = changed
            if let session = changed.session { keep(session) }
        }
        return true
    }

    /// Gives a session a new version.
    mutating func change(
        _ session: SessionID, _ target: PendingSession.Target, isRemovedFirst: Bool = false,
        isAsked: Bool = false
    ) -> Bool {
        guard !isMuted else { return false }
        let before = sessions[session]
        sessions[session] = PendingSession(
            target: target, version: newVersion(),
            isRemovedFirst: isRemovedFirst || before?.isRemovedFirst ?? false,
            isAsked: isAsked || before?.isAsked ?? false,
            // A lasting error is reported once.
            refusal: .init(error: before?.refusal.error))
        return true
    }

    /// Cancels the removal of an empty session that a tab enters. It needs no attributes.
    private mutating func keep(_ session: SessionID) {
        guard let pending = sessions[session], pending.isGone, !pending.isRemovedFirst else {
            return
        }
        sessions[session] = nil
    }

    /// Removes a session with the tabs in it. Tabs that enter it later stay.
    mutating func remove(_ session: SessionID, isAsked: Bool) -> Bool {
        guard !isMuted else { return false }
        removals += 1
        for tab in Array(incomplete.keys) where self.session(of: tab) == session {
            incomplete[tab] = nil
        }
        // In an order of their own, so that a run repeats from its seed.
        let closed = tabs.filter { $0.value.session == session }.keys.sorted()
        for tab in closed { _ = close(tab, isAsked: isAsked) }
        return change(session, .gone, isRemovedFirst: true, isAsked: isAsked)
    }

    /// Permanently closes a tab.
    mutating func close(_ tab: TabID, isAsked: Bool) -> Bool {
        let hasChanged = change(tab, isAsked: isAsked) { pending in
            pending.target = .gone
            pending.isStateDue = false
            pending.blobs = [:]
            pending.refusal = Refusal()
        }
        incomplete[tab] = nil
        return hasChanged
    }

    // MARK: As a whole

    /// Forgets everything, because the partition was deleted.
    mutating func forgetAll() {
        stored = StoredTabs()
        storedNodes = StoredNodes()
        waiting = [:]
        storedAttributes = [:]
        tabs = [:]
        sessions = [:]
        incomplete = [:]
        removals += 1
    }

    /// Forgets what the store has, because another storage is used from now on. Pending changes
    /// stay pending; the owner marks everything that is open.
    mutating func forgetStore() {
        for tab in Array(tabs.keys) { tabs[tab]?.refusal = Refusal() }
        for session in Array(sessions.keys) { sessions[session]?.refusal = Refusal() }
        stored.forgetBlobs()
        storedNodes.forget()
        storedAttributes = [:]
    }
}
