public import BrowserSessions

/// The tabs in all lists of a profile. It keeps their identifiers unique.
public final class TabRegistry {
    // Each partition has one table for all of its lists, which also find their tabs here.
    private var regular: [TabID: Tab] = [:]
    private var offTheRecord: [TabID: Tab] = [:]
    // An identifier is that of one node in a partition, which is in one list.
    private var regularNodes: Set<NodeID> = []
    private var offTheRecordNodes: Set<NodeID> = []

    /// Creates an empty registry for the lists of one profile.
    public init() {}

    /// Returns whether a list of the partition holds a tab with the identifier.
    public func contains(_ tab: TabID, offTheRecord isOffTheRecord: Bool) -> Bool {
        self.tab(tab, offTheRecord: isOffTheRecord) != nil
    }

    /// Returns the tab with an identifier in any list of the partition; `nil` if there is none.
    package func tab(_ id: TabID, offTheRecord isOffTheRecord: Bool) -> Tab? {
        isOffTheRecord ? offTheRecord[id] : regular[id]
    }

    /// Reserves capacity for additional tabs of the partition.
    package func reserve(_ count: Int, offTheRecord isOffTheRecord: Bool) {
        if isOffTheRecord {
            offTheRecord.reserveCapacity(offTheRecord.count + count)
        } else {
            regular.reserveCapacity(regular.count + count)
        }
    }

    /// Registers a tab. Changes nothing if its identifier is registered.
    func insert(_ tab: Tab, offTheRecord isOffTheRecord: Bool) {
        _ =
            isOffTheRecord
            ? Self.insert(tab, into: &offTheRecord) : Self.insert(tab, into: &regular)
    }

    /// Registers the tabs that satisfy the predicate and have new identifiers.
    ///
    /// - Returns: the registered tabs, in their order.
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
        // Nearly always, all of the tabs are registered.
        guard
            let first = tabs.firstIndex(where: { !(mayCome($0) && insert($0, into: &table)) })
        else { return tabs }
        return tabs[..<first]
            + tabs[(first + 1)...].filter { mayCome($0) && insert($0, into: &table) }
    }

    /// Nearly always needs only one lookup.
    private static func insert(_ tab: Tab, into tabs: inout [TabID: Tab]) -> Bool {
        guard let other = tabs.updateValue(tab, forKey: tab.id) else { return true }
        tabs[tab.id] = other
        return false
    }

    func remove(_ tab: TabID, offTheRecord isOffTheRecord: Bool) {
        if isOffTheRecord { offTheRecord[tab] = nil } else { regular[tab] = nil }
    }

    // MARK: Other nodes

    /// Returns whether a list of the partition holds a node with the identifier.
    func contains(_ node: NodeID, offTheRecord isOffTheRecord: Bool) -> Bool {
        (isOffTheRecord ? offTheRecordNodes : regularNodes).contains(node)
            || tab(TabID(node), offTheRecord: isOffTheRecord) != nil
    }

    func insert(_ node: NodeID, offTheRecord isOffTheRecord: Bool) {
        if isOffTheRecord { offTheRecordNodes.insert(node) } else { regularNodes.insert(node) }
    }

    func remove(_ node: NodeID, offTheRecord isOffTheRecord: Bool) {
        if isOffTheRecord { offTheRecordNodes.remove(node) } else { regularNodes.remove(node) }
    }
}
