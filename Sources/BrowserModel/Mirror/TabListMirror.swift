/// Makes a strip of tabs show what a list has, and does in the list what the user does in the strip.
///
/// The host connects every signal of its widget that says that the selection or the order changed
/// to ``stripChanged()``, and the buttons that close a tab to ``userClosed(_:)``, without a look at
/// who caused them. The mirror finds out:
///
/// - A signal that arrives while the mirror talks to the strip is the strip's echo, and ignored.
/// - With any other the mirror looks at what the strip shows. Only what differs from what it showed
///   when the mirror had last talked to it is the user's doing. So an echo that comes late does
///   nothing, whatever has happened since, and a report that comes late is no less right.
/// - What the list does not allow, as a tab before the pinned ones, is put back in the strip.
/// - While the list tells its observers of a change, or is in a batch, it must not be changed. What
///   the user does then waits for ``settle()``, for which the strip is asked. Until then the strip
///   may show it, or the list's order.
///
/// The list is therefore changed only within ``stripChanged()``, ``userClosed(_:)`` and ``settle()``,
/// and has been changed when these return, unless that has to wait.
///
/// A batch is shown when it has ended, by single calls if it changed little. If it changed more than
/// 16 tabs and more than an eighth of all, or restored any, the strip is reloaded once.
///
/// The mirror keeps the list and not the strip, and nobody keeps the mirror: the host does. When the
/// strip is gone, or the list's window was closed, it does nothing any more.
public final class TabListMirror {
    let list: TabList
    private(set) weak var strip: (any TabStrip)?
    /// What the strip showed when the mirror last looked.
    var shown: [Tab] = []
    var shownAsSelected: Tab?
    /// What of the list the strip was not told yet.
    var owed = OwedToStrip()
    /// Whether the strip is being told something.
    var isTalking = false
    /// What the user did and the list does not know yet, in order.
    var deeds: [UserDeed] = []
    /// Whether the list is being told what the user did.
    var isDoing = false
    private var hasAsked = false
    private var isAsking = false

    /// Whether there is nothing left to do, for good.
    var isOver: Bool { strip == nil || list.isAbandoned }

    /// Has the strip reloaded with the list's tabs at once, and follows the list from now on.
    public init(_ list: TabList, strip: some TabStrip) {
        self.list = list
        self.strip = strip
        owed.needsReload = true
        remember()
        catchUp()
        list.addObserver(self)
    }

    /// Ends the mirror: nobody is told anything any more, and what waits is not done. Stopping twice
    /// is fine.
    public func stop() {
        list.removeObserver(self)
        strip = nil
        (shown, shownAsSelected) = ([], nil)
        (owed, deeds) = (OwedToStrip(), [])
    }

    // MARK: What the user does

    /// The strip shows something else than before: another tab is selected, or tabs were moved, by
    /// the user or by whomever. Call it when ``TabStrip/tabs`` and ``TabStrip/selectedIndex`` say so
    /// already.
    ///
    /// Afterwards the list has the same tab active and the same order, as far as it allows, and the
    /// strip shows what the list has. Tabs that the strip has dropped or added on its own are put
    /// right. Does nothing if the strip shows what the mirror told it.
    public func stripChanged() {
        guard !isTalking else { return }
        notice()
        if !deeds.isEmpty { doOrAsk() }
    }

    /// The user wants a tab closed. Connect the buttons for it, and no signal that a page *was*
    /// removed: that is what the mirror itself does when it reloads the strip.
    ///
    /// Afterwards it is closed in the list, and not in the strip any more. Does nothing for a tab
    /// that is not in the list.
    public func userClosed(_ tab: Tab) {
        guard !isTalking, !isOver, list.contains(tab) else { return }
        deeds.append(.closed(tab))
        doOrAsk()
    }

    /// Does what had to wait because the list was being changed. If it still is, the strip is asked
    /// again. Does nothing if nothing waits.
    public func settle() {
        guard !isAsking else { return }
        hasAsked = false
        if !deeds.isEmpty, !isTalking { doOrAsk() }
    }

    private func doOrAsk() {
        guard !isOver else { return stop() }
        doDeeds()
        if !deeds.isEmpty { askToSettle() }
    }

    private func askToSettle() {
        guard !hasAsked, let strip else { return }
        (hasAsked, isAsking) = (true, true)
        strip.settleSoon()
        isAsking = false
    }
}

extension TabListMirror: TabListObserver {
    /// For the list alone.
    public func tabList(_ list: TabList, did change: TabListChange) {
        guard !isOver else { return stop() }
        owed.note(change, of: list)
        guard list.batchDepth == 0, !isDoing else { return }
        catchUp()
        if !deeds.isEmpty { askToSettle() }
    }
}
