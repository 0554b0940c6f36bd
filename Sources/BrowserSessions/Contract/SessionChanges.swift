/// A set of changes that become visible and durable together, or not at all.
///
/// Puts are absolute and complete: each one replaces its record. A set holds at most one change for
/// each record, so the order in which changes are added has no effect, and applying a set twice
/// equals applying it once. `save` refuses a set that contradicts itself.
///
/// A tab is in one session at a time. Putting it into another session of the same partition moves
/// it; its state stays where it is. All changes of a set concern the same ``StoragePartition``.
public struct SessionChanges: Hashable, Sendable {
    /// One change. A storage receives an array of these in `save`.
    public enum Change: Hashable, Sendable {
        /// Creates the session or replaces its attributes.
        case putSession(SessionID, SessionAttributes)
        /// Removes the session, its nodes, its tabs and their state, except for tabs and nodes that the
        /// same set puts into another session.
        case removeSession(SessionID)
        /// Creates, replaces or moves a tab. The session does not need attributes.
        case putTab(TabMetadata, in: SessionID)
        /// Removes the tab and its state if it is in that session; otherwise does nothing. Restore
        /// points that have the tab have its state, too.
        case removeTab(TabID, from: SessionID)
        /// Creates, replaces or moves a node that is no tab. What is below it stays below it.
        case putNode(StructureNode, in: SessionID)
        /// Removes the node if it is in that session; otherwise does nothing. A node with anything
        /// below it that the set neither moves nor removes is not removed: the set is refused.
        case removeNode(NodeID, from: SessionID)
        /// Replaces a blob of a tab in the same partition, or of one that the same set puts there.
        /// Otherwise, the set is refused: a private tab's state is never written to another
        /// partition.
        case putState([UInt8], for: TabStateKey)
        /// Removes a blob; does nothing if the blob does not exist.
        case removeState(TabStateKey)

        /// The partition that the change concerns.
        public var partition: StoragePartition {
            switch self {
            case .putSession(let id, _), .removeSession(let id), .removeTab(_, let id),
                .putTab(_, let id), .putNode(_, let id), .removeNode(_, let id):
                id.partition
            case .putState(_, let key), .removeState(let key): key.partition
            }
        }
    }

    /// The changes, in the order in which they were added.
    public private(set) var changes: [Change] = []

    /// The sequence number that the partition must have. If set, and the last applied set has a
    /// different number, the save throws ``StorageError/Code/conflict``.
    public var expectedSequence: UInt64?

    /// An identifier that makes a save safe to repeat when its answer was lost. If set, a later
    /// save with the same ID does not apply the set again, but returns the receipt of the first
    /// save. A store remembers at least the last 64 IDs.
    public var commitID: CommitID?

    /// Whether the user asked for what the set removes, by closing or clearing it. Otherwise a store
    /// takes a restore point before a set that takes many tabs away; see
    /// ``RestorePoint/Reason/beforeLoss``.
    public var isIntended = false

    /// Creates a set without changes.
    public init() {}

    /// Whether the set has no changes.
    public var isEmpty: Bool { changes.isEmpty }

    /// Adds a change without checking it; `save` refuses a set that contradicts itself.
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

    /// Removes the tab and its state if the tab is in that session.
    public mutating func remove(_ tab: TabID, from session: SessionID) {
        add(.removeTab(tab, from: session))
    }

    /// Creates, replaces or moves a node that is no tab.
    public mutating func put(_ node: StructureNode, in session: SessionID) {
        add(.putNode(node, in: session))
    }

    /// Removes the node if it is in that session.
    public mutating func remove(_ node: NodeID, from session: SessionID) {
        add(.removeNode(node, from: session))
    }

    /// Replaces a blob of a tab.
    public mutating func put(_ state: [UInt8], for key: TabStateKey) {
        add(.putState(state, for: key))
    }

    /// Removes a blob of a tab.
    public mutating func remove(_ key: TabStateKey) { add(.removeState(key)) }
}
