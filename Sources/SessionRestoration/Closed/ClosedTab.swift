public import BrowserSessions

/// The subject of closing identifiers.
public enum ClosingSubject {}
/// The identifier of a closing: a tab, a selection, a group, or all tabs that the user closed together.
public typealias ClosingID = Identifier<ClosingSubject>

/// A tab that the user closed and can reopen.
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
    /// The time at which the user closed it; if it is not known, the time of its last use.
    public let closedAt: Timestamp
    /// The window that the tab was in; `nil` if it is not known.
    public var window: WindowID? { session?.window }
    /// The session of this window, which includes its kind.
    public let session: SessionID?
    /// The tab's index in its window; `nil` if it had none, as for an inactive tab.
    public let index: Int?
    /// Whether the tab was pinned.
    public let isPinned: Bool
    /// The tab's group as it was at that time; `nil` if the tab was in none.
    public let group: StructureNode?
    /// The closing that the tab was part of.
    public let closing: ClosingID

    let wasActive: Bool
    let opener: TabOpener?
    /// The mark from which the tab's age is measured. It also orders the tab among all closed items.
    var age: StoreAge.Mark?
    /// The tab's saved metadata, with the host's properties and without the restorer's own. Its
    /// place is the one among the closed tabs.
    var metadata: TabMetadata
}

extension ClosedTab {
    /// Reads the restorer's own facts from properties. A store repairs pins, groups and openers
    /// that are out of order in a session, and here all of them are.
    init(stored: TabMetadata) {
        let facts = stored.properties
        closedAt = Timestamp(savedText: facts[SavedProperty.closedAt]) ?? stored.lastActiveAt
        session = facts[SavedProperty.closedWindow].flatMap { SessionID($0) }
        age = StoreAge.Mark(savedText: facts[SavedProperty.age])
        index = facts[SavedProperty.closedIndex].flatMap { StoredNumber(decimal: $0)?.index }
        isPinned = facts[SavedProperty.closedPinned] != nil
        group = isPinned ? nil : StructureNode(closed: facts)
        closing =
            facts[SavedProperty.closing].flatMap { ClosingID($0) }
            ?? ClosingID(high: stored.id.high, low: stored.id.low)
        wasActive = facts[SavedProperty.closedActive] != nil
        opener = facts[SavedProperty.closedOpener].flatMap { TabOpener(savedText: $0) }
        metadata = stored
        metadata.properties = facts.filter { !SavedProperty.isOwn($0.key) }
        metadata.isPinned = false
        metadata.group = nil
        metadata.opener = nil
    }

    /// The metadata to store.
    var stored: TabMetadata {
        var stored = metadata
        stored.properties[SavedProperty.closedAt] = closedAt.savedText
        stored.properties[SavedProperty.closedWindow] = session?.description
        stored.properties[SavedProperty.age] = age?.savedText
        stored.properties[SavedProperty.closedIndex] = index.map { String($0) }
        stored.properties[SavedProperty.closedPinned] = isPinned ? "yes" : nil
        stored.properties[SavedProperty.closedActive] = wasActive ? "yes" : nil
        stored.properties[SavedProperty.closedOpener] = opener?.savedText
        stored.properties[SavedProperty.closing] = closing.description
        group?.saveClosed(in: &stored.properties)
        return stored
    }
}

extension SavedProperty {
    private typealias Name = ClosedTabFacts.Name
    static let closedAt = Name.at
    static let closedWindow = Name.window
    static let closedIndex = Name.index
    static let closedPinned = Name.pinned
    static let closedActive = Name.active
    static let closedOpener = Name.opener
    /// The closing. Tabs that were closed together have the same value.
    static let closing = Name.together
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
