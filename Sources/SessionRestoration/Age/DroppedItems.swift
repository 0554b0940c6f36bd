public import BrowserSessions

/// The items that a restorer removed on its own because no rule keeps them any longer. See
/// ``ClosedTabPolicy`` and ``CrashPolicy``.
public struct DroppedItems: Hashable, Sendable {
    /// The recently closed tabs that are older than ``ClosedTabPolicy/maximumAge``.
    public var oldClosedTabs: [TabID] = []
    /// The recently closed tabs that exceed ``ClosedTabPolicy/maximumTabs``, those closed first.
    public var surplusClosedTabs: [TabID] = []
    /// The sessions that were set aside and acknowledged, and that are too old or too many.
    public var setAside: [SessionID] = []

    /// Creates a value without items.
    public init() {}

    /// Whether nothing was removed.
    public var isEmpty: Bool {
        oldClosedTabs.isEmpty && surplusClosedTabs.isEmpty && setAside.isEmpty
    }
}
