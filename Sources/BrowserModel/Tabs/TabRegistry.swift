public import BrowserSessions

/// Knows which tabs are in the lists of a profile, so that no identifier is there twice.
public final class TabRegistry {
    // One table serves all lists of a side: a list finds its tabs here too.
    private var regular: [TabID: Tab] = [:]
    private var offTheRecord: [TabID: Tab] = [:]

    public init() {}

    /// Whether a list of that side holds a tab with the identifier.
    public func contains(_ tab: TabID, offTheRecord isOffTheRecord: Bool) -> Bool {
        self.tab(tab, offTheRecord: isOffTheRecord) != nil
    }

    /// The tab with an identifier in any list of that side; `nil` if there is none.
    package func tab(_ id: TabID, offTheRecord isOffTheRecord: Bool) -> Tab? {
        isOffTheRecord ? offTheRecord[id] : regular[id]
    }

    /// Makes room for so many more tabs of that side.
    package func reserve(_ count: Int, offTheRecord isOffTheRecord: Bool) {
        if isOffTheRecord {
            offTheRecord.reserveCapacity(offTheRecord.count + count)
        } else {
            regular.reserveCapacity(regular.count + count)
        }
    }

    /// Notes a tab; `false` if one with its identifier is there, which then stays.
    @discardableResult
    func insert(_ tab: Tab, offTheRecord isOffTheRecord: Bool) -> Bool {
        isOffTheRecord ? Self.insert(tab, into: &offTheRecord) : Self.insert(tab, into: &regular)
    }

    /// Notes those of the tabs that may come and whose identifiers are new.
    ///
    /// - Returns: the tabs that were noted, in their order.
    func insert(
        _ tabs: [Tab], offTheRecord isOffTheRecord: Bool, where mayCome: (Tab) -> Bool
    ) -> [Tab] {
        isOffTheRecord
            ? Self.insert(tabs, into: &offTheRecord, where: mayCome)
            : Self.insert(tabs, into: &regular, where: mayCome)
    }

    private static func insert(
        _ tabs: [Tab], into table: inout [TabID: Tab], where mayCome: (Tab) -> Bool
    ) -> [Tab] {
        // Nearly always all of them.
        guard
            let first = tabs.firstIndex(where: { !(mayCome($0) && insert($0, into: &table)) })
        else { return tabs }
        return tabs[..<first]
            + tabs[(first + 1)...].filter { mayCome($0) && insert($0, into: &table) }
    }

    /// Nearly always one look into the table.
    private static func insert(_ tab: Tab, into tabs: inout [TabID: Tab]) -> Bool {
        guard let other = tabs.updateValue(tab, forKey: tab.id) else { return true }
        tabs[tab.id] = other
        return false
    }

    func remove(_ tab: TabID, offTheRecord isOffTheRecord: Bool) {
        if isOffTheRecord { offTheRecord[tab] = nil } else { regular[tab] = nil }
    }
}
