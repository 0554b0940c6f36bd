import BrowserModel
import BrowserSessions

/// Does not believe that a window lost all its tabs without the user.
///
/// Tabs that the app closes for no reason of the user's wait for the next save, as tabs of a
/// session that does not exist yet. If one of these closings took the window's last tab, they stay
/// there: they are set aside, whether or not the window got other tabs since. If not, they are
/// closed as any others. So the tabs are never gone before it is known whether they should be, and
/// it makes no difference whether they went in a batch or one by one. What the user closes is
/// closed at once.
final class SuspicionRules: ClosingRules {
    /// A window that lost tabs and got empty.
    struct Emptied {
        var window: Window
        var session: SessionID
        var groups: [TabGroup]
        var tabs: [TabMetadata]
    }

    private struct Loss {
        let window: Window
        let session: SessionID
        var removals: [TabRemoval] = []
        var wasEmptied = false
    }

    private let inner: any ClosingRules
    private let limit: Int
    private var losses: [SessionID: Loss] = [:]

    /// - Parameter limit: fewer tabs than that are no loss worth asking about.
    init(_ inner: any ClosingRules, limit: Int) {
        self.inner = inner
        self.limit = limit
    }

    func closed(_ removal: TabRemoval, in window: Window, _ ledger: SideLedger) {
        let id = window.sessionID
        if removal.closing == .program, window.kind.isReopenable {
            var loss =
                losses[id]
                ?? Loss(window: window, session: SessionID(window: .random(), kind: .setAside))
            loss.removals.append(removal)
            if window.tabs.isEmpty { loss.wasEmptied = true }
            losses[id] = loss
            ledger.take(removal.tab, as: removal.metadata, in: loss.session)
        } else {
            inner.closed(removal, in: window, ledger)
        }
    }

    func batchEnded() { inner.batchEnded() }

    /// Closes for good what may be closed, and returns the rest: it is in its new sessions already,
    /// which want attributes. A tab that is in a list again by now is neither.
    func decide(_ ledger: SideLedger) -> [Emptied] {
        var emptied: [Emptied] = []
        let losses = losses.values
        self.losses = [:]
        for loss in losses {
            let removals = loss.removals.filter { ledger.isKept($0.tab.id, in: loss.session) }
            if loss.wasEmptied, removals.count >= limit {
                emptied.append(Emptied(loss.window, loss.session, removals))
            } else {
                for removal in removals { inner.closed(removal, in: loss.window, ledger) }
                if !removals.isEmpty { inner.batchEnded() }
            }
        }
        return emptied
    }
}

extension SuspicionRules.Emptied {
    fileprivate init(_ window: Window, _ session: SessionID, _ removals: [TabRemoval]) {
        self.window = window
        self.session = session
        tabs = removals.map(\.metadata)
        let all = removals.compactMap(\.group).map { ($0.id, $0) }
        groups = Dictionary(all, uniquingKeysWith: { first, _ in first }).values
            .sorted { $0.id < $1.id }
    }
}
