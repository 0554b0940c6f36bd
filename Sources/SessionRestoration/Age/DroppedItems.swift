public import BrowserSessions

/// What a restorer let go of by itself, because a rule keeps it no longer: see ``ClosedTabPolicy`` and
/// ``CrashPolicy``.
public struct DroppedItems: Hashable, Sendable {
    /// Recently closed tabs that are older than ``ClosedTabPolicy/maximumAge``.
    public var oldClosedTabs: [TabID] = []
    /// The recently closed tabs that were closed first, as there were more than
    /// ``ClosedTabPolicy/maximumTabs``.
    public var surplusClosedTabs: [TabID] = []
    /// Sessions that were set aside and acknowledged, too long ago or too many.
    public var setAside: [SessionID] = []

    public init() {}

    public var isEmpty: Bool {
        oldClosedTabs.isEmpty && surplusClosedTabs.isEmpty && setAside.isEmpty
    }
}
