/// Changes that become visible and durable together, or not at all.
///
/// Puts are absolute and complete: they replace the record. A set holds at most one change for a
/// record, so the order in which changes are added means nothing, and applying a set twice equals
/// applying it once. A set that contradicts itself is refused by `save`.
///
/// A tab is in one session at a time. Putting it into another session of the same side moves it;
/// its state stays where it is. All changes of one set concern the same ``StorageSide``.
public struct SessionChanges: Hashable, Sendable {
    /// One change. An array of these is what `save` gets to see.
    public enum Change: Hashable, Sendable {
        /// Creates the session or replaces its attributes.
        case putSession(SessionID, SessionAttributes)
        /// Removes the session, the tabs in it and their state, but for tabs that the same set puts
        /// into another session.
        case removeSession(SessionID)
        /// Creates, replaces or moves a tab. The session need not have attributes.
        case putTab(TabMetadata, in: SessionID)
        /// Removes the tab with its state if it is in that session; else nothing. As long as the
        /// previous generation holds the tab, its state can still be read: until the next opening.
        case removeTab(TabID, from: SessionID)
        /// Replaces a blob of a tab that is on that side, or that the same set puts there. For any other
        /// tab the set is refused: a private tab's state is never written beside another side's.
        case putState([UInt8], for: TabStateKey)
        /// Removes a blob; nothing if there is none.
        case removeState(TabStateKey)
    }

    /// In the order in which they were added.
    public private(set) var changes: [Change] = []

    /// If set, the save throws ``StorageError/Code/conflict`` unless the side's last applied set
    /// has this number.
    public var expectedSequence: UInt64?

    /// If set, a later save with the same id does not apply again but returns the receipt of the
    /// first: for callers whose answer was lost. A store remembers at least the last 64 ids.
    public var commitID: CommitID?

    public init() {}

    public var isEmpty: Bool { changes.isEmpty }

    public mutating func add(_ change: Change) { changes.append(change) }

    /// Creates the session or replaces its attributes.
    public mutating func put(_ attributes: SessionAttributes, for session: SessionID) {
        add(.putSession(session, attributes))
    }

    /// Removes the session with its tabs and their state.
    public mutating func remove(_ session: SessionID) { add(.removeSession(session)) }

    /// Creates, replaces or moves a tab.
    public mutating func put(_ tab: TabMetadata, in session: SessionID) {
        add(.putTab(tab, in: session))
    }

    /// Removes the tab with its state if it is in that session.
    public mutating func remove(_ tab: TabID, from session: SessionID) {
        add(.removeTab(tab, from: session))
    }

    /// Replaces a blob of a tab.
    public mutating func put(_ state: [UInt8], for key: TabStateKey) {
        add(.putState(state, for: key))
    }

    /// Removes a blob of a tab.
    public mutating func remove(_ key: TabStateKey) { add(.removeState(key)) }
}
