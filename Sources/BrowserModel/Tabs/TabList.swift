public import BrowserSessions

/// The ordered tabs of a window, with the active one, the pinned prefix, groups and openers.
///
/// These hold at all times: pinned tabs come first and are in no group; the tabs of a group are
/// neighbours; a group has at least one tab; an opener is another tab of the list; the active tab
/// is in the list.
///
/// The list is a collection of its tabs. Its methods take a ``TabReference``, a tab or its
/// identifier, and throw ``TabListError/unknownTab(_:)`` for one that is not in the list; an index
/// says only where a tab is to go, and one that is out of bounds means the nearest end.
public final class TabList {
    /// The tab in front; `nil` if none is, always so in an empty list.
    public internal(set) var activeTab: Tab?
    /// Whether the tabs belong to an off-the-record profile.
    public let isOffTheRecord: Bool
    /// Whether a tab is realized when it becomes active; not so for inactive tabs.
    public let realizesActiveTab: Bool
    /// Told before insertions and after removals; attaches helpers. May serve several lists.
    public weak var delegate: (any TabListDelegate)?
    /// Reports when many tabs are realized at once.
    public var realizationMonitor: RealizationMonitor?

    var order: TabOrder
    var groupTable: [TabGroupID: TabGroup] = [:]
    var isTelling = false
    /// Whether the window of the list was closed.
    var isAbandoned = false
    var batchDepth = 0
    let registry: TabRegistry
    /// Whether the tabs of the list are those of a profile, and go to no other.
    let isOfProfile: Bool
    let now: @Sendable () -> Timestamp
    let home: TabHome
    private var observers = Observers<any TabListObserver>()

    /// - Parameters:
    ///   - isOffTheRecord: whether its tabs belong to an off-the-record profile.
    ///   - realizesActiveTab: whether a tab is realized when it becomes active.
    ///   - registry: knows the tabs of all lists of a profile, so that no identifier is there
    ///     twice; a tab that was in one of them never goes to those of another profile. A list
    ///     without one is on its own.
    ///   - now: the wall clock, for the times at which tabs are shown.
    public init(
        isOffTheRecord: Bool = false, realizesActiveTab: Bool = true,
        registry: TabRegistry? = nil,
        now: @escaping @Sendable () -> Timestamp = { .now() }
    ) {
        self.isOffTheRecord = isOffTheRecord
        self.realizesActiveTab = realizesActiveTab
        isOfProfile = registry != nil
        let registry = registry ?? TabRegistry()
        self.registry = registry
        order = TabOrder(registry: registry, isOffTheRecord: isOffTheRecord)
        self.now = now
        home = TabHome(isOfProfile ? registry : nil, isOffTheRecord: isOffTheRecord)
        home.list = self
    }

    deinit {
        for tab in tabs {
            registry.remove(tab.id, offTheRecord: isOffTheRecord)
            tab.forgetChildren()
        }
    }

    /// The tabs in order.
    package var tabs: [Tab] { order.tabs }
    /// How many tabs are pinned: they are the first ones.
    public var pinnedCount: Int { order.pinnedCount }

    /// The index of a tab; `nil` if it is not in the list.
    public func index(of tab: some TabReference) -> Int? {
        find(tab).flatMap { order.index(of: $0) }
    }
    /// The index of the active tab; `nil` if none is active.
    public var activeIndex: Int? { activeTab.flatMap { order.index(of: $0) } }
    /// The tab with an identifier; `nil` if it is not in the list.
    public func tab(_ id: TabID) -> Tab? {
        let tab = registry.tab(id, offTheRecord: isOffTheRecord)
        return tab?.list === self ? tab : nil
    }
    /// Whether a tab is in the list.
    public func contains(_ tab: some TabReference) -> Bool { find(tab) != nil }

    public func addObserver(_ observer: any TabListObserver) {
        observers.add(observer) { [weak observer] in observer }
    }
    public func removeObserver(_ observer: any TabListObserver) { observers.remove(observer) }

    // MARK: Telling

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

    /// Whether the list may be changed now. Changing it from an observer is a programming error.
    func mayChange() -> Bool {
        if isTelling { ModelRule.notReentrant.wasBroken() }
        return !isTelling
    }

    // MARK: Batches

    /// Does several changes in one go: observers hear that a batch begins and ends, and every
    /// change between. Batches may be nested; only the outermost is told.
    ///
    /// What was changed before `changes` throws stays changed.
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

    /// Brings a tab to the front. It is realized (soon, if its state must be read), and its
    /// `lastActiveAt` is now.
    public func activate(_ tab: some TabReference) throws(TabListError) {
        guard mayChange() else { throw .reentrant }
        setActive(try resolve(tab))
    }

    /// Brings a tab to the front, or none with `nil`.
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
