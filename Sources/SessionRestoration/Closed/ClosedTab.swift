public import BrowserSessions

/// Marks identifiers of closings.
public enum ClosingSubject {}
/// Identifies what the user closed in one go: a tab, a selection, a group, or all tabs.
public typealias ClosingID = Identifier<ClosingSubject>

/// A tab that the user closed and can open again.
public struct ClosedTab: Hashable, Sendable {
    public var id: TabID { metadata.id }
    public var url: String { metadata.url }
    public var title: String { metadata.title }
    /// The address of the page's icon; empty if none is known.
    public var faviconURL: String { metadata.faviconURL }
    /// How many pages it can go back and forward to, the one shown included; 0 if that is not known.
    public var pages: Int { Int(metadata.navigationItemCount) }
    public let closedAt: Timestamp
    /// The window in which it was; `nil` if that is not known.
    public var window: WindowID? { session?.window }
    /// The same with its kind.
    public let session: SessionID?
    /// The index that it had in its window; `nil` if it had none there, as inactive tabs have.
    public let index: Int?
    public let isPinned: Bool
    /// Its group, as it looked then; `nil` if it was in none.
    public let group: TabGroup?
    /// What it was closed together with.
    public let closing: ClosingID

    let wasActive: Bool
    let opener: TabOpener?
    /// From when on it ages, which also orders it among all that was closed.
    var age: StoreAge.Mark?
    /// What is saved of the tab, with the host's properties and without the restorer's own. Its
    /// place is that among the closed tabs.
    var metadata: TabMetadata
}

extension ClosedTab {
    /// From what is stored, in which the restorer's own facts are properties: a store puts pins,
    /// groups and openers right that are out of order in a session, and there all are.
    init(stored: TabMetadata) {
        let facts = stored.properties
        closedAt = Timestamp(savedText: facts[SavedProperty.closedAt]) ?? stored.lastActiveAt
        session = facts[SavedProperty.closedWindow].flatMap { SessionID($0) }
        age = StoreAge.Mark(savedText: facts[SavedProperty.age])
        index = facts[SavedProperty.closedIndex].flatMap { StoredNumber(decimal: $0)?.index }
        isPinned = facts[SavedProperty.closedPinned] != nil
        group = isPinned ? nil : TabGroup(closed: facts)
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

    /// As it is stored.
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
    /// What was closed together has the same value.
    static let closing = Name.together
}

extension TabOpener {
    /// The tab and the index, with a space between them.
    var savedText: String { "\(tab) \(navigationIndex)" }

    init?(savedText: String) {
        let parts = savedText.split(separator: " ")
        guard parts.count == 2, let tab = TabID(String(parts[0])), let index = Int32(parts[1])
        else { return nil }
        self.init(tab: tab, navigationIndex: index)
    }
}
