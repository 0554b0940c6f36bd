public import BrowserSessions

/// What became of a plan; see `apply(_:statesFrom:)`.
public struct RestorePlanResult: Hashable, Sendable {
    /// The point that was taken before, to which the store can go back; `nil` if nothing was changed, or
    /// the store takes no points.
    public var restorePoint: RestorePoint?
    /// The receipt of the change set; `nil` if there was nothing to change.
    public var receipt: SaveReceipt?
    /// What was done.
    public var done: RestorePlan.Summary
    /// The number of state blobs that came back with their tabs.
    public var states: Int
    /// The number of tabs that came back without states that they had, because these cannot be read (any
    /// more). Such a tab opens with its address.
    public var tabsWithoutStates: Int
    /// The lines that were not done because they are not true (any more).
    public var skipped: [Skipped]

    /// A line that was not done.
    public struct Skipped: Hashable, Sendable {
        /// The line.
        public var line: RestorePlan.Line
        /// Why it was not done.
        public var reason: Reason
    }

    /// Why a line was not done. More cases may be added.
    @nonexhaustive
    public enum Reason: String, Hashable, Sendable {
        /// It is already as the line wants it.
        case alreadySo = "already-so"
        /// It was changed or moved after the plan was made.
        case changedSince = "changed-since"
        /// Something is in it that the plan does not remove.
        case notEmpty = "not-empty"
        /// It is gone.
        case gone
        /// It is in a session that is not open, from which a browser that runs removes nothing.
        case outOfSight = "out-of-sight"
        /// Browsing data was cleared meanwhile, and none of it comes back. Make another plan.
        case cleared
    }
}
