import BrowserModel
public import BrowserSessions

/// The subject of closing identifiers.
public enum ClosingSubject {}
/// The identifier of a closing: a tab, a selection, a group, or all tabs that the user closed together.
public typealias ClosingID = Identifier<ClosingSubject>

/// A tab that was closed and that the user can reopen.
public struct ClosedTab: Hashable, Sendable {
    /// The identifier, which the tab keeps when it is reopened.
    public var id: TabID { metadata.id }
    /// The address of the current page; empty if there is none.
    public var url: String { metadata.url }
    /// The title of the current page; empty if there is none.
    public var title: String { metadata.title }
    /// The address of the page's icon; empty if none is known.
    public var faviconURL: String { metadata.faviconURL }
    /// The number of pages in the tab's history, including the current page; 0 if it is not known.
    public var pages: Int { Int(metadata.navigationItemCount) }
    /// Whether the program closed it, by `ClosingReason.program`, and not the user.
    public var isClosedByProgram: Bool { former.reason == FormerPlace.byProgram }
    /// The time at which it was closed; if it is not known, the time of its last use.
    public var closedAt: Timestamp {
        former.time == .unknown ? metadata.lastActiveAt : former.time
    }
    /// The window that the tab was in; `nil` if it was in none, or it is not known.
    public var window: WindowID? { session?.kind.role == .library ? nil : session?.window }
    /// The session of this window, which includes its kind.
    public let session: SessionID?
    /// The tab's index in its window; `nil` if it had none, as for an inactive tab.
    public var index: Int? { former.index }
    /// Whether the tab was pinned, by itself or with what it was in.
    public internal(set) var isPinned: Bool
    /// The tab's group: as it is now, or as it was when it ended; `nil` if the tab was in none.
    public internal(set) var group: StructureNode?
    /// The closing that the tab was part of.
    public let closing: ClosingID

    let wasActive: Bool
    let opener: TabOpener?
    /// Where the tab was.
    let former: FormerPlace
    /// The mark from which the tab's age is measured. It also orders the tab among all closed items.
    var age: StoreAge.Mark?
    /// The tab's saved metadata, with the host's properties and without the restorer's own. Its
    /// place is the one among the closed tabs.
    var metadata: TabMetadata
}

extension ClosedTab {
    /// A tab that was closed at a place.
    ///
    /// - Parameter stored: its metadata, with the restorer's own properties.
    init(_ stored: TabMetadata, at former: FormerPlace, isPinned: Bool, group: StructureNode?) {
        let facts = stored.properties
        session = SessionID(former.session)
        age = StoreAge.Mark(savedText: facts[SavedProperty.age])
        self.isPinned = isPinned
        self.group = group
        closing =
            former.batch.map { ClosingID(high: $0.high, low: $0.low) }
            ?? ClosingID(high: stored.id.high, low: stored.id.low)
        wasActive = facts[SavedProperty.closedActive] != nil
        opener = facts[SavedProperty.closedOpener].flatMap { TabOpener(savedText: $0) }
        self.former = former
        metadata = stored
        metadata.properties = facts.filter { !OwnProperty.isOwn($0.key) }
        (metadata.parent, metadata.edge, metadata.zone) = (nil, .member, .normal)
        (metadata.weight, metadata.opener, metadata.closedFrom) = (0, nil, nil)
    }

    /// Returns the metadata to store.
    ///
    /// - Parameter isParentClosed: whether what the tab was below is closed, too.
    func stored(isParentClosed: Bool) -> TabMetadata {
        var stored = metadata
        stored.closedFrom = former
        if isParentClosed {
            (stored.parent, stored.edge) = (former.parent, former.edge)
            (stored.zone, stored.weight) = (former.zone, former.weight)
            if let place = former.place { stored.place = place }
        }
        stored.properties[SavedProperty.age] = age?.savedText
        stored.properties[SavedProperty.closedActive] = wasActive ? "yes" : nil
        stored.properties[SavedProperty.closedOpener] = opener?.savedText
        return stored
    }
}

extension SavedProperty {
    static let closedActive = "browser-sessions.closed-active"
    /// A tab may come back after its opener, which no other tab may be.
    static let closedOpener = "browser-sessions.closed-opener"
}

extension TabOpener {
    /// The tab and the index, separated by a space.
    var savedText: String { "\(tab) \(navigationIndex)" }

    init?(savedText: String) {
        let parts = savedText.split(separator: " ")
        guard parts.count == 2, let tab = TabID(String(parts[0])), let index = Int32(parts[1])
        else { return nil }
        self.init(tab: tab, navigationIndex: index)
    }
}

extension ClosedTab {
    /// A tab that its last owner released.
    init(
        lost tab: TabMetadata, from session: SessionID, at time: Timestamp, place: OrderKey
    ) {
        var former = FormerPlace()
        former.session = session.window == .profileWide ? "" : session.ofWindow.description
        (former.zone, former.place) = (tab.zone, tab.place)
        (former.time, former.batch) = (time, .random())
        var record = tab
        record.place = place
        record.properties[SavedProperty.closedOpener] = tab.opener?.savedText
        self.init(record, at: former, isPinned: tab.isPinned, group: nil)
    }

    /// A tab that left a window.
    init(
        _ removal: TabRemoval, in window: Window, _ closing: ClosingID, at time: Timestamp,
        place: OrderKey
    ) {
        let backup = BackupNotes(window.attributes)
        var former = removal.formerPlace
        former.session = window.sessionID.ofWindow.description
        if window.isCompanion, window.kind != .backup {
            (former.index, former.place, former.previous) = (nil, nil, nil)
        } else {
            former.index = removal.index + backup.firstIndex.index
        }
        (former.time, former.batch) = (time, closing.asNode)
        former.reason = removal.closing == .user ? FormerPlace.byUser : FormerPlace.byProgram
        var record = removal.tab.metadata
        record.place = place
        let opener = removal.opener ?? backup.openers[removal.tab.id]
        record.properties[SavedProperty.closedOpener] = opener?.savedText
        record.properties[SavedProperty.closedActive] = removal.wasActive ? "yes" : nil
        self.init(
            record, at: former, isPinned: removal.isPinned,
            group: removal.isPinned ? nil : removal.group)
    }

    /// A tab that was read.
    init(stored: TabMetadata, _ nodes: ClosedNodes) {
        let former = nodes.place(of: stored)
        let above = nodes.above(former)
        let isPinned = ([former.zone] + above.compactMap(\.closedFrom?.zone))
            .contains { $0 == .pinned || $0 == .essential }
        self.init(
            stored, at: former, isPinned: isPinned,
            group: isPinned ? nil : above.first { $0.kind == .group }?.asItWas)
    }
}

extension StructureNode {
    /// The node without its former place.
    var asItWas: StructureNode {
        var node = self
        node.closedFrom = nil
        return node
    }

    /// Whether the node ended by a closing.
    func isOf(_ closing: ClosingID) -> Bool { closedFrom?.batch == closing.asNode }
}

extension FormerPlace {
    /// The reason of what the user closed.
    static let byUser = "user"
    /// The reason of what the program closed.
    static let byProgram = "automatic"
}

extension ClosingID {
    var asNode: NodeID { NodeID(high: high, low: low) }
}
