public import BrowserSessions

/// Gives out the ids of windows, so that two windows that are restored at once never get the same
/// one, and windows come back in the order in which the user left them.
///
/// One for each profile. It knows no store: the host says with ``offer(_:)`` what is stored,
/// ``reserve()`` tells which window to reopen next. The order is computed from what is known of
/// the windows and is kept nowhere, so it cannot go stale.
///
/// The order of reopening is:
/// 1. windows that were closed since this manager was made, the one closed last first;
/// 2. windows that were open when the app ended, the most recently used first;
/// 3. windows that were closed in an earlier run, the most recently closed first.
///
/// In 2 and 3 readable windows come before unreadable ones. Ties are settled by id.
public final class WindowManager {
    /// Ids that never name a window.
    public let sentinels: Set<WindowID>
    private let makeID: () -> WindowID
    private var records: [WindowID: Record] = [:]
    /// Open windows by the number of their opening.
    private var open: [WindowID: Int] = [:]
    private var reserved: Set<WindowID> = []
    private var openings = 0
    private var closings = 0

    /// - Parameters:
    ///   - sentinels: ids that must never name a window. The defaults are `WindowID.unavailable`
    ///     and `WindowID.profileWide`; tests give their own.
    ///   - makeID: makes ids of new windows. An id that is a sentinel or known is passed over. A
    ///     hundred of them in a row stop the program in debug; otherwise the id is random.
    public init(
        sentinels: Set<WindowID> = [.unavailable, .profileWide],
        makeID: @escaping () -> WindowID = { WindowID.random() }
    ) {
        self.sentinels = sentinels
        self.makeID = makeID
    }

    /// Says which windows are stored. May be called again, for instance when more was read.
    ///
    /// What is given is added to what is known; ``forget(_:)`` takes windows away. A window
    /// that was closed in this run keeps its place, since the store may not have its closing yet.
    /// - Returns: which windows were taken; sentinels and repeated ids are left out and named.
    @discardableResult
    public func offer(_ stored: [StoredWindow]) -> WindowOfferReport {
        var report = WindowOfferReport()
        var seen: Set<WindowID> = []
        for window in stored {
            if sentinels.contains(window.id) {
                report.sentinels.append(window.id)
            } else if !seen.insert(window.id).inserted {
                report.duplicates.append(window.id)
            } else {
                let known = records[window.id]
                var record = Record(window: window, closing: known?.closing)
                if let known, known.closing != nil {
                    record.window.closedAt = known.window.closedAt
                }
                records[window.id] = record
                report.accepted.append(window.id)
            }
        }
        return report
    }

    /// Reserves the next window to reopen; a new id if there is none. Never one that is open or
    /// reserved.
    public func reserve() -> WindowReservation {
        let next = records.values.filter { isFree($0.window.id) }.min { $0.isBefore($1) }
        guard let next else { return reserveNew() }
        return reservation(of: next.window.id)
    }

    /// Reserves the id of a new window, under which nothing is stored.
    public func reserveNew() -> WindowReservation { reservation(of: newID()) }

    /// Reserves the window of that id, for a host whose system remembers which window it was.
    /// If nothing is known of it, the reservation is marked as new.
    ///
    /// Throws ``WindowIDError/alreadyOpen(_:)``, ``WindowIDError/alreadyReserved(_:)`` or
    /// ``WindowIDError/sentinel(_:)``.
    public func reserve(_ id: WindowID) throws(WindowIDError) -> WindowReservation {
        guard !sentinels.contains(id) else { throw .sentinel(id) }
        try checkNotInUse(id)
        return reservation(of: id)
    }

    /// Says that an open window was closed at a time. It is the first to be reopened.
    ///
    /// The order within this run follows the calls, so that a clock that was set back changes
    /// nothing; the time counts after the next launch, as ``StoredWindow/closedAt``.
    ///
    /// Throws ``WindowIDError/notOpen(_:)``, also for a window that is only reserved.
    public func didClose(_ id: WindowID, at time: Timestamp) throws(WindowIDError) {
        try didClose(StoredWindow(id: id), at: time)
    }

    /// The same of a window whose tabs are still there to be shown.
    func didClose(_ window: Window, at time: Timestamp) throws(WindowIDError) {
        let shown = window.tabs.activeTab ?? window.tabs.first
        try didClose(
            StoredWindow(
                id: window.id, title: window.attributes.title, tabs: window.tabs.count,
                shownTab: shown.map { TabGlance($0.metadata) }),
            at: time)
    }

    private func didClose(
        _ window: StoredWindow, at time: Timestamp
    ) throws(WindowIDError) {
        let id = window.id
        guard open.removeValue(forKey: id) != nil else { throw .notOpen(id) }
        closings += 1
        var window = window
        window.closedAt = time
        window.lastActiveAt = time
        window.isReadable = records[id]?.window.isReadable ?? true
        records[id] = Record(window: window, closing: closings)
    }

    /// Forgets windows whose data was or will be deleted. Unknown ids are fine, since the system
    /// may discard windows that were never saved. One that is reserved stays so, and is new from then on.
    ///
    /// Throws ``WindowIDError/alreadyOpen(_:)`` if one of them is open; then none is forgotten.
    public func forget(_ ids: some Sequence<WindowID>) throws(WindowIDError) {
        let ids = Array(ids)
        for id in ids where isOpen(id) { throw .alreadyOpen(id) }
        for id in ids { records[id] = nil }
    }

    /// The windows that can be reopened, the next one first; empty if there are none.
    public var reopenable: [StoredWindow] {
        records.values.filter { isFree($0.window.id) }.sorted { $0.isBefore($1) }.map(\.window)
    }

    /// The open windows in the order in which they were opened; empty if there are none.
    public var openWindows: [WindowID] { open.sorted { $0.value < $1.value }.map(\.key) }

    /// The reserved ids, ascending; empty if there are none.
    public var reservedWindows: [WindowID] { reserved.sorted() }

    /// Whether a window of that id is open; `false` for a reserved or unknown one.
    public func isOpen(_ id: WindowID) -> Bool { open[id] != nil }
}

extension WindowManager {
    /// What is known of a window.
    struct Record {
        var window: StoredWindow
        /// The number of its closing in this run; `nil` if it was not closed in this run.
        var closing: Int?

        /// Whether this window is reopened before the other.
        func isBefore(_ other: Record) -> Bool {
            if let mine = closing, let its = other.closing { return mine > its }
            if rank != other.rank { return rank < other.rank }
            let (mine, its) = (window, other.window)
            if mine.isReadable != its.isReadable { return mine.isReadable }
            let (time, itsTime) =
                (mine.closedAt ?? mine.lastActiveAt, its.closedAt ?? its.lastActiveAt)
            return time == itsTime ? mine.id < its.id : time > itsTime
        }

        private var rank: Int { closing != nil ? 0 : window.closedAt == nil ? 1 : 2 }
    }

    func record(of id: WindowID) -> Record? { records[id] }

    func confirm(_ id: WindowID) {
        reserved.remove(id)
        openings += 1
        open[id] = openings
    }

    func cancel(_ id: WindowID) { reserved.remove(id) }

    private func reservation(of id: WindowID) -> WindowReservation {
        reserved.insert(id)
        return WindowReservation(id, of: self)
    }

    private func isFree(_ id: WindowID) -> Bool { open[id] == nil && !reserved.contains(id) }

    private func checkNotInUse(_ id: WindowID) throws(WindowIDError) {
        guard open[id] == nil else { throw .alreadyOpen(id) }
        guard !reserved.contains(id) else { throw .alreadyReserved(id) }
    }

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

    private func isUnused(_ id: WindowID) -> Bool {
        isFree(id) && records[id] == nil && !sentinels.contains(id)
    }
}
