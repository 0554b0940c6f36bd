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
