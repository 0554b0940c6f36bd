public import BrowserSessions

/// Assigns the identifiers of windows, so that windows that are restored at the same time never get
/// the same one, and windows come back in the order in which the user left them.
///
/// Each profile has one manager. It does not use a store: a session restorer reports the stored windows, and
/// ``reserve(kind:)`` chooses the next window to reopen. The order is computed from
/// the known windows and never stored, so it cannot become outdated.
///
/// Windows are reopened in this order:
/// 1. windows that were closed since this manager was created, the last closed first;
/// 2. windows that were open when the app ended, the most recently used first;
/// 3. windows that were closed in an earlier run, the most recently closed first.
///
/// In 2 and 3, readable windows come before unreadable ones. Ties are broken by identifier.
public final class WindowManager {
    /// Identifiers that never identify a window.
    package let sentinels: Set<WindowID>
    private let makeID: () -> WindowID
    private var records: [SessionID: Record] = [:]
    /// Open windows with their position in the order of opening.
    private var open: [SessionID: Int] = [:]
    private var reserved: Set<SessionID> = []
    /// The number of uses of each identifier, because windows of several kinds can share one.
    private var uses: [WindowID: Int] = [:]
    private var openings = 0
    private var closings = 0

    /// - Parameters:
    ///   - sentinels: identifiers that must never identify a window. The defaults are
    ///     `WindowID.unavailable` and `WindowID.profileWide`; tests pass others.
    ///   - makeID: makes identifiers of new windows. Sentinels and known ones are skipped. A
    ///     hundred of these in a row stop a debug build; otherwise the identifier is random.
    public init(
        sentinels: Set<WindowID> = [.unavailable, .profileWide],
        makeID: @escaping () -> WindowID = { WindowID.random() }
    ) {
        self.sentinels = sentinels
        self.makeID = makeID
    }

    /// Adds stored windows to the known ones. Can be called again, for example when more was read.
    ///
    /// Use ``forget(_:)`` to remove windows. A window that was closed in this run keeps its
    /// position, because the store may not have its closing yet.
    /// - Returns: the identifiers that were omitted: sentinels, and repeated ones after the first. No store
    ///   should contain them; find out why it does.
    @discardableResult
    package func offer(_ stored: [StoredWindow]) -> [WindowID] {
        var omitted: [WindowID] = []
        var seen: Set<SessionID> = []
        for window in stored {
            guard !sentinels.contains(window.id), seen.insert(window.sessionID).inserted else {
                omitted.append(window.id)
                continue
            }
            let known = records[window.sessionID]
            var record = Record(window: window, closing: known?.closing)
            if let known, known.closing != nil {
                record.window.closedAt = known.window.closedAt
                record.window.closingNumber = known.window.closingNumber
            }
            keep(record)
        }
        return omitted
    }

    /// Reserves the next window of a kind to reopen, or a new identifier if there is none. Never
    /// returns a window that is open, reserved, or was closed without tabs.
    public func reserve(kind: SessionKind = .regular) -> WindowReservation {
        let next = offered.filter { $0.window.kind == kind }.min { $0.isBefore($1) }
        guard let next else { return reserveNew(kind: kind) }
        return reservation(of: next.window.sessionID)
    }

    /// Reserves the identifier of a new window. Nothing is stored under it.
    public func reserveNew(kind: SessionKind = .regular) -> WindowReservation {
        reservation(of: SessionID(window: newID(), kind: kind))
    }

    /// Reserves a specific window, for a host with a system that remembers which window it was. If
    /// the window is unknown, the reservation is marked as new.
    ///
    /// - Throws: ``WindowIDError/alreadyOpen(_:)``, ``WindowIDError/alreadyReserved(_:)`` or
    ///   ``WindowIDError/sentinel(_:)`` for the identifier; ``WindowIDError/notReopenable(_:)`` for
    ///   the kind.
    public func reserve(
        _ id: WindowID, kind: SessionKind = .regular
    ) throws(WindowIDError) -> WindowReservation {
        guard kind.isReopenable else { throw .notReopenable(kind) }
        guard !sentinels.contains(id) else { throw .sentinel(id) }
        let session = SessionID(window: id, kind: kind)
        guard open[session] == nil else { throw .alreadyOpen(id) }
        guard !reserved.contains(session) else { throw .alreadyReserved(id) }
        return reservation(of: session)
    }

    /// Reports that an open window was closed at a time. It becomes the first to be reopened.
    ///
    /// The order within this run follows the calls, so that a clock that was set back has no
    /// effect. The time matters after the next launch, as ``StoredWindow/closedAt``.
    ///
    /// - Throws: ``WindowIDError/notOpen(_:)``, also for a window that is only reserved.
    package func didClose(
        _ id: WindowID, kind: SessionKind = .regular, at time: Timestamp
    ) throws(WindowIDError) {
        try didClose(StoredWindow(id: id, kind: kind, closedAt: time, lastActiveAt: time))
    }

    /// Reports the closing of a window that still has its tabs.
    ///
    /// - Parameter hiddenTabs: the number of tabs in its companions.
    func didClose(_ window: Window, hiddenTabs: Int, at time: Timestamp) throws(WindowIDError) {
        var closed = StoredWindow(id: window.id, kind: window.kind, lastActiveAt: time)
        if window.closing != .appEnds {
            (closed.closedAt, closed.closingNumber) = (time, window.closingNumber)
        }
        (closed.title, closed.tabs) = (window.attributes.title, window.tabs.count)
        closed.hiddenTabs = hiddenTabs
        closed.shownTab = (window.tabs.activeTab ?? window.tabs.first)?.metadata
        try didClose(closed)
    }

    private func didClose(_ window: StoredWindow) throws(WindowIDError) {
        let id = window.sessionID
        guard open.removeValue(forKey: id) != nil else { throw .notOpen(window.id) }
        closings += 1
        var window = window
        window.isReadable = records[id]?.window.isReadable ?? true
        keep(Record(window: window, closing: closings))
        release(id)
    }

    /// Forgets windows with data that was or will be deleted. Unknown identifiers are ignored: the
    /// system may discard windows that were never saved. A reserved window stays so and is new.
    ///
    /// - Throws: ``WindowIDError/alreadyOpen(_:)`` if one of them is open; then none is forgotten.
    package func forget(_ ids: some Sequence<WindowID>) throws(WindowIDError) {
        let ids = Set(ids)
        let sessions = Set(records.keys.filter { ids.contains($0.window) }).union(
            open.keys.filter { ids.contains($0.window) })
        try forget(sessions: sessions)
    }

    /// Forgets windows, each of one kind.
    package func forget(sessions: Set<SessionID>) throws(WindowIDError) {
        for id in sessions where open[id] != nil { throw .alreadyOpen(id.window) }
        for id in sessions where records.removeValue(forKey: id) != nil { release(id) }
    }

    /// The windows that can be reopened, the next one first; empty if there are none. Excludes
    /// windows that were closed without tabs.
    public var reopenable: [StoredWindow] {
        offered.sorted { $0.isBefore($1) }.map(\.window)
    }

    /// The windows that were closed without tabs.
    package var closedEmpty: [StoredWindow] {
        records.values.map(\.window).filter {
            isFree($0.sessionID) && $0.closedAt != nil && $0.isEmpty
        }
    }

    /// The open windows in the order of opening; empty if there are none.
    package var openWindows: [WindowID] { open.sorted { $0.value < $1.value }.map(\.key.window) }

    /// The reserved identifiers, ascending; empty if there are none.
    package var reservedWindows: [WindowID] { reserved.sorted().map(\.window) }

    /// Returns whether a window is open; `false` for a reserved or unknown one.
    package func isOpen(_ id: WindowID, kind: SessionKind = .regular) -> Bool {
        open[SessionID(window: id, kind: kind)] != nil
    }
}

extension WindowManager {
    /// What is known about a window.
    struct Record {
        var window: StoredWindow
        /// The position of its closing in this run; `nil` if it was not closed in this run.
        var closing: Int?

        /// Returns whether this window is reopened before the other.
        func isBefore(_ other: Record) -> Bool {
            if let mine = closing, let its = other.closing { return mine > its }
            if rank != other.rank { return rank < other.rank }
            let (mine, its) = (window, other.window)
            if mine.isReadable != its.isReadable { return mine.isReadable }
            if let number = mine.closingNumber, let other = its.closingNumber, number != other {
                return number > other
            }
            let (time, itsTime) =
                (mine.closedAt ?? mine.lastActiveAt, its.closedAt ?? its.lastActiveAt)
            return time == itsTime ? mine.id < its.id : time > itsTime
        }

        private var rank: Int { closing != nil ? 0 : window.closedAt == nil ? 1 : 2 }
    }

    func record(of id: SessionID) -> Record? { records[id] }

    func confirm(_ id: SessionID) {
        // The window takes over the reservation's use of the identifier.
        reserved.remove(id)
        openings += 1
        open[id] = openings
    }

    func cancel(_ id: SessionID) {
        if reserved.remove(id) != nil { release(id) }
    }

    /// The windows that can be reopened.
    private var offered: [Record] {
        records.values.filter {
            isFree($0.window.sessionID) && !($0.window.closedAt != nil && $0.window.isEmpty)
        }
    }

    private func keep(_ record: Record) {
        let old = records.updateValue(record, forKey: record.window.sessionID)
        if old == nil { uses[record.window.id, default: 0] += 1 }
    }

    private func reservation(of id: SessionID) -> WindowReservation {
        reserved.insert(id)
        uses[id.window, default: 0] += 1
        return WindowReservation(id, of: self)
    }

    private func release(_ id: SessionID) {
        let left = uses[id.window, default: 1] - 1
        uses[id.window] = left > 0 ? left : nil
    }

    private func isFree(_ id: SessionID) -> Bool { open[id] == nil && !reserved.contains(id) }

    private func newID() -> WindowID {
        for _ in 0..<100 {
            let id = makeID()
            if isUnused(id) { return id }
        }
        assertionFailure("makeID must give ids that are not in use: 100 in a row were")
        var id = WindowID.random()
        while !isUnused(id) { id = WindowID.random() }
        return id
    }

    private func isUnused(_ id: WindowID) -> Bool { uses[id] == nil && !sentinels.contains(id) }
}
