/// The changes of a list since its strip was last updated.
struct PendingStripUpdate {
    var needsReload = false
    var needsOrderAndSelection = false
    /// The last tab that was moved.
    private(set) var moved: Tab?
    private(set) var updates: [Tab] = []
    private var updated: Set<ObjectIdentifier> = []

    var isNothing: Bool { !needsReload && !needsOrderAndSelection && updates.isEmpty }

    mutating func note(_ change: TabListChange, of list: TabList) {
        switch change {
        case .inserted, .removed, .replaced, .activated: needsOrderAndSelection = true
        case .moved(let tab, _, _): (needsOrderAndSelection, moved) = (true, tab)
        case .subtreeMoved(_, let tabs, _, _):
            (needsOrderAndSelection, moved) = (true, tabs.first)
            for tab in tabs { update(tab) }
        case .restored: needsReload = true
        case .attributesChanged(let tab, _): update(tab)
        case .nodeChanged(let node):
            for index in list.range(of: node) ?? 0..<0 { update(list[index]) }
        case .tab(let tab, .detailsChanged):
            // A tab that is folded hides others.
            for index in list.range(of: tab.id) ?? 0..<0 { update(list[index]) }
        case .tab(let tab, let event): if event.isSeenInStrips { update(tab) }
        case .renumbered, .nodeEnded, .batchBegan, .batchEnded: break
        }
    }

    private mutating func update(_ tab: Tab) {
        if updated.insert(ObjectIdentifier(tab)).inserted { updates.append(tab) }
    }
}

extension TabEvent {
    /// Whether a strip might show the change; strips do not show scroll positions.
    fileprivate var isSeenInStrips: Bool {
        switch self {
        case .realized, .navigated, .detailsChanged, .loadingChanged, .unloaded, .realizationFailed:
            true
        case .shown, .stateChanged, .closed: false
        }
    }
}
