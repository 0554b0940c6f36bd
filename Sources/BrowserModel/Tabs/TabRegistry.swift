public import BrowserSessions

/// Knows which tabs are in the lists of a profile, so that no identifier is there twice.
public final class TabRegistry {
    private var regular: Set<TabID> = []
    private var offTheRecord: Set<TabID> = []

    public init() {}

    /// Whether a list of that side holds a tab with the identifier.
    public func contains(_ tab: TabID, offTheRecord isOffTheRecord: Bool) -> Bool {
        isOffTheRecord ? offTheRecord.contains(tab) : regular.contains(tab)
    }

    /// Makes room for so many more tabs of that side.
    package func reserve(_ count: Int, offTheRecord isOffTheRecord: Bool) {
        if isOffTheRecord {
            offTheRecord.reserveCapacity(offTheRecord.count + count)
        } else {
            regular.reserveCapacity(regular.count + count)
        }
    }

    func insert(_ tab: TabID, offTheRecord isOffTheRecord: Bool) {
        if isOffTheRecord { offTheRecord.insert(tab) } else { regular.insert(tab) }
    }

    func remove(_ tab: TabID, offTheRecord isOffTheRecord: Bool) {
        if isOffTheRecord { offTheRecord.remove(tab) } else { regular.remove(tab) }
    }
}
