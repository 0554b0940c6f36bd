import BrowserModel
import BrowserSessions

/// Keeps the tabs that the user closes, in one session for the entire profile.
///
/// A closed tab moves to this session in the same change set as the rest of the save. Nothing is
/// copied, and its state stays where it is. Tabs that the app closes, and blank pages without other
/// history, are removed.
final class ClosedTabRecords: ClosingRules {
    static let session = SessionID(window: .profileWide, kind: .recentlyClosed)

    /// The closed tabs, the first closed first.
    private(set) var tabs: [ClosedTab] = []
    /// Whether tabs are dropped for their age. Not before restoring succeeded, because until then
    /// they may be the only copy.
    private var mayExpire = false
    private let policy: RestorationPolicy
    private let saves: SavedPartition
    private let age: StoreAge
    private let clock: WallClock
    private var closing: ClosingID?
    private var isOneClosing = false
    private var isReopening = false

    init(policy: RestorationPolicy, saves: SavedPartition, age: StoreAge, clock: WallClock) {
        self.policy = policy
        self.saves = saves
        self.age = age
        self.clock = clock
    }

    subscript(id: TabID) -> ClosedTab? { tabs.first { $0.id == id } }

    // MARK: Closing

    func closed(_ removal: TabRemoval, in window: Window) -> KeptTab? {
        guard removal.closing == .user, !policy.isBlank(removal.tab.metadata) else {
            saves.close(removal.tab.id)
            return nil
        }
        let closing = closing ?? .random()
        self.closing = closing
        var tab = ClosedTab(removal, in: window, closing, at: clock.now, place: nextPlace)
        tab.age = age.next()
        saves.take(removal.tab, as: tab.stored, in: Self.session)
        tabs.append(tab)
        return KeptTab(tab: removal.tab, metadata: tab.stored, session: Self.session)
    }

    func batchEnded() {
        if closing != nil { report(enforceLimits()) }
        if !isOneClosing { closing = nil }
    }

    /// Treats everything that the work closes, in any window, as one closing.
    ///
    /// - Returns: the tabs of this closing that are kept, in the order in which they were closed.
    func asOneClosing<Failure: Error>(
        _ work: () throws(Failure) -> Void
    ) throws(Failure) -> [ClosedTab] {
        let id = ClosingID.random()
        (closing, isOneClosing) = (id, true)
        defer { (closing, isOneClosing) = (nil, false) }
        try work()
        return tabs.filter { $0.closing == id }
    }

    /// Keeps a detached tab that its last owner released, so that it can be reopened.
    func lost(_ tab: TabMetadata, from session: SessionID) {
        guard !policy.isBlank(tab) else { return saves.close(tab.id) }
        var closed = ClosedTab(lost: tab, from: session, at: clock.now, place: nextPlace)
        closed.age = age.next()
        saves.put(closed.stored, in: Self.session)
        tabs.append(closed)
        report(enforceLimits())
    }

    private func report(_ dropped: DroppedItems) {
        if !dropped.isEmpty { saves.driver.notify(.dropped(dropped)) }
    }

    private var nextPlace: OrderKey { .between(tabs.last?.metadata.place, and: nil) }

    // MARK: At launch

    /// Takes over the saved tabs. Tabs that were closed in the meantime follow them.
    func load(_ sessions: [RestoredSession]) {
        let closedMeanwhile = tabs
        tabs = []
        for session in sessions {
            for tab in session.tabs where !closedMeanwhile.contains(where: { $0.id == tab.id }) {
                saves.stored([tab], in: session.id)
                tabs.append(ClosedTab(stored: tab))
            }
        }
        for tab in closedMeanwhile {
            var tab = tab
            tab.metadata.place = nextPlace
            saves.put(tab.stored, in: Self.session)
            tabs.append(tab)
        }
    }

    /// The tabs that this store sees for the first time, such as imported tabs, with their indexes;
    /// the first closed first.
    var unseen: [(index: Int, closedAt: Timestamp)] {
        tabs.indices.filter { !age.knows(tabs[$0].age) }.map { ($0, tabs[$0].closedAt) }
    }

    /// The marks from which the tabs' ages are measured, as far as they are known.
    var marks: [StoreAge.Mark] { tabs.compactMap(\.age) }

    /// Starts the age of a tab now, and orders it after everything that was seen before.
    func seen(_ index: Int) {
        tabs[index].age = age.next()
        saves.put(tabs[index].stored, in: Self.session)
    }

    /// Drops tabs that are too old, once everything is known to be readable. A launch never drops
    /// tabs because of their number.
    func didRestore(isSuspicious: Bool) -> DroppedItems {
        mayExpire = !isSuspicious
        var dropped = DroppedItems()
        dropped.oldClosedTabs = tooOld
        if !dropped.isEmpty { forget(Set(dropped.oldClosedTabs)) }
        return dropped
    }

    /// Marks all tabs for saving, for a store that may not have them.
    func saveAnew() {
        for tab in tabs { saves.put(tab.stored, in: Self.session) }
    }

    // MARK: Removing

    /// Forgets a tab as closed if it came into a window without having been in one.
    func cameIn(_ tab: Tab) { if !isReopening { reopened([tab.id]) } }

    /// Runs work that brings tabs into windows and calls ``reopened(_:)`` at the end.
    func whileReopening<Failure: Error>(_ work: () throws(Failure) -> Void) throws(Failure) {
        isReopening = true
        defer { isReopening = false }
        try work()
    }

    /// Forgets tabs that are in a window again.
    func reopened(_ ids: Set<TabID>) { tabs.removeAll { ids.contains($0.id) } }

    /// Drops tabs and their saved data.
    func forget(_ ids: Set<TabID>) {
        for id in ids { saves.close(id) }
        reopened(ids)
    }

    /// Drops tabs that are too old or exceed the limit, and returns them.
    func enforceLimits() -> DroppedItems {
        var dropped = DroppedItems()
        // A closing can always be undone as a whole, however many tabs it has.
        let last = tabs.last?.closing
        let excess = max(0, tabs.count - max(0, policy.closed.maximumTabs))
        dropped.oldClosedTabs = tooOld
        let old = Set(dropped.oldClosedTabs)
        dropped.surplusClosedTabs = tabs.prefix(excess)
            .filter { $0.closing != last && !old.contains($0.id) }.map(\.id)
        if !dropped.isEmpty { forget(old.union(dropped.surplusClosedTabs)) }
        return dropped
    }

    private var tooOld: [TabID] {
        guard mayExpire else { return [] }
        return tabs.filter {
            age.isOlder($0.age, than: policy.closed.maximumAge)
        }.map(\.id)
    }
}

extension SessionID {
    /// The session of the window that this session belongs to: itself, except for companions.
    fileprivate var ofWindow: SessionID {
        kind.role == .companion ? SessionID(window: window) : self
    }
}

extension RestorationPolicy {
    /// Returns whether the tab shows a blank page and has no other history.
    func isBlank(_ tab: TabMetadata) -> Bool {
        blankPages.contains(tab.url) && tab.navigationItemCount <= 1
    }
}

extension ClosedTab {
    fileprivate init(
        lost tab: TabMetadata, from session: SessionID, at time: Timestamp, place: OrderKey
    ) {
        var metadata = tab
        metadata.place = place
        metadata.isPinned = false
        metadata.group = nil
        metadata.opener = nil
        self.init(
            closedAt: time, session: session.window == .profileWide ? nil : session.ofWindow,
            index: nil,
            isPinned: tab.isPinned, group: nil, closing: .random(), wasActive: false,
            opener: tab.opener, metadata: metadata)
    }

    fileprivate init(
        _ removal: TabRemoval, in window: Window, _ closing: ClosingID, at time: Timestamp,
        place: OrderKey
    ) {
        var metadata = removal.tab.metadata
        metadata.place = place
        let backup = BackupNotes(window.attributes)
        self.init(
            closedAt: time,
            session: window.sessionID.ofWindow,
            index: window.isCompanion && window.kind != .backup
                ? nil : removal.index + backup.firstIndex.index,
            isPinned: removal.isPinned, group: removal.isPinned ? nil : removal.group,
            closing: closing, wasActive: removal.wasActive,
            opener: removal.opener ?? backup.openers[removal.tab.id], metadata: metadata)
    }
}
