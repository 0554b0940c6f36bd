import BrowserModel
import BrowserSessions

/// Keeps the tabs that the user or the program closes, in one session for the entire profile.
///
/// A closed tab moves to this session in the same change set as the rest of the save, and so do the
/// groups and other nodes that end by this. Nothing is copied, and a tab's state stays where it is. Tabs
/// that the app cleans up, and blank pages without other history, are removed.
final class ClosedTabRecords {
    static let session = SessionID(window: .profileWide, kind: .recentlyClosed)

    /// The closed tabs, the first closed first.
    private(set) var tabs: [ClosedTab] = [] {
        didSet { context.savedItemsChanged() }
    }
    /// What tabs were in that ended when they were closed.
    private(set) var nodes = ClosedNodes()
    /// Whether tabs are dropped for their age. Not before restoring succeeded, because until then
    /// they may be the only copy.
    private var mayExpire = false
    private let context: RestorerContext
    private var policy: RestorationPolicy { context.policy }
    private var saves: SavedPartition { context.saves.regular }
    private var age: StoreAge { context.age }
    private var clock: WallClock { context.clock }
    private var closing: ClosingID?
    private var isOneClosing = false
    /// Why the last tab was closed, and so what ended with it.
    private var reason = FormerPlace.byUser
    private var isReopening = false
    /// The nodes that ended since the last batch.
    private var ended: [StructureNode] = []

    init(_ context: RestorerContext) { self.context = context }

    subscript(id: TabID) -> ClosedTab? { tabs.first { $0.id == id } }

    // MARK: Closing

    /// Keeps or removes a tab that was closed.
    ///
    /// - Returns: how the tab is kept, since its page may have more to report; `nil` if it is removed.
    func closed(_ removal: TabRemoval, in window: Window) -> TabMetadata? {
        let isAsked = removal.closing == .user
        guard removal.closing?.isUndoable == true, !policy.isBlank(removal.tab.metadata) else {
            saves.mark(.closed(removal.tab.id, isAsked: isAsked))
            return nil
        }
        let closing = closing ?? .random()
        self.closing = closing
        var tab = ClosedTab(removal, in: window, closing, at: clock.now, place: nextPlace)
        tab.age = age.next()
        reason = tab.former.reason
        let record = stored(tab)
        saves.take(removal.tab, as: record, in: Self.session, isAsked: isAsked)
        tabs.append(tab)
        return record
    }

    /// A node of a window ended: it was dissolved, or what was in it was closed or moved.
    func ended(_ node: StructureNode, in window: Window) {
        var node = node
        node.closedFrom?.session = window.sessionID.ofWindow.description
        node.closedFrom?.batch = closing?.asNode
        node.closedFrom?.time = clock.now
        node.closedFrom?.reason = reason
        ended.append(node)
    }

    /// All tabs that were closed together, and nodes that ended by this, were handled.
    func batchEnded() {
        keepEndedNodes()
        if closing != nil { report(enforceLimits()) }
        if !isOneClosing { closing = nil }
    }

    /// Where the closed tabs were.
    var places: [NodeID: FormerPlace] {
        Dictionary(
            tabs.map { (NodeID($0.id), $0.former) }, uniquingKeysWith: { first, _ in first })
    }

    /// Keeps the nodes that ended in a batch because tabs in them were closed, with what is in them.
    private func keepEndedNodes() {
        guard !ended.isEmpty else { return }
        defer { ended = [] }
        guard closing != nil || isReopening else { return }
        for node in ended { nodes.keep(node) }
        let unneeded = nodes.unneeded(by: places)
        nodes.remove(unneeded)
        saveNodes(with: Set(ended.map(\.id)).subtracting(unneeded))
    }

    /// Saves the nodes, and the tabs that are now below others of them than before.
    private func saveNodes(with changed: Set<NodeID>) {
        saves.mark(.content(nil, nodes.stored, for: Self.session))
        for tab in tabs where tab.former.parent.map(changed.contains) == true {
            save(tab)
        }
    }

    private func save(_ tab: ClosedTab, isAsked: Bool = false) {
        saves.mark(.put(stored(tab), in: Self.session, isAsked: isAsked))
    }

    private func stored(_ tab: ClosedTab) -> TabMetadata {
        tab.stored(isParentClosed: tab.former.parent.map { nodes[$0] != nil } ?? false)
    }

    /// Drops the nodes that nothing can be reopened of.
    private func dropUnneededNodes() {
        guard !nodes.isEmpty else { return }
        let unneeded = nodes.unneeded(by: places)
        if !unneeded.isEmpty { take(unneeded) }
    }

    /// Takes nodes out, which come back or are not needed any more.
    func take(_ ids: Set<NodeID>) {
        nodes.remove(ids)
        if !ids.isEmpty { saveNodes(with: ids) }
    }

    /// Treats everything that the work closes, in any window, as one closing.
    ///
    /// - Returns: the tabs of this closing that are kept, in the order in which they were closed.
    func asOneClosing<Failure: Error>(
        _ work: () throws(Failure) -> Void
    ) throws(Failure) -> [ClosedTab] {
        let id = ClosingID.random()
        (closing, isOneClosing) = (id, true)
        defer { (closing, isOneClosing) = (nil, false) }
        try work()
        return tabs.filter { $0.closing == id }
    }

    /// Keeps a detached tab that its last owner released, so that it can be reopened.
    func lost(_ tab: TabMetadata, from session: SessionID) {
        guard !policy.isBlank(tab) else { return saves.mark(.closed(tab.id)) }
        var closed = ClosedTab(lost: tab, from: session, at: clock.now, place: nextPlace)
        closed.age = age.next()
        save(closed)
        tabs.append(closed)
        report(enforceLimits())
    }

    private func report(_ dropped: DroppedItems) {
        if !dropped.isEmpty { context.report(.dropped(dropped)) }
    }

    private var nextPlace: OrderKey { .between(tabs.last?.metadata.place, and: nil) }

    // MARK: At launch

    /// Takes over the saved tabs and nodes. Tabs that were closed in the meantime follow them.
    func load(_ sessions: [RestoredSession]) {
        let (closedMeanwhile, nodesMeanwhile) = (tabs, nodes)
        (tabs, nodes) = ([], ClosedNodes())
        for session in sessions {
            for node in session.nodes { nodes.keep(node.closed) }
        }
        for session in sessions {
            let own = session.tabs.filter { tab in !closedMeanwhile.contains { $0.id == tab.id } }
            saves.mark(.stored(own, session.nodes, in: session.id))
            tabs += own.map { ClosedTab(stored: $0, nodes) }
        }
        sortByAge()
        for tab in closedMeanwhile {
            var tab = tab
            tab.metadata.place = nextPlace
            tabs.append(tab)
        }
        nodes.keep(nodesMeanwhile)
        // A node is in one session with what is in it.
        if sessions.contains(where: { $0.id != Self.session && !$0.nodes.isEmpty }) {
            return saveAnew()
        }
        for tab in tabs.suffix(closedMeanwhile.count) { save(tab) }
        if !nodesMeanwhile.isEmpty { saveNodes(with: nodesMeanwhile.ids) }
    }

    /// Puts the tabs in the order of their closing. In the store, those of a group are next to each other.
    private func sortByAge() {
        tabs = tabs.enumerated().sorted { one, other in
            let (first, second) = (one.element, other.element)
            switch (first.age, second.age) {
            case (let age?, let next?): return (age.value, one.offset) < (next.value, other.offset)
            case (nil, nil):
                return (first.closedAt, one.offset) < (second.closedAt, other.offset)
            case (let age, _): return age != nil
            }
        }.map(\.element)
    }

    /// The tabs that this store sees for the first time, such as imported tabs, with their indexes;
    /// the first closed first.
    var unseen: [(index: Int, closedAt: Timestamp)] {
        tabs.indices.filter { !age.knows(tabs[$0].age) }.map { ($0, tabs[$0].closedAt) }
    }

    /// The marks from which the tabs' ages are measured, as far as they are known.
    var marks: [StoreAge.Mark] { tabs.compactMap(\.age) }

    /// Starts the age of a tab now, and orders it after everything that was seen before.
    func seen(_ index: Int) {
        tabs[index].age = age.next()
        save(tabs[index])
    }

    /// Drops tabs that are too old, once everything is known to be readable. A launch never drops
    /// tabs because of their number.
    func didRestore(isSuspicious: Bool) -> DroppedItems {
        mayExpire = !isSuspicious
        var dropped = DroppedItems()
        dropped.oldClosedTabs = tooOld
        if !dropped.isEmpty { forget(Set(dropped.oldClosedTabs)) }
        return dropped
    }

    /// Marks all tabs for saving, for a store that may not have them.
    func saveAnew() {
        for tab in tabs { save(tab) }
        if !nodes.isEmpty { saves.mark(.content(nil, nodes.stored, for: Self.session)) }
    }

    /// All closed tabs and nodes as they are saved.
    var saved: (tabs: [TabMetadata], nodes: [StructureNode]) { (tabs.map(stored), nodes.stored) }

    /// Takes in tabs and nodes of another state, as that had them.
    func keep(_ coming: [TabMetadata], _ comingNodes: [StructureNode]) {
        let ids = Set(coming.map(\.id))
        for node in comingNodes { nodes.keep(node.closed) }
        tabs.removeAll { ids.contains($0.id) }
        for tab in coming {
            var closed = ClosedTab(stored: tab, nodes)
            if !age.knows(closed.age) { closed.age = age.next() }
            tabs.append(closed)
        }
        sortByAge()
        for tab in tabs where ids.contains(tab.id) {
            save(tab, isAsked: true)
        }
        if !comingNodes.isEmpty { saveNodes(with: Set(comingNodes.map(\.id))) }
    }

    // MARK: Removing

    /// Forgets a tab as closed if it came into a window without having been in one.
    func cameIn(_ tab: Tab) { if !isReopening { reopened([tab.id]) } }

    /// Runs work that brings tabs into windows and calls ``reopened(_:)`` at the end.
    func whileReopening<Failure: Error>(_ work: () throws(Failure) -> Void) throws(Failure) {
        isReopening = true
        defer { isReopening = false }
        try work()
    }

    /// Forgets tabs that are in a window again.
    func reopened(_ ids: Set<TabID>) {
        guard tabs.contains(where: { ids.contains($0.id) }) else { return }
        tabs.removeAll { ids.contains($0.id) }
        dropUnneededNodes()
    }

    /// Drops tabs and their saved data.
    ///
    /// - Parameter isAsked: whether the user asked for it.
    func forget(_ ids: Set<TabID>, isAsked: Bool = false) {
        for id in ids { saves.mark(.closed(id, isAsked: isAsked)) }
        reopened(ids)
    }

    /// Drops the tabs on sites, and takes what the sites left out of the others.
    func forget(_ sites: ForgottenSites) {
        forget(Set(tabs.filter { sites.covers($0.metadata) }.map(\.id)), isAsked: true)
        let changed = nodes.redact(sites)
        for index in tabs.indices {
            let isChanged = sites.redact(&tabs[index].metadata)
            if var group = tabs[index].group, sites.redact(&group) { tabs[index].group = group }
            if isChanged { save(tabs[index], isAsked: true) }
        }
        if !changed.isEmpty { saveNodes(with: changed) }
    }

    /// Notes how many pages histories have that the store shortened.
    func takeOver(_ counts: [TabID: Int32]) {
        for index in tabs.indices {
            guard let count = counts[tabs[index].id] else { continue }
            tabs[index].metadata.navigationItemCount = count
        }
    }

    /// Drops tabs that are too old or exceed the limit, and returns them.
    func enforceLimits() -> DroppedItems {
        var dropped = DroppedItems()
        // A closing can always be undone as a whole, however many tabs it has.
        let last = tabs.last?.closing
        let excess = max(0, tabs.count - max(0, policy.closed.maximumTabs))
        dropped.oldClosedTabs = tooOld
        let old = Set(dropped.oldClosedTabs)
        dropped.surplusClosedTabs = tabs.prefix(excess)
            .filter { $0.closing != last && !old.contains($0.id) }.map(\.id)
        if !dropped.isEmpty { forget(old.union(dropped.surplusClosedTabs)) }
        return dropped
    }

    private var tooOld: [TabID] {
        guard mayExpire else { return [] }
        let (age, maximumAge) = (age, policy.closed.maximumAge)
        return tabs.filter { age.isOlder($0.age, than: maximumAge) }.map(\.id)
    }
}

extension SessionID {
    /// The session of the window that this session belongs to: itself, except for companions.
    var ofWindow: SessionID {
        kind.role == .companion ? SessionID(window: window) : self
    }
}

extension RestorationPolicy {
    /// Returns whether the tab shows a blank page and has no other history.
    func isBlank(_ tab: TabMetadata) -> Bool {
        blankPages.contains(tab.url) && tab.navigationItemCount <= 1
    }
}
