/// A session as it was restored from a store, and how it was restored.
public struct RestoredSession: Hashable, Sendable {
    /// The identifier under which the session is saved.
    public var id: SessionID
    /// The attributes of the session; the defaults if it has none or they could not be read.
    public var attributes: SessionAttributes
    /// The tabs of the session, in order.
    public var tabs: [TabMetadata]
    /// The nodes of the session that are no tabs, in order; see ``forest``.
    public var nodes: [StructureNode]
    /// How the session was put together.
    public var provenance: Provenance
    /// One entry for each item that could not be read; empty if ``provenance`` is `intact`.
    public var losses: [Loss]
    /// The corrections that make the session follow the rules of a tab list.
    public var repairs: [SessionRepair]

    /// Creates a restored session, by default one that is as it was last saved.
    public init(
        id: SessionID,
        attributes: SessionAttributes,
        tabs: [TabMetadata],
        nodes: [StructureNode] = [],
        provenance: Provenance = .intact,
        losses: [Loss] = [],
        repairs: [SessionRepair] = []
    ) {
        self.id = id
        self.attributes = attributes
        self.tabs = tabs
        self.nodes = nodes
        self.provenance = provenance
        self.losses = losses
        self.repairs = repairs
    }

    /// The tabs and nodes depth first, with their depths.
    public var forest: SessionForest {
        SessionForest(tabs: tabs, nodes: nodes, kind: id.kind)
    }

    /// How a restored session was put together. More cases may be added.
    @nonexhaustive
    public enum Provenance: String, Hashable, Sendable {
        /// The session is exactly as it was last saved.
        case intact
        /// Part of the session could not be read. The rest is as it was last saved.
        case salvaged
        /// The session is as it was at a restore point.
        case restorePoint
    }
}

/// Data that was saved and could not be read.
public struct Loss: Hashable, Sendable {
    /// What was lost.
    public var kind: Kind
    /// The session, if it is known.
    public var session: SessionID?
    /// The tab, if it is known.
    public var tab: TabID?
    /// The node that is no tab, if one was lost and it is known.
    public var node: NodeID?
    /// What was found, in one line and without any content.
    public var detail: String {
        didSet { detail = detail.inOneLine }
    }

    /// What was lost. More cases may be added.
    @nonexhaustive
    public enum Kind: String, Hashable, Sendable {
        /// The attributes of a session; defaults replace them.
        case attributes
        /// A tab; it is missing from the session.
        case tab
        /// A node that is no tab; what was below it is below a plain group, or at the end of its zone.
        case node
        /// A node that is no tab; its version from the newest restore point replaces it, with the
        /// name and the place that it had there.
        case nodeReplacedByEarlier
        /// A tab; its version from the newest restore point replaces it.
        case tabReplacedByEarlier
        /// A state blob.
        case state
        /// Records that are missing or stale: the store's manifest does not match its records.
        case unknownRecords
        /// Records or states of a restore point, which may be pinned; the present is not concerned.
        case restorePoint
        /// Bytes at the end of the store that were never completely written.
        case unfinishedWrite
    }

    /// Creates a loss with its kind and where it was found. The detail becomes a single line.
    public init(
        _ kind: Kind, session: SessionID? = nil, tab: TabID? = nil, node: NodeID? = nil,
        detail: String
    ) {
        self.kind = kind
        self.session = session
        self.tab = tab
        self.node = node
        self.detail = detail.inOneLine
    }
}
