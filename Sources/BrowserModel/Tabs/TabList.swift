public import BrowserSessions

/// The ordered tabs of a window, with the active tab, groups and other nodes, and openers.
///
/// The tabs are those of a forest, depth first: a node, what is in it, what branches from it. What is
/// pinned comes first. The tabs of a node are adjacent. A group without a style has a tab or node in it,
/// a split two. An opener is another tab of the list. The active tab is in the list.
///
/// The list holds all structure that was saved. Its ``rules`` say which changes it refuses, and which
/// groups ``groups`` and ``Tab/group`` show.
///
/// The list is a collection of its tabs. Its methods take a ``TabReference``, which is a tab or its
/// identifier, and throw ``TabListError/unknownTab(_:)`` for a tab that is not in the list. An
/// index only says where a tab goes; an index that is out of bounds means the nearest end.
public final class TabList: TabOwner {
    /// The tab in front; `nil` if there is none. Always `nil` in an empty list.
    public internal(set) var activeTab: Tab?
    /// Whether the tabs belong to an incognito profile.
    public let isIncognito: Bool
    /// Whether a tab is realized when it becomes active; `false` for a list of inactive tabs.
    package let realizesActiveTab: Bool
    /// Called before insertions and after removals; attaches helpers. Several lists can share it.
    package weak var delegate: (any TabListDelegate)?
    /// Reports when many tabs are realized in a short time.
    package var realizationMonitor: RealizationMonitor?

    var order: TabForest
    package private(set) var isTelling = false
    /// Whether the list's window was closed.
    package internal(set) var isAbandoned = false
    package private(set) var batchDepth = 0
    let now: @Sendable () -> Timestamp
    let membership: TabMembership
    private var observers = Observers<any TabListObserver>()

    /// - Parameters:
    ///   - isIncognito: whether the tabs belong to an incognito profile.
    ///   - realizesActiveTab: whether a tab is realized when it becomes active.
    ///   - rules: the structure that the host can show.
    ///   - engine: makes the pages of the tabs.
    ///   - registry: the tabs of all lists of a profile, which keeps identifiers unique. A tab of
    ///     one of these lists never enters a list of another profile. A list without a registry
    ///     stands alone.
    ///   - now: the wall clock for the times at which tabs are shown.
    package init(
        isIncognito: Bool = false, realizesActiveTab: Bool = true,
        rules: StructureRules = .flatGroups,
        engine: any WebEngine = PageHistoryEngine(), registry: TabRegistry? = nil,
        now: @escaping @Sendable () -> Timestamp = { .now() }
    ) {
        self.isIncognito = isIncognito
        self.realizesActiveTab = realizesActiveTab
        order = TabForest(
            rules: rules,
            known: (registry ?? TabRegistry())[isIncognito ? .incognito : .regular])
        self.now = now
        membership = TabMembership(registry, isIncognito: isIncognito, engine: engine)
        membership.owner = self
    }

    deinit { _ = removeAll() }

    /// Takes all tabs out, and returns them.
    func removeAll() -> [Tab] {
        let gone = tabs
        order.removeAll()
        for tab in gone { order.known.remove(tab.id) }
        return gone
    }

    /// The structure that the host can show.
    public var rules: StructureRules { order.rules }
    /// The tabs in order.
    package var tabs: [Tab] { order.tabs }
    /// The number of pinned tabs at the top of the list and in what is pinned there. They come first.
    public var pinnedCount: Int { order.pinnedCount }

    /// Returns the index of a tab; `nil` if it is not in the list.
    public func index(of tab: some TabReference) -> Int? {
        find(tab).flatMap { order.index(of: $0) }
    }
    /// The index of the active tab; `nil` if none is active.
    public var activeIndex: Int? { activeTab.flatMap { order.index(of: $0) } }
    /// Returns the tab with an identifier; `nil` if it is not in the list.
    public func tab(_ id: TabID) -> Tab? {
        let tab = order.known.tab(id)
        return tab?.owner === self ? tab : nil
    }
    /// Returns whether a tab is in the list.
    public func contains(_ tab: some TabReference) -> Bool { find(tab) != nil }

    private func find(_ reference: some TabReference) -> Tab? {
        tab(reference.tabID).flatMap { reference.refers(to: $0) ? $0 : nil }
    }

    /// Returns the tab of a reference for a change.
    func resolve(_ reference: some TabReference) throws(TabListError) -> Tab {
        guard mayChange() else { throw .reentrant }
        guard let tab = find(reference) else { throw .unknownTab(reference.tabID) }
        return tab
    }

    /// Returns the indexes of references for a change, ascending and each once.
    func indexes(
        of references: some Sequence<some TabReference>
    ) throws(TabListError) -> [Int] {
        guard mayChange() else { throw .reentrant }
        var indexes: [Int] = []
        for reference in references {
            guard let index = index(of: reference) else { throw .unknownTab(reference.tabID) }
            indexes.append(index)
        }
        return indexes.count > 1 ? Set(indexes).sorted() : indexes
    }

    /// Returns the tab or node of a reference for a change.
    func item(_ reference: some NodeReference) throws(TabListError) -> any ListItem {
        guard mayChange() else { throw .reentrant }
        return try order.resolve(reference)
    }

    /// Returns the tabs and nodes of references for a change, each once, without those that are below others
    /// of them.
    func items(
        of references: some Sequence<some NodeReference>
    ) throws(TabListError) -> [any ListItem] {
        guard mayChange() else { throw .reentrant }
        var (items, ids): ([any ListItem], Set<NodeID>) = ([], [])
        for reference in references {
            let item = try order.resolve(reference)
            if ids.insert(item.nodeID).inserted { items.append(item) }
        }
        guard items.count > 1, items.contains(where: { !$0.isLeaf }) else { return items }
        return items.filter { !$0.ancestors.contains { ids.contains($0.nodeID) } }
    }

    /// Adds an observer, which is held weakly. Adding it again has no effect.
    public func addObserver(_ observer: any TabListObserver) {
        observers.add(observer) { [weak observer] in observer }
    }

    /// Removes an observer. Does nothing if it was not added.
    public func removeObserver(_ observer: any TabListObserver) { observers.remove(observer) }

    // MARK: Notifying observers

    func tell(_ change: TabListChange) {
        telling { for observer in observers.current { observer.tabList(self, did: change) } }
    }

    func telling(_ work: () -> Void) {
        let outer = isTelling
        isTelling = true
        work()
        isTelling = outer
    }

    /// Tells what the forest did, one by one.
    func tellChanges() { for change in order.takeChanges() { tell(change) } }

    /// Tells what the forest did, as a batch unless it is one change.
    func tellChangesTogether() {
        if order.changes.count < 2 { tellChanges() } else { performBatch { $0.tellChanges() } }
    }

    func tellOfAttributes(of indexes: some Sequence<Int>) {
        for index in indexes { tell(.attributesChanged(tabs[index], at: index)) }
    }

    /// Tells of tabs and nodes with records that changed.
    func tellOfItems(_ items: [any ListItem]) {
        for item in items {
            guard let tab = item.tab else { tell(.nodeChanged(item.nodeID)); continue }
            tellOfAttributes(of: order.index(of: tab).map { [$0] } ?? [])
        }
    }

    /// Attaches helpers to the tabs among these that have their page.
    func attachHelpers(to tabs: some Sequence<Tab>) {
        telling {
            for tab in tabs where tab.isRealized { delegate?.tabList(self, attachHelpersTo: tab) }
        }
    }

    func tabWasRealized(_ tab: Tab) {
        telling {
            delegate?.tabList(self, attachHelpersTo: tab)
            realizationMonitor?.tabWasRealized()
        }
    }

    /// Returns whether the list can change now. A change by an observer is a programming error.
    func mayChange() -> Bool {
        if isTelling { ModelRule.notReentrant.wasBroken() }
        return !isTelling
    }

    // MARK: Batches

    /// Makes several changes as one batch. Observers are notified when the batch begins and ends,
    /// and of every change in between. Batches can be nested; only the outermost one is reported.
    ///
    /// - Throws: the error of `changes`. The changes made before it remain.
    @discardableResult
    public func performBatch<Answer, Failure: Error>(
        _ changes: (TabList) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        if isTelling { ModelRule.batchesEnd.wasBroken() }
        batchDepth += 1
        if batchDepth == 1 { tell(.batchBegan) }
        defer {
            batchDepth -= 1
            if batchDepth == 0 { tell(.batchEnded) }
        }
        return try changes(self)
    }

    // MARK: Activation

    /// Brings a tab to the front. If the list realizes its active tab, the tab is realized, or soon
    /// will be if its state must be read, and its `lastActiveAt` becomes the current time.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if it is not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    public func activate(_ tab: some TabReference) throws(TabListError) {
        setActive(try resolve(tab))
    }

    /// Leaves no tab active.
    ///
    /// - Throws: ``TabListError/reentrant`` while the list notifies its observers.
    public func deactivate() throws(TabListError) {
        guard mayChange() else { throw .reentrant }
        setActive(nil)
    }

    func setActive(_ tab: Tab?) {
        guard tab !== activeTab else {
            if realizesActiveTab { telling { tab?.realizeForActivation() } }
            return
        }
        let previous = activeTab
        activeTab = tab
        tellOfActive(previous: previous)
    }

    /// Realizes and shows the tab that has become active.
    func tellOfActive(previous: Tab?) {
        telling {
            if realizesActiveTab { activeTab?.realizeForActivation() }
            tell(.activated(activeTab, previous: previous))
            if realizesActiveTab { activeTab?.wasShown(at: now()) }
        }
    }

    /// Returns the tab that becomes active after tabs are removed; `nil` if none was active or none
    /// is left. Tabs that are not in the list are ignored.
    ///
    /// The active tab stays active if it survives. Otherwise the first match is chosen: the nearest
    /// survivor of its split; the next surviving tab that it opened, searching from it to the end and then
    /// from the beginning; the next surviving tab with the same opener, in the same way; its opener; if all
    /// removed tabs were in one group, the nearest survivor of that group; the nearest survivor in its
    /// section (pinned or not) that is neither hidden nor in a collapsed group nor on a folded branch; the
    /// nearest survivor in that section; the nearest survivor of all. Nearest means the first one after it,
    /// otherwise the first one before it. This is Chromium's rule for iOS.
    package func nextActive(afterRemoving removed: some Sequence<some TabReference>) -> Tab? {
        nextActive(afterRemoving: Set(removed.compactMap { index(of: $0) }).sorted())
    }

    /// - Parameter removed: ascending indexes without duplicates.
    func nextActive(afterRemoving removed: [Int]) -> Tab? {
        activeIndex.flatMap { order.nextActive(after: $0, removing: removed) }.map { tabs[$0] }
    }
}

/// The tabs in order, indexed from 0. As with an array, an index that is out of bounds stops the
/// program.
extension TabList: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { order.tabs.count }
    public subscript(index: Int) -> Tab { order.tabs[index] }

    /// Iterates over the tabs that are in the list now. The list can change during the iteration.
    public func makeIterator() -> IndexingIterator<[Tab]> { order.tabs.makeIterator() }
}

extension Tab {
    /// The list that holds the tab; `nil` while the tab is between lists.
    public var list: TabList? { owner as? TabList }
}

/// Receives the changes of tab lists.
///
/// An observer must not change the list while it is being notified.
public protocol TabListObserver: AnyObject {
    /// Tells the observer of a change to a list, after it happened.
    func tabList(_ list: TabList, did change: TabListChange)
}

/// Attaches helpers for one or more tab lists, and is notified when tabs come and go.
public protocol TabListDelegate: AnyObject {
    /// A tab is about to be inserted. It is not in the list yet, and may be unrealized.
    func tabList(_ list: TabList, willInsert tab: Tab)
    /// A tab of the list is realized: it was inserted with its page, or got it now. Called once for
    /// each stay of a realized tab in a list. Attach its helpers here, unless it has them.
    func tabList(_ list: TabList, attachHelpersTo tab: Tab)
    /// A tab was removed and is no longer in the list.
    func tabList(_ list: TabList, didRemove tab: Tab)
}
