import BrowserModel
import BrowserSessions

/// What the store has of one side of a profile, and what it shall have.
///
/// Where a tab is acknowledged to be is kept once, here, and so is what shall be different: a tab or a
/// session waits from its first change until the store has acknowledged that very version. Changes are
/// marks until they are sent: only then are metadata and state taken from the model, so that a tab that
/// changes ten times is saved once, and of its blobs only those that are others than the store's. What is
/// about to go, such as the tabs of a window that closes, is taken at once.
final class SideLedger {
    let side: StorageSide
    let limits: Limits
    /// Whether nothing of this side is to be saved.
    var isMuted = false
    /// Told after each change that waits.
    var onChange: () -> Void = {}
    var onNotice: (RestorationEvent) -> Void = { _ in }

    /// Where the store has each tab, as far as that is known.
    var places: [TabID: TabPlace] {
        get {
            placeRestored()
            return placed
        }
        _modify {
            placeRestored()
            yield &placed
        }
    }
    private var placed: [TabID: TabPlace] = [:]
    /// Tabs that were restored and have no place yet: windows are to be on the screen first.
    private var restored: [(tabs: [TabMetadata], session: SessionID)] = []
    var waiting: [TabID: WaitingTab] = [:]
    var waitingSessions: [SessionID: WaitingSession] = [:]
    /// Tabs of which a blob is larger than the store says it takes.
    var partial: [TabID: StorageError] = [:]
    /// Another number each time that the side was deleted: answers to what was sent before mean nothing.
    private(set) var era = 0
    /// Another number after each removal of a session.
    private(set) var removals = 0
    private var versions = 0

    struct Limits {
        var maximumStateBytes: Int
        var extraStates: [StateName]
    }

    struct WaitingSession {
        enum Wish {
            case live(Window)
            case taken(SessionAttributes)
            case gone
        }

        var wish: Wish
        var version: Int
        /// Whether the store removes it with all that it has of it before anything else comes there.
        var isRemovedFirst: Bool
        /// What the store did not take of this version.
        var refusal = Refusal()

        /// What is left out of a session because the store refused it.
        struct Refusal {
            /// How much is left out; 0 for nothing.
            var stage = 0
            /// Nothing more can be left out, and it is still refused.
            var whole = false
            /// The rest of this version was acknowledged, or nothing of it is taken.
            var isAllThatWaits = false
            /// Why; `nil` if nothing was refused.
            var error: StorageError?
        }

        var isGone: Bool { if case .gone = wish { true } else { false } }
    }

    init(side: StorageSide, limits: Limits) {
        self.side = side
        self.limits = limits
    }

    // MARK: Asking

    /// Whether the store has acknowledged everything as it is.
    var isClean: Bool { waiting.isEmpty && waitingSessions.isEmpty }

    /// Whether something waits that the store has not refused.
    var hasSomethingToSend: Bool {
        waiting.values.contains { !$0.refusal.isAllThatWaits }
            || waitingSessions.values.contains { !$0.refusal.isAllThatWaits }
    }

    /// Why tabs are not saved as they are.
    var refusals: [TabID: StorageError] {
        partial.merging(waiting.compactMapValues { $0.refusal.error }) { _, refused in refused }
    }

    /// Why sessions are not saved as they are.
    var sessionRefusals: [SessionID: StorageError] {
        waitingSessions.compactMapValues { $0.refusal.isAllThatWaits ? $0.refusal.error : nil }
    }

    /// Where a tab shall be; `nil` if nowhere.
    func session(of tab: TabID) -> SessionID? {
        if let waiting = waiting[tab] { return waiting.session }
        return places[tab]?.last
    }

    /// Whether the tab was taken into that session last and nothing was done with it since.
    func isKept(_ tab: TabID, in session: SessionID) -> Bool {
        if case .live(_, _)? = waiting[tab]?.wish { return false }
        return self.session(of: tab) == session
    }

    /// Whether the store has all of a tab as it is.
    func hasAll(of tab: TabID) -> Bool {
        !isMuted && waiting[tab] == nil && partial[tab] == nil && places[tab] != nil
    }

    /// A blob that waits to be saved; `nil` if none does.
    func unsavedState(_ name: StateName, of tab: TabID) -> [UInt8]?? {
        guard let entry = waiting[tab] else { return nil }
        return entry.blobs[name]
    }

    // MARK: Tabs

    /// The store holds the tab there already.
    func isStored(_ tab: TabID, in session: SessionID) { places[tab] = TabPlace(session) }

    /// The store holds the tabs there already.
    func isStored(_ tabs: [TabMetadata], in session: SessionID) {
        restored.append((tabs, session))
    }

    /// Puts down the places of tabs that were restored; whoever asks for one before does that, too.
    func placeRestored() {
        guard !restored.isEmpty else { return }
        var (new, places) = ([(tabs: [TabMetadata], session: SessionID)](), [TabID: TabPlace]())
        swap(&new, &restored)
        swap(&places, &placed)
        places.reserveCapacity(new.reduce(places.count) { $0 + $1.tabs.count })
        for (tabs, session) in new {
            let place = TabPlace(session)
            for tab in tabs { places[tab.id] = place }
        }
        swap(&places, &placed)
    }

    /// The tab is in that session and has changed.
    func mark(_ tab: Tab, in session: SessionID, state: Bool) {
        change(tab.id) { waiting in
            waiting.wish = .live(tab, in: session)
            if state { waiting.isStateDue = true }
        }
    }

    /// The tab shall be in the session as the metadata says, whatever becomes of the model's.
    func put(_ metadata: TabMetadata, in session: SessionID) {
        change(metadata.id) { $0.wish = .taken(metadata, in: session) }
    }

    /// As ``put(_:in:)``, with the tab's state as it is now if that waits to be saved.
    func take(_ tab: Tab, as metadata: TabMetadata, in session: SessionID, state: Bool = false) {
        change(tab.id) { waiting in
            waiting.wish = .taken(metadata, in: session)
            if state || waiting.isStateDue || places[tab.id] == nil { take(stateOf: tab, &waiting) }
        }
    }

    /// The tab is gone for good.
    func close(_ tab: TabID) {
        change(tab) { waiting in
            waiting.wish = .gone
            waiting.isStateDue = false
            waiting.blobs = [:]
            waiting.refusal = WaitingTab.Refusal()
        }
        partial[tab] = nil
    }

    func change(_ tab: TabID, _ change: (inout WaitingTab) -> Void) {
        guard !isMuted else { return }
        versions += 1
        var changed = waiting[tab] ?? WaitingTab(wish: .gone, version: 0)
        changed.version = versions
        changed.refusal = changed.refusal.afterChange
        change(&changed)
        if case .gone = changed.wish, places[tab] == nil {
            waiting[tab] = nil
        } else {
            waiting[tab] = changed
            if let session = changed.session { keep(session) }
        }
        onChange()
    }

    // MARK: Sessions

    /// The window's attributes, groups or active tab have changed.
    func mark(_ window: Window) { change(window.sessionID, .live(window)) }

    /// All of a window is to be saved.
    func markEverything(of window: Window) {
        mark(window)
        for tab in window.tabs { mark(tab, in: window.sessionID, state: tab.isRealized) }
    }

    func put(_ attributes: SessionAttributes, for session: SessionID) {
        change(session, .taken(attributes))
    }

    /// Removes a session with the tabs that shall be in it. What comes there later stays.
    func remove(_ session: SessionID) {
        guard !isMuted else { return }
        removals += 1
        for tab in partial.keys where self.session(of: tab) == session { partial[tab] = nil }
        for (tab, entry) in waiting where entry.session == session { close(tab) }
        change(session, .gone, isRemovedFirst: true)
    }

    /// Removes a session whose tabs are elsewhere by now.
    func removeEmpty(_ session: SessionID) { change(session, .gone) }

    private func change(
        _ session: SessionID, _ wish: WaitingSession.Wish, isRemovedFirst: Bool = false
    ) {
        guard !isMuted else { return }
        versions += 1
        let before = waitingSessions[session]
        let removesFirst = isRemovedFirst || before?.isRemovedFirst ?? false
        waitingSessions[session] = WaitingSession(
            wish: wish, version: versions, isRemovedFirst: removesFirst,
            // The same is reported once, as long as it is refused.
            refusal: .init(error: before?.refusal.error))
        onChange()
    }

    /// A tab comes to a session that was empty and needs no attributes.
    private func keep(_ session: SessionID) {
        guard let entry = waitingSessions[session], entry.isGone, !entry.isRemovedFirst else {
            return
        }
        waitingSessions[session] = nil
    }

    /// Whether the store is to remove all that it has of a session before anything comes there.
    func isRemovedFirst(_ session: SessionID) -> Bool {
        waitingSessions[session].map { $0.isRemovedFirst && !$0.refusal.whole } ?? false
    }

    // MARK: As a whole

    /// Forgets everything: the side is deleted.
    func forgetAll() {
        places = [:]
        waiting = [:]
        waitingSessions = [:]
        partial = [:]
        era += 1
        removals += 1
    }

    /// Another storage took the place of the one that is known: nothing is known of it.
    ///
    /// What waits still waits; the model's windows are to be marked by whoever has them.
    func forgetStore() {
        era += 1
        for tab in waiting.keys { waiting[tab]?.refusal = WaitingTab.Refusal() }
        for session in waitingSessions.keys { waitingSessions[session]?.refusal = .init() }
        for (tab, place) in places where !place.blobs.isEmpty { places[tab]?.blobs = [:] }
    }
}
