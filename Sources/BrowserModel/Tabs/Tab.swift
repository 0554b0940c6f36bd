public import BrowserSessions

/// One open page with its history.
///
/// A tab is *unrealized* while only its ``metadata`` is in memory, and *realized* while it has its
/// ``page``. A new tab gets it when it is inserted into a list, a restored one when it is activated;
/// ``unload()`` takes it away again. Observers may be added at any time and stay; helpers are
/// attached to realized tabs alone.
public final class Tab {
    public let id: TabID
    /// All that is known of the tab without its page, and what is saved of it.
    ///
    /// Its place, pin, group and opener are kept by the ``TabList`` that holds it.
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
    /// The tab's own metadata; that of all tabs that were saved with it until it changes first: most
    /// tabs of a big profile never do, and are not worth a copy.
    private var known: [TabMetadata]
    private var place: Int32 = 0
    /// Where it was in its list when that was last looked up.
    var indexHint: Int32 = 0
    /// What the tab shows; `nil` while it is unrealized.
    public private(set) var page: WebPage?
    /// Whether a page is being loaded.
    public private(set) var isLoading = false
    /// While the tab gets its page nothing is told: whoever hears that it has one looks at all of it.
    private var isEntering = false
    /// Whether the tab was closed: it then has no page and never gets one again.
    public private(set) var isClosed = false
    /// Whether it is in the list of its ``home``, and not between lists.
    private var isInList = false
    private var shownEntry: Int32 = 0
    /// The list that it was last in, and whose lists it may come into; `nil` while it was in none.
    private(set) var home: TabHome?
    var origin: TabOrigin
    /// What few tabs have.
    private var extras: TabExtras?

    /// A new tab at an address, which gets its page when it is inserted into a list.
    ///
    /// - Parameters:
    ///   - id: unique in the profile.
    ///   - url: the page to show; empty for none.
    ///   - title: what to show until the page tells its own.
    ///   - engine: makes its page; without one the page is a ``PageHistory``.
    ///   - createdAt: when it was opened.
    public convenience init(
        id: TabID = .random(), url: String = "", title: String = "",
        engine: some WebEngine = PageHistoryEngine(), createdAt: Timestamp = .now()
    ) {
        self.init(
            id: id, url: url, title: title, maker: EnginePages(engine), .new, createdAt: createdAt)
    }

    /// A new tab for a view that the host has made already, such as one in which a page was loaded
    /// ahead. The engine's ``WebEngine/makeView(_:)`` is asked to connect it.
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
                id: id, place: .between(nil, nil), url: url, title: title, createdAt: createdAt,
                lastActiveAt: createdAt, navigationItemCount: url.isEmpty ? 0 : 1)
        ]
        let history =
            url.isEmpty
            ? NavigationHistory() : NavigationHistory(url: url, title: title, time: createdAt)
        origin = TabOrigin(
            state: HeldTabState(TabState(history: history)), maker: maker, reason: reason)
    }

    /// An unrealized tab.
    ///
    /// - Parameters:
    ///   - metadata: what is known of it.
    ///   - source: gives its state when it is realized. A session restorer makes tabs with a source
    ///     that reads from its store.
    ///   - engine: makes its page then.
    public convenience init(
        unrealized metadata: TabMetadata, state source: any TabStateSource,
        engine: some WebEngine = PageHistoryEngine()
    ) {
        self.init(
            unrealized: 0, of: [metadata],
            origin: TabOrigin(state: source, maker: EnginePages(engine)))
    }

    /// An unrealized tab of several that were saved together. They share what is known of them:
    /// each has a copy of its own from its first change on.
    package init(unrealized place: Int, of saved: [TabMetadata], origin: TabOrigin) {
        id = saved[place].id
        known = saved
        self.place = Int32(place)
        self.origin = origin
    }

    /// The address of the page; that of the page being opened if there is none yet.
    public var url: String { metadata.url }
    public var title: String { metadata.title }
    /// The address of the page's icon; empty if there is none.
    public var faviconURL: String { metadata.faviconURL }
    /// When the tab was opened.
    public var createdAt: Timestamp { metadata.createdAt }
    /// When the user last saw the tab.
    public var lastActiveAt: Timestamp { metadata.lastActiveAt }
    /// Whether the tab is pinned; `false` while it is in no list.
    public var isPinned: Bool { metadata.isPinned }
    /// The group that the tab is in; `nil` if it is in none.
    public var group: TabGroupID? { metadata.group }
    /// The tab from which it was opened; `nil` if there is none in its list.
    public var opener: TabOpener? { metadata.opener }
    /// The history entry that is shown, counted from 0; 0 until the tab was realized.
    public var navigationIndex: Int { Int(shownEntry) }
    /// Whether the tab has its page.
    public var isRealized: Bool { page != nil }
    /// Whether the page is there, comes, or does not come; `.none` for an unrealized tab.
    public var pageLoad: PageLoad { extras?.pageLoad ?? .none }
    /// The list that holds the tab; `nil` while it is between lists.
    public var list: TabList? { isInList ? home?.list : nil }
    /// Whether the tab belongs to an off-the-record list; `nil` until it was first inserted.
    public var isOffTheRecord: Bool? { home?.isOffTheRecord }

    public func addObserver(_ observer: any TabObserver) {
        ownExtras.observers.add(observer) { [weak observer] in observer }
    }
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

// MARK: - What lists keep in their tabs

extension Tab {
    func enter(_ home: TabHome) {
        self.home = home
        isInList = true
    }

    func leaveList() { isInList = false }

    /// The tabs of its list that it has opened, in any order. Kept by the list's ``TabOrder``.
    var children: [Tab] {
        get { extras?.children ?? [] }
        _modify { yield &ownExtras.children }
    }

    func forgetChildren() { extras?.children = [] }

    /// Lives as long as the tab, unless it is taken away: for whoever must know when a tab that is in no
    /// list is let go of.
    package var custody: AnyObject? {
        get { extras?.custody }
        set { if newValue != nil || extras != nil { ownExtras.custody = newValue } }
    }

    private var ownExtras: TabExtras {
        let made = extras ?? TabExtras()
        extras = made
        return made
    }
}

// MARK: - Its page

extension Tab {
    /// Makes the page, without telling.
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

    /// Whether the page is there, comes, or does not come. Tabs that load during a crash are suspects
    /// of it, unless pages have processes of their own.
    package func setLoad(_ load: PageLoad) {
        guard !isClosed, isRealized || isEntering, pageLoad != load else { return }
        ownExtras.pageLoad = load
        if case .loading = load { isLoading = true } else { isLoading = false }
        tell(.loadingChanged)
    }

    /// Forgets the page, without telling; whoever calls it ends it.
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
    /// Attaches a helper; one of each type.
    public func attach<Helper: TabHelper>(_ helper: Helper) throws(TabError) {
        guard !isClosed else { throw .closed }
        guard isRealized else { throw .unrealized }
        let type = ObjectIdentifier(Helper.self)
        guard extras?.helpers[type] == nil else { throw .duplicateHelper("\(Helper.self)") }
        ownExtras.helpers[type] = helper
    }

    /// Takes a helper off and tells it that this is its end; does nothing if there is none.
    public func detachHelper<Helper: TabHelper>(_ type: Helper.Type) {
        extras?.helpers.removeValue(forKey: ObjectIdentifier(type))?.tabEnded(self)
    }

    /// The tab's helper of a type; `nil` if it has none, which any caller must expect.
    public func helper<Helper: TabHelper>(_ type: Helper.Type) -> Helper? {
        extras?.helpers[ObjectIdentifier(type)] as? Helper
    }
}
