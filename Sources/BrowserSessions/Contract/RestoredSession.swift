/// A session as it came out of a store, and how.
public struct RestoredSession: Hashable, Sendable {
    public var id: SessionID
    public var attributes: SessionAttributes
    /// In order: the first tab first.
    public var tabs: [TabMetadata]
    /// How the answer was found.
    public var provenance: Provenance
    /// What could not be read, one entry each; empty if ``provenance`` is `intact`.
    public var losses: [Loss]
    /// What was put right so that the rules of a tab list hold.
    public var repairs: [SessionRepair]

    public init(
        id: SessionID,
        attributes: SessionAttributes,
        tabs: [TabMetadata],
        provenance: Provenance = .intact,
        losses: [Loss] = [],
        repairs: [SessionRepair] = []
    ) {
        self.id = id
        self.attributes = attributes
        self.tabs = tabs
        self.provenance = provenance
        self.losses = losses
        self.repairs = repairs
    }

    /// How a restored session was put together. More may come.
    @nonexhaustive
    public enum Provenance: String, Hashable, Sendable {
        /// Exactly as it was saved last.
        case intact
        /// Something could not be read; the rest is as it was saved last.
        case salvaged
        /// An earlier state of the session.
        case previousGeneration
    }
}

/// Something that was saved and could not be read.
public struct Loss: Hashable, Sendable {
    public var kind: Kind
    /// The session, if it is known.
    public var session: SessionID?
    /// The tab, if it is known.
    public var tab: TabID?
    /// What was found, in one line and without any content.
    public var detail: String {
        didSet { detail = detail.inOneLine }
    }

    /// What was lost. More may come.
    @nonexhaustive
    public enum Kind: String, Hashable, Sendable {
        /// A session's attributes; defaults stand in for them.
        case attributes
        /// A tab; it is missing from the session.
        case tab
        /// A tab; its version of the previous generation stands in for it.
        case tabReplacedByEarlier
        /// A state blob.
        case state
        /// The store's manifest does not agree with its records: some are missing or stale.
        case unknownRecords
        /// Bytes at the end of the store that were never completely written.
        case unfinishedWrite
    }

    public init(
        _ kind: Kind, session: SessionID? = nil, tab: TabID? = nil, detail: String
    ) {
        self.kind = kind
        self.session = session
        self.tab = tab
        self.detail = detail.inOneLine
    }
}
