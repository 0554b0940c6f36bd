import BrowserModel
import BrowserSessions

/// Keeps tabs that the user closes, one place for the whole profile.
///
/// A closed tab is moved to another session, in the same change set as the rest of the save:
/// nothing is copied, and its state stays where it is. What the app closes is gone, and so are
/// blank pages that never went anywhere.
final class ClosedTabRecords: ClosingRules {
    static let session = SessionID(window: .profileWide, kind: .recentlyClosed)

    /// The tab closed first comes first.
    private(set) var tabs: [ClosedTab] = []
    /// Whether tabs are dropped for their age: not before restoring was a success, since then they
    /// may be the only copy, and the clock the only witness.
    var mayExpire = false
    /// Called with tabs that went because a rule keeps them no longer.
    var onDropped: (DroppedItems) -> Void = { _ in }
    /// Told of a tab that was just closed, whose page may have more to tell, and as what it is kept.
    var onTaken: (Tab, TabMetadata) -> Void = { _, _ in }
    private let policy: RestorationPolicy
    private let ledger: SideLedger
    private let age: StoreAge
    private let now: @Sendable () -> Timestamp
    private var closing: ClosingID?
    private var isOneClosing = false
    private var isReopening = false

    init(
        _ policy: RestorationPolicy, _ ledger: SideLedger, _ age: StoreAge,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.policy = policy
        self.ledger = ledger
        self.age = age
        self.now = now
    }

    subscript(id: TabID) -> ClosedTab? { tabs.first { $0.id == id } }

    // MARK: Closing

    func closed(_ removal: TabRemoval, in window: Window, _ ledger: SideLedger) {
        guard removal.closing == .user, !policy.isBlank(removal.tab.metadata) else {
            return ledger.close(removal.tab.id)
        }
        let closing = closing ?? .random()
        self.closing = closing
        var tab = ClosedTab(removal, in: window, closing, at: now(), place: nextPlace)
        tab.age = age.next()
        ledger.take(removal.tab, as: tab.stored, in: Self.session)
        onTaken(removal.tab, tab.stored)
        tabs.append(tab)
    }

    func batchEnded() {
        if closing != nil { report(enforceLimits()) }
        if !isOneClosing { closing = nil }
    }

    /// Whatever is closed meanwhile, in whatever windows, is one closing.
    ///
    /// - Returns: its tabs that are kept, in the order in which they were closed.
    func asOneClosing<Failure: Error>(
        _ work: () throws(Failure) -> Void
    ) throws(Failure) -> [ClosedTab] {
        let id = ClosingID.random()
        (closing, isOneClosing) = (id, true)
        defer { (closing, isOneClosing) = (nil, false) }
        try work()
        return tabs.filter { $0.closing == id }
    }

    /// Nobody holds a tab any more that had left its list: it is here, to be opened again.
    func lost(_ tab: TabMetadata, from session: SessionID) {
        guard !policy.isBlank(tab) else { return ledger.close(tab.id) }
        var closed = ClosedTab(lost: tab, from: session, at: now(), place: nextPlace)
        closed.age = age.next()
        ledger.put(closed.stored, in: Self.session)
        tabs.append(closed)
        report(enforceLimits())
    }

    private func report(_ dropped: DroppedItems) { if !dropped.isEmpty { onDropped(dropped) } }

    private var nextPlace: OrderKey { .between(tabs.last?.metadata.place, nil) }

    // MARK: At launch

    /// Takes over what was saved; tabs that were closed meanwhile come behind it.
    func load(_ sessions: [RestoredSession]) {
        let closedMeanwhile = tabs
        tabs = []
        for session in sessions {
            for tab in session.tabs where !closedMeanwhile.contains(where: { $0.id == tab.id }) {
                ledger.isStored(tab.id, in: session.id)
                tabs.append(ClosedTab(stored: tab))
            }
        }
        for tab in closedMeanwhile {
            var tab = tab
            tab.metadata.place = nextPlace
            ledger.put(tab.stored, in: Self.session)
            tabs.append(tab)
        }
    }

    /// Those that this store sees for the first time, as imported ones, with their indexes; the one closed
    /// first comes first.
    var unseen: [(index: Int, closedAt: Timestamp)] {
        tabs.indices.filter { !age.knows(tabs[$0].age) }.map { ($0, tabs[$0].closedAt) }
    }

    /// From when on they age, as far as that is known.
    var marks: [StoreAge.Mark] { tabs.compactMap(\.age) }

    /// The tab ages from now on, and counts as closed after all that was seen before.
    func seen(_ index: Int) {
        tabs[index].age = age.next()
        ledger.put(tabs[index].stored, in: Self.session)
    }

    /// Lets go of what is too old, once it is known that everything could be read. However many there are,
    /// none goes for their number because an app was launched.
    func didRestore(isSuspicious: Bool) -> DroppedItems {
        mayExpire = !isSuspicious
        var dropped = DroppedItems()
        dropped.oldClosedTabs = tooOld
        if !dropped.isEmpty { forget(Set(dropped.oldClosedTabs)) }
        return dropped
    }

    /// Saves all of them in a store that may not have them.
    func saveAnew() {
        for tab in tabs { ledger.put(tab.stored, in: Self.session) }
    }

    // MARK: Letting go

    /// A tab came into a window that was in none before.
    func cameIn(_ tab: Tab) { if !isReopening { reopened([tab.id]) } }

    /// Lets tabs come into windows of which ``reopened(_:)`` is told at the end.
    func whileReopening<Failure: Error>(_ work: () throws(Failure) -> Void) throws(Failure) {
        isReopening = true
        defer { isReopening = false }
        try work()
    }

    /// The tabs are in a window again.
    func reopened(_ ids: Set<TabID>) { tabs.removeAll { ids.contains($0.id) } }

    /// Drops tabs and what is saved of them.
    func forget(_ ids: Set<TabID>) {
        for id in ids { ledger.close(id) }
        reopened(ids)
    }

    /// Drops what is too old or one too many, and returns what it dropped.
    func enforceLimits() -> DroppedItems {
        var dropped = DroppedItems()
        // What was closed in one go can be undone as one, however much it was.
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
            age.age(of: $0.age).map { $0 > policy.closed.maximumAge } ?? false
        }.map(\.id)
    }
}

extension SessionID {
    /// The window to which it belongs: itself, but for companions.
    fileprivate var ofWindow: SessionID {
        kind.role == .companion ? SessionID(window: window) : self
    }
}

extension RestorationPolicy {
    /// Whether the tab shows a page that is not worth keeping and never went anywhere else.
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
