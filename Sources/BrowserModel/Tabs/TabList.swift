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
public final class TabList {
    /// The tab in front; `nil` if there is none. Always `nil` in an empty list.
    public internal(set) var activeTab: Tab?
    /// Whether the tabs belong to an off-the-record profile.
    public let isOffTheRecord: Bool
    /// Whether a tab is realized when it becomes active; `false` for a list of inactive tabs.
    public let realizesActiveTab: Bool
    /// The structure that the host can show.
    public let rules: StructureRules
    /// Called before insertions and after removals; attaches helpers. Several lists can share it.
    public weak var delegate: (any TabListDelegate)?
    /// Reports when many tabs are realized in a short time.
    public var realizationMonitor: RealizationMonitor?

    var order: TabForest
    package private(set) var isTelling = false
    /// Whether the list's window was closed.
    package internal(set) var isAbandoned = false
    package private(set) var batchDepth = 0
    let registry: TabRegistry
    /// Whether the list belongs to a profile, so that its tabs cannot enter another profile.
    let isOfProfile: Bool
    let now: @Sendable () -> Timestamp
    let membership: TabMembership
    private var observers = Observers<any TabListObserver>()

    /// - Parameters:
    ///   - isOffTheRecord: whether the tabs belong to an off-the-record profile.
    ///   - realizesActiveTab: whether a tab is realized when it becomes active.
    ///   - rules: the structure that the host can show.
    ///   - registry: the tabs of all lists of a profile, which keeps identifiers unique. A tab of
    ///     one of these lists never enters a list of another profile. A list without a registry
    ///     stands alone.
    ///   - now: the wall clock for the times at which tabs are shown.
    public init(
        isOffTheRecord: Bool = false, realizesActiveTab: Bool = true,
        rules: StructureRules = .flatGroups, registry: TabRegistry? = nil,
        now: @escaping @Sendable () -> Timestamp = { .now() }
    ) {
        self.isOffTheRecord = isOffTheRecord
        self.realizesActiveTab = realizesActiveTab
        self.rules = rules
        isOfProfile = registry != nil
        let registry = registry ?? TabRegistry()
        self.registry = registry
        order = TabForest(registry: registry, isOffTheRecord: isOffTheRecord)
        self.now = now
        membership = TabMembership(isOfProfile ? registry : nil, isOffTheRecord: isOffTheRecord)
        membership.list = self
    }

    deinit {
        for tab in tabs {
            registry.remove(tab.id, offTheRecord: isOffTheRecord)
            tab.forgetChildren()
        }
        for node in order.nodes.keys { registry.remove(node, offTheRecord: isOffTheRecord) }
        order.removeAll()
    }

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
        let tab = registry.tab(id, offTheRecord: isOffTheRecord)
        return tab?.list === self ? tab : nil
    }
    /// Returns whether a tab is in the list.
    public func contains(_ tab: some TabReference) -> Bool { find(tab) != nil }

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

    func hear(_ event: TabEvent, from tab: Tab) { tell(.tab(tab, event)) }

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
        guard mayChange() else { throw .reentrant }
        setActive(try resolve(tab))
    }

    /// Brings a tab to the front; `nil` deactivates the active tab.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if it is not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    public func activate(_ tab: TabID?) throws(TabListError) {
        guard mayChange() else { throw .reentrant }
        if let tab { setActive(try resolve(tab)) } else { setActive(nil) }
    }

    package func activate(at index: Int?) {
        guard mayChange() else { return }
        setActive(index.map { tabs[$0] })
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
}
