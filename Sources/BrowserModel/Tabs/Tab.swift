public import BrowserSessions

/// An open page with its history.
///
/// A tab is *unrealized* while only its ``metadata`` is in memory, and *realized* while it has its
/// ``page``. A new tab gets its page when it is inserted into a list, and a restored tab when it is
/// activated; ``unload()`` takes the page away again. You can add observers at any time, and they
/// stay registered. Helpers can be attached only to realized tabs.
public final class Tab {
    /// The identifier, which is unique in the profile and remains when the tab is restored.
    public let id: TabID
    /// Everything that is known about the tab without its page. This is what is saved.
    ///
    /// The ``TabList`` that holds the tab maintains its order key, pin, group and opener.
    public internal(set) var metadata: TabMetadata {
        _read { yield known[Int(place)] }
        _modify {
            if known.count > 1 {
                known = [known[Int(place)]]
                place = 0
            }
            yield &known[Int(place)]
        }
    }
    /// The tab's own metadata. Until its first change, the tab shares the metadata of all tabs that
    /// were saved with it: most tabs of a large profile never change, so copies would be wasted.
    private var known: [TabMetadata]
    private var place: Int32 = 0
    /// The tab's index in its list at the last lookup.
    var indexHint: Int32 = 0
    /// What the tab is below in the forest of its list. ``TabForest`` maintains it.
    var above = ItemAbove()
    /// The page that the tab shows; `nil` while the tab is unrealized.
    public private(set) var page: WebPage?
    /// Whether a page is loading.
    public private(set) var isLoading = false
    /// Suppresses events while the tab gets its page, so that observers see it complete.
    private var isEntering = false
    /// Whether the tab was closed. A closed tab has no page and never gets one again.
    public private(set) var isClosed = false
    /// Whether the tab is in the list of its ``membership``, rather than between lists.
    var isInList = false
    private var shownEntry: Int32 = 0
    /// The last list, which determines the lists that the tab can enter; `nil` before the first.
    var membership: TabMembership?
    var origin: TabOrigin
    /// State that few tabs need.
    var extras: TabExtras?

    /// Creates a new tab at an address. The tab gets its page when it is inserted into a list.
    ///
    /// - Parameters:
    ///   - id: an identifier that is unique in the profile.
    ///   - url: the page to show; empty for none.
    ///   - title: the title to show until the page provides one.
    ///   - engine: the engine that makes the page; by default the page is a ``PageHistory``.
    ///   - container: the identity of the user that the page has, a node of the library; `nil` for none.
    ///     An engine reads it as ``container`` when it makes the page.
    ///   - createdAt: the time at which the tab was opened.
    public convenience init(
        id: TabID = .random(), url: String = "", title: String = "",
        engine: some WebEngine = PageHistoryEngine(), container: NodeID? = nil,
        createdAt: Timestamp = .now()
    ) {
        self.init(
            id: id, url: url, title: title, maker: EnginePages(engine), .new, createdAt: createdAt)
        if container != nil { metadata.container = container }
    }

    /// Creates a new tab for an existing view, such as one in which a page was preloaded.
    /// ``WebEngine/makeView(_:)`` of the engine is called to connect the view.
    public convenience init<Engine: WebEngine>(
        id: TabID = .random(), adopting view: Engine.View, engine: Engine,
        createdAt: Timestamp = .now()
    ) {
        self.init(
            id: id, url: "", title: "", maker: EnginePages(engine), .adopted(view),
            createdAt: createdAt)
    }

    init(
        id: TabID = .random(), url: String, title: String, maker: any PageMaker,
        _ reason: PageReason, createdAt: Timestamp
    ) {
        self.id = id
        known = [
            TabMetadata(
                id: id, place: .between(nil, and: nil), url: url, title: title,
                createdAt: createdAt,
                lastActiveAt: createdAt, navigationItemCount: url.isEmpty ? 0 : 1)
        ]
        let history =
            url.isEmpty
            ? NavigationHistory() : NavigationHistory(url: url, title: title, time: createdAt)
        origin = TabOrigin(
            state: HeldTabState(TabState(history: history)), maker: maker, reason: reason)
    }

    /// Creates an unrealized tab.
    ///
    /// - Parameters:
    ///   - metadata: what is known about the tab.
    ///   - source: provides the tab's state when it is realized. A session restorer makes tabs with
    ///     a source that reads from its store.
    ///   - engine: the engine that makes the page at that time.
    public convenience init(
        unrealized metadata: TabMetadata, state source: any TabStateSource,
        engine: some WebEngine = PageHistoryEngine()
    ) {
        self.init(
            unrealized: 0, of: [metadata],
            origin: TabOrigin(state: source, maker: EnginePages(engine)))
    }

    /// Creates one of several unrealized tabs that were saved together. They share their metadata;
    /// each makes its own copy at its first change.
    package init(unrealized place: Int, of saved: [TabMetadata], origin: TabOrigin) {
        id = saved[place].id
        known = saved
        self.place = Int32(place)
        self.origin = origin
    }

    /// The address of the page, or of the page that is being opened if there is none yet.
    public var url: String { metadata.url }
    /// The title of the page; empty if there is none.
    public var title: String { metadata.title }
    /// The address of the page's icon; empty if there is none.
    public var faviconURL: String { metadata.faviconURL }
    /// The name that the user gave the tab, shown instead of its title; empty if there is none.
    public var name: String { metadata.name }
    /// Whether lists of tabs do not show the tab.
    public var isHidden: Bool { metadata.isHidden }
    /// Whether lists of tabs do not show what branches from the tab.
    public var isFolded: Bool { metadata.isFolded }
    /// The page that a pinned tab returns to; `nil` if there is none.
    public var pinnedPage: PinnedPage? { metadata.pinnedPage }
    /// The identity of the user that the page has, a node of the library; `nil` for none. It stays the same
    /// as long as the tab exists, also if no such node is there any more: another identity would be logged
    /// in elsewhere.
    public var container: NodeID? { metadata.container }
    /// The time at which the tab was opened.
    public var createdAt: Timestamp { metadata.createdAt }
    /// The time at which the user last saw the tab.
    public var lastActiveAt: Timestamp { metadata.lastActiveAt }
    /// Whether the tab is pinned, by itself or with what it is in; `false` while it is not in a list.
    public var isPinned: Bool {
        guard metadata.parent != nil, let list else { return metadata.isPinned }
        return list.order.zone(of: .tab(self)) != .normal
    }
    /// The tab's group, the innermost one that the rules of its list show; `nil` if it is not in one.
    public var group: TabGroupID? {
        metadata.parent == nil ? nil : list?.surroundings(of: .tab(self)).group?.record.id
    }
    /// The tab that opened this one; `nil` if there is none in its list.
    public var opener: TabOpener? { metadata.opener }
    /// The index of the current history entry, counted from 0; 0 until the tab is first realized.
    public var navigationIndex: Int { Int(shownEntry) }
    /// Whether the tab has its page.
    public var isRealized: Bool { page != nil }
    /// Whether the page has loaded, is loading, or failed to load; `.none` for an unrealized tab.
    public var pageLoad: PageLoad { extras?.pageLoad ?? .none }
    /// The list that holds the tab; `nil` while the tab is between lists.
    public var list: TabList? { isInList ? membership?.list : nil }
    /// Whether the tab belongs to an off-the-record list; `nil` until it is first inserted.
    public var isOffTheRecord: Bool? { membership?.isOffTheRecord }

    /// Adds an observer, which is held weakly. Adding it again has no effect.
    public func addObserver(_ observer: any TabObserver) {
        ownExtras.observers.add(observer) { [weak observer] in observer }
    }

    /// Removes an observer. Does nothing if it was not added.
    public func removeObserver(_ observer: any TabObserver) {
        extras?.observers.remove(observer)
    }

    func tell(_ event: TabEvent) {
        guard !isEntering else { return }
        list?.hear(event, from: self)
        guard let extras else { return }
        for observer in extras.observers.current { observer.tab(self, did: event) }
    }
}

// MARK: - The page

extension Tab {
    /// Makes the page without notifying observers.
    func makePage(with state: TabState, isOffTheRecord: Bool) {
        let outer = isEntering
        isEntering = true
        let page = origin.maker.makePage(
            for: self, isOffTheRecord: isOffTheRecord, state, origin.reason)
        self.page = page
        page.begin()
        isEntering = outer
        origin = TabOrigin(state: nil, maker: origin.maker)
        shownEntry = Int32(clamping: page.history.currentIndex ?? 0)
    }

    func setShownEntry(_ index: Int) { shownEntry = Int32(clamping: index) }

    /// Sets whether the page has loaded, is loading, or failed to load. Tabs that are loading
    /// during a crash are suspects, unless pages run in their own processes.
    package func setLoad(_ load: PageLoad) {
        guard !isClosed, isRealized || isEntering, pageLoad != load else { return }
        ownExtras.pageLoad = load
        if case .loading = load { isLoading = true } else { isLoading = false }
        tell(.loadingChanged)
    }

    /// Discards the page without notifying observers. The caller must end the page.
    func clearPage() {
        page = nil
        isLoading = false
        extras?.pageLoad = .none
    }

    func end() {
        guard !isClosed else { return }
        isClosed = true
        tell(.closed)
        endHelpers()
        let page = page
        clearPage()
        page?.end()
        origin = TabOrigin(state: nil, maker: origin.maker)
    }

    func endHelpers() {
        guard let extras else { return }
        let helpers = extras.helpers.values
        extras.helpers = [:]
        for helper in helpers { helper.tabEnded(self) }
    }
}

// MARK: - Helpers

extension Tab {
    /// Attaches a helper. A tab has at most one helper of each type.
    ///
    /// - Throws: ``TabError/closed``; ``TabError/unrealized`` if the tab has no page;
    ///   ``TabError/duplicateHelper(_:)`` if it has a helper of the type.
    public func attach<Helper: TabHelper>(_ helper: Helper) throws(TabError) {
        guard !isClosed else { throw .closed }
        guard isRealized else { throw .unrealized }
        let type = ObjectIdentifier(Helper.self)
        guard extras?.helpers[type] == nil else { throw .duplicateHelper("\(Helper.self)") }
        ownExtras.helpers[type] = helper
    }

    /// Detaches a helper and notifies it of its end. Does nothing if there is no such helper.
    public func detachHelper<Helper: TabHelper>(_ type: Helper.Type) {
        extras?.helpers.removeValue(forKey: ObjectIdentifier(type))?.tabEnded(self)
    }

    /// Returns the tab's helper of a type; `nil` if there is none, which every caller must expect.
    public func helper<Helper: TabHelper>(_ type: Helper.Type) -> Helper? {
        extras?.helpers[ObjectIdentifier(type)] as? Helper
    }
}
