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
        /// Creates or replaces a record, and moves a tab or node to the session of the record, which does not
        /// need attributes. What is below a node stays below it.
        case put(SessionRecord)
        /// Removes a tab with its state, or a node, if it is in that session; otherwise does nothing. Removes a
        /// session with its nodes, its tabs and their state, except for what the same set puts into another one.
        ///
        /// Restore points that have a tab have its state, too. A node with anything below it that the set neither
        /// moves nor removes is not removed: the set is refused.
        case remove(SessionItem, from: SessionID)
        /// Replaces a blob of a tab in the same partition, or of one that the same set puts there.
        /// Otherwise, the set is refused: a private tab's state is never written to another
        /// partition.
        case putState([UInt8], for: TabStateKey)
        /// Removes a blob; does nothing if the blob does not exist.
        case removeState(TabStateKey)

        /// Creates the session or replaces its attributes.
        package static func put(_ attributes: SessionAttributes, for session: SessionID) -> Change {
            .put(.session(session, attributes))
        }

        /// Creates, replaces or moves a tab.
        package static func put(_ tab: TabMetadata, in session: SessionID) -> Change {
            .put(.tab(tab, in: session))
        }

        /// Creates, replaces or moves a node that is no tab.
        package static func put(_ node: StructureNode, in session: SessionID) -> Change {
            .put(.node(node, in: session))
        }

        /// Removes a session.
        package static func remove(_ session: SessionID) -> Change {
            .remove(.session(session), from: session)
        }

        /// Removes a tab and its state if the tab is in that session.
        package static func remove(_ tab: TabID, from session: SessionID) -> Change {
            .remove(.tab(tab), from: session)
        }

        /// Removes a node that is no tab if it is in that session.
        package static func remove(_ node: NodeID, from session: SessionID) -> Change {
            .remove(.node(node), from: session)
        }

        /// The partition that the change concerns.
        public var partition: StoragePartition {
            switch self {
            case .put(let record): record.session.partition
            case .remove(_, let session): session.partition
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

    /// The sessions that the set removes.
    package var removedSessions: [SessionID] {
        changes.compactMap { if case .remove(.session(let id), _) = $0 { id } else { nil } }
    }

    /// Adds a change without checking it; `save` refuses a set that contradicts itself.
    public mutating func add(_ change: Change) { changes.append(change) }

    /// Creates, replaces or moves what a record describes.
    public mutating func put(_ record: SessionRecord) { add(.put(record)) }

    /// Puts the attributes, the nodes and the tabs of a session, and removes nothing.
    public mutating func put(_ session: RestoredSession) {
        for record in session.records { put(record) }
    }

    /// Creates the session or replaces its attributes.
    public mutating func put(_ attributes: SessionAttributes, for session: SessionID) {
        put(.session(session, attributes))
    }

    /// Removes the session with its tabs and their state.
    public mutating func remove(_ session: SessionID) { add(.remove(session)) }

    /// Creates, replaces or moves a tab.
    public mutating func put(_ tab: TabMetadata, in session: SessionID) {
        put(.tab(tab, in: session))
    }

    /// Removes the tab and its state if the tab is in that session.
    public mutating func remove(_ tab: TabID, from session: SessionID) {
        add(.remove(.tab(tab), from: session))
    }

    /// Creates, replaces or moves a node that is no tab.
    public mutating func put(_ node: StructureNode, in session: SessionID) {
        put(.node(node, in: session))
    }

    /// Removes the node if it is in that session.
    public mutating func remove(_ node: NodeID, from session: SessionID) {
        add(.remove(.node(node), from: session))
    }

    /// Replaces a blob of a tab.
    public mutating func put(_ state: [UInt8], for key: TabStateKey) {
        add(.putState(state, for: key))
    }

    /// Removes a blob of a tab.
    public mutating func remove(_ key: TabStateKey) { add(.removeState(key)) }
}
