import BrowserModel
import BrowserSessions

/// What has changed on one side of a profile and is not saved yet.
///
/// Changes are marks on tabs and windows until they are saved: only then are metadata and state
/// taken from the model, so that a tab that changes ten times is saved once. What is about to go,
/// such as the tabs of a window that closes, is taken at once. Nothing is forgotten before the store
/// has acknowledged it.
final class SideSaver {
    private struct Mark {
        let tab: Tab
        var session: SessionID
        var state: Bool
    }

    let side: StorageSide
    private let limits: Limits
    private var marks: [TabID: Mark] = [:]
    private var windows: [SessionID: Window] = [:]
    private(set) var pending: PendingChanges
    private(set) var sending: PendingChanges?
    /// The side was deleted while this was sent: it must not come back if sending fails.
    private var isSendingForgotten = false
    private var places: [TabID: StoredPlace] = [:]
    private var travellers: [TabID: Traveller] = [:]
    /// Told of the first change after there was none, and of every later one.
    var onChange: () -> Void = {}
    /// Whether nothing of this side is to be saved.
    var isMuted = false
    var onNotice: (RestorationEvent) -> Void = { _ in }

    struct Limits {
        var maximumStateBytes: Int
        var extraStates: [StateName]
    }

    private struct Traveller {
        weak var tab: Tab?
    }

    init(side: StorageSide, limits: Limits) {
        self.side = side
        self.limits = limits
        pending = PendingChanges(side: side)
    }

    /// Whether everything was acknowledged by the store.
    var isClean: Bool {
        marks.isEmpty && windows.isEmpty && pending.isEmpty && sending == nil
    }

    /// Whether a tab has left a list and is not in another yet.
    var hasTravellers: Bool {
        travellers.values.contains { $0.tab.map { $0.list == nil && !$0.isClosed } ?? false }
    }

    // MARK: Marking

    /// The store holds the tab there already.
    func isStored(_ tab: TabID, in session: SessionID) { place(tab, in: session) }

    func mark(_ tab: Tab, in session: SessionID, state: Bool) {
        travellers[tab.id] = nil
        guard !isMuted else { return }
        let isNew = places[tab.id] == nil
        marks[tab.id] = Mark(
            tab: tab, session: session, state: state || isNew || marks[tab.id]?.state == true)
        onChange()
    }

    func mark(_ window: Window) {
        guard !isMuted else { return }
        windows[window.sessionID] = window
        onChange()
    }

    /// The tab left its list. Until it is in another it stays saved where it was.
    func detached(_ tab: Tab) { travellers[tab.id] = Traveller(tab: tab) }

    /// The tab was closed for good.
    func closed(_ tab: TabID) {
        guard !isMuted else { return }
        marks[tab] = nil
        travellers[tab] = nil
        pending.remove(tab, from: places[tab]?.all ?? [])
        onChange()
    }

    /// The tab was closed and is kept in another session, with its state as it is now.
    func closed(_ tab: Tab, keptAs metadata: TabMetadata, in session: SessionID) {
        let hasNewState = marks[tab.id]?.state ?? (places[tab.id] == nil)
        marks[tab.id] = nil
        if hasNewState { take(stateOf: tab) }
        put(metadata, in: session)
    }

    /// Whether the tab was put into that session last and nothing was done with it since.
    func isKept(_ tab: TabID, in session: SessionID) -> Bool {
        marks[tab] == nil && places[tab]?.session == session
    }

    // MARK: Records without a tab or window in the model

    func put(_ metadata: TabMetadata, in session: SessionID) {
        guard !isMuted else { return }
        place(metadata.id, in: session)
        pending.put(metadata.shortened, in: session)
        onChange()
    }

    func put(_ attributes: SessionAttributes, for session: SessionID) {
        guard !isMuted else { return }
        pending.put(attributes, for: session)
        onChange()
    }

    /// Removes a session with its tabs, but for those that were put elsewhere.
    func remove(_ session: SessionID) {
        guard !isMuted else { return }
        windows[session] = nil
        for (tab, mark) in marks {
            // What waits to be saved of a tab goes along when it has moved out of the session.
            if mark.session != session, pending.holds(tab) { take(mark) }
            if mark.session == session || pending.holds(tab) { marks[tab] = nil }
        }
        pending.remove(session)
        onChange()
    }

    /// A blob that waits to be saved; `nil` if none does.
    func unsavedState(_ name: StateName, of tab: TabID) -> [UInt8]?? {
        pending.state(name, of: tab) ?? sending?.state(name, of: tab)
    }

    /// Forgets everything: the side is deleted.
    func forgetAll() {
        marks = [:]
        windows = [:]
        places = [:]
        pending = PendingChanges(side: side)
        isSendingForgotten = sending != nil
    }

    // MARK: Taking from the model

    /// Takes what is marked in a window that is about to go.
    func take(_ session: SessionID) {
        for (tab, mark) in marks where mark.session == session {
            take(mark)
            marks[tab] = nil
        }
        if let window = windows.removeValue(forKey: session) { take(window) }
    }

    private func takeAll() {
        for (tab, traveller) in travellers where traveller.tab?.isClosed == true { closed(tab) }
        for mark in marks.values { take(mark) }
        for window in windows.values { take(window) }
        marks = [:]
        windows = [:]
    }

    private func take(_ mark: Mark) {
        place(mark.tab.id, in: mark.session)
        pending.put(mark.tab.metadata.shortened, in: mark.session)
        if mark.state { take(stateOf: mark.tab) }
    }

    private func take(_ window: Window) {
        pending.put(window.savedAttributes, for: window.sessionID)
    }

    private func take(stateOf tab: Tab) {
        guard let state = tab.content?.captureState() ?? tab.heldState else { return }
        let encoding = StateEncoding(
            state, of: tab.metadata, names: limits.extraStates,
            maximumBytes: limits.maximumStateBytes)
        for (name, bytes) in encoding.blobs { pending.put(bytes, name, of: tab.id) }
        if let bytes = encoding.nativeLeftOut {
            onNotice(.nativeStateLeftOut(tab.id, bytes: bytes))
        }
    }

    private func place(_ tab: TabID, in session: SessionID) {
        if places[tab] == nil {
            places[tab] = StoredPlace(session)
        } else {
            places[tab]?.move(to: session)
        }
    }

    // MARK: Sending

    /// What to send now; `nil` if there is nothing. It stays with the saver until
    /// ``endSending(isSaved:)``.
    func beginSending() -> PendingChanges? {
        takeAll()
        guard !pending.isEmpty else { return nil }
        sending = pending
        pending = PendingChanges(side: side)
        return sending
    }

    /// The store has answered for what was sent.
    func endSending(isSaved: Bool) {
        guard let sent = sending else { return }
        sending = nil
        guard !isSendingForgotten else {
            isSendingForgotten = false
            return
        }
        if isSaved { acknowledge(sent) } else { pending.add(older: sent) }
    }

    /// A part of what is being sent was saved, when the whole was refused.
    func acknowledge(_ saved: PendingChanges) {
        for (tab, session) in saved.placedTabs {
            if let session {
                places[tab]?.acknowledge(session)
            } else if marks[tab] == nil, pending.holds(tab) == false {
                places[tab] = nil
            }
        }
    }
}
