/// Shows a list in a tab strip, and applies the user's actions in the strip to the list.
///
/// The host connects every widget signal that reports a change of the selection or the order to
/// ``stripChanged()``, and the buttons that close a tab to ``userClosed(_:)``, regardless of what
/// caused them. The mirror finds the cause:
///
/// - A signal that arrives while the mirror updates the strip is the strip's echo, and is ignored.
/// - For any other signal, the mirror compares what the strip shows with what it showed after the
///   mirror's last update. Only a difference is a user action. A late echo therefore has no effect,
///   whatever happened since, and a late report is still correct.
/// - What the list does not allow, such as a tab before the pinned ones, is reverted in the strip.
/// - While the list notifies its observers of a change, or is in a batch, it must not be changed.
///   User actions then wait for ``flush()``, which the strip is asked to schedule. Until then the
///   strip may show the user's order or the list's.
///
/// The list therefore changes only within ``stripChanged()``, ``userClosed(_:)`` and ``flush()``,
/// and has changed when they return, unless the change has to wait.
///
/// A batch is shown when it ends, with single calls if it changed little. If it changed more than
/// 16 tabs and more than an eighth of all, or restored any, the strip is reloaded once.
///
/// The mirror retains the list but not the strip, and the host must retain the mirror. The mirror
/// stops when the strip is released or the list's window is closed.
public final class TabListMirror {
    let list: TabList
    private(set) weak var strip: (any TabStrip)?
    /// The tabs that the strip showed at the mirror's last check.
    var shown: [Tab] = []
    var shownAsSelected: Tab?
    /// The changes of the list that the strip does not show yet.
    var owed = PendingStripUpdate()
    /// Whether the strip is being updated.
    var isTalking = false
    /// User actions that the list does not reflect yet, in order.
    var deeds: [UserAction] = []
    /// Whether user actions are being applied to the list.
    var isDoing = false
    private var hasAsked = false
    private var isAsking = false

    /// Whether the mirror has nothing left to do, permanently.
    var isOver: Bool { strip == nil || list.isAbandoned }

    /// Creates a mirror, which reloads the strip with the list's tabs and then follows the list.
    public init(_ list: TabList, strip: some TabStrip) {
        self.list = list
        self.strip = strip
        owed.needsReload = true
        remember()
        catchUp()
        list.addObserver(self)
    }

    /// Stops the mirror. It makes no more calls and drops pending actions. Stopping it again has no
    /// effect.
    public func stop() {
        list.removeObserver(self)
        strip = nil
        (shown, shownAsSelected) = ([], nil)
        (owed, deeds) = (PendingStripUpdate(), [])
    }

    // MARK: User actions

    /// Reports that the strip shows another selection or another order, whatever caused it. Call it
    /// when ``TabStrip/tabs`` and ``TabStrip/selectedIndex`` reflect the change.
    ///
    /// Afterwards the list has the same active tab and the same order, as far as it allows, and the
    /// strip shows the list. Tabs that the strip dropped or added by itself are corrected. Does
    /// nothing if the strip shows the mirror's last update.
    public func stripChanged() {
        guard !isTalking else { return }
        notice()
        if !deeds.isEmpty { doOrAsk() }
    }

    /// Closes a tab for the user. Connect the buttons for this, but not a signal that a page *was*
    /// removed: the mirror itself removes pages when it reloads the strip.
    ///
    /// Afterwards the tab is closed in the list and removed from the strip. Does nothing for a tab
    /// that is not in the list.
    public func userClosed(_ tab: Tab) {
        guard !isTalking, !isOver, list.contains(tab) else { return }
        deeds.append(.closed(tab))
        doOrAsk()
    }

    /// Applies actions that waited because the list was being changed. If it still is, the strip is
    /// asked again. Does nothing if no action waits.
    public func flush() {
        guard !isAsking else { return }
        hasAsked = false
        if !deeds.isEmpty, !isTalking { doOrAsk() }
    }

    private func doOrAsk() {
        guard !isOver else { return stop() }
        doDeeds()
        if !deeds.isEmpty { requestFlush() }
    }

    private func requestFlush() {
        guard !hasAsked, let strip else { return }
        (hasAsked, isAsking) = (true, true)
        strip.flushSoon()
        isAsking = false
    }
}

extension TabListMirror: TabListObserver {
    /// Called only by the list.
    public func tabList(_ list: TabList, did change: TabListChange) {
        guard !isOver else { return stop() }
        owed.note(change, of: list)
        guard list.batchDepth == 0, !isDoing else { return }
        catchUp()
        if !deeds.isEmpty { requestFlush() }
    }
}
