public import BrowserSessions

/// One open page with its history.
///
/// A tab is *unrealized* while only its ``metadata`` is in memory, and *realized* once it has its
/// ``content``. It becomes realized once and never goes back. Observers may be added at any time
/// and stay; helpers are attached to realized tabs alone.
public final class Tab {
    public let id: TabID
    /// All that is known of the tab without its content, and what is saved of it.
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
    public private(set) var content: (any TabContent)?
    /// Whether a page is being loaded.
    public private(set) var isLoading = false
    /// Whether the tab was closed: it then has no content and never gets one again.
    public private(set) var isClosed = false
    /// Whether it is in the list of its ``home``, and not between lists.
    private var isInList = false
    private var shownEntry: Int32 = 0
    /// The list that it was last in, and whose lists it may come into; `nil` while it was in none.
    private(set) var home: TabHome?
    private var origin: TabOrigin
    /// What few tabs have.
    private var extras: TabExtras?

    /// A new, realized tab at an address.
    ///
    /// - Parameters:
    ///   - id: unique in the profile.
    ///   - url: the page to show; empty for none.
    ///   - title: what to show until the page tells its own.
    ///   - engine: makes its content; without one the tab has a ``PageHistory``.
    ///   - createdAt: when it was opened.
    public init(
        id: TabID = .random(), url: String = "", title: String = "",
        engine: any TabEngine = PageHistoryEngine(), createdAt: Timestamp = .now()
    ) {
        self.id = id
        known = [
            TabMetadata(
                id: id, place: .between(nil, nil), url: url, title: title, createdAt: createdAt,
                lastActiveAt: createdAt, navigationItemCount: url.isEmpty ? 0 : 1)
        ]
        origin = TabOrigin(state: nil, engine: engine)
        let history =
            url.isEmpty
            ? NavigationHistory() : NavigationHistory(url: url, title: title, time: createdAt)
        content = origin.engine.makeContent(for: self, restoring: TabState(history: history))
    }

    /// An unrealized tab.
    ///
    /// - Parameters:
    ///   - metadata: what is known of it.
    ///   - source: gives its state when it is realized. A session restorer makes tabs with a source
    ///     that reads from its store.
    ///   - engine: makes its content then.
    public init(
        unrealized metadata: TabMetadata, state source: any TabStateSource, engine: any TabEngine
    ) {
        id = metadata.id
        known = [metadata]
        origin = TabOrigin(state: source, engine: engine)
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
    /// The history entry that is shown, counted from 0; 0 for an unrealized tab.
    public var navigationIndex: Int { Int(shownEntry) }
    /// Whether the tab has its content.
    public var isRealized: Bool { content != nil }
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

// MARK: - Realization

extension Tab {
    /// Gives the tab its content, and returns when it has it; at once if it has it already.
    ///
    /// Avoid this for tabs that the user does not look at. Throws ``TabError/closed``, also when
    /// the tab was closed while its state was read, or what the state's source throws; the tab then
    /// stays unrealized and can be tried again.
    public func forceRealization() async throws {
        guard !isClosed else { throw TabError.closed }
        guard let source = origin.state, !isRealized else { return }
        if let state = source.stateInMemory(of: self) { return realize(with: state) }
        do {
            let state = try await source.loadState(of: self)
            guard !isClosed else { throw TabError.closed }
            // It may have been given another state meanwhile.
            if !isRealized { realize(with: heldState ?? state) }
        } catch {
            if isRealized { return }
            guard !isClosed else { throw TabError.closed }
            realizationDidFail()
            throw error
        }
    }

    /// Gives the tab its content with a state that was read, unless it has its content already, was
    /// closed, or was given another state meanwhile.
    package func realize(restoring state: TabState) {
        guard !isRealized, !isClosed, heldState == nil else { return }
        realize(with: state)
    }

    /// The state that it was to be realized with could not be read; it can be tried again.
    package func realizationDidFail() { if !isRealized, !isClosed { tell(.realizationFailed) } }

    /// Realizes the tab at once if its state is at hand, and soon if it must be read.
    func realizeForActivation() {
        guard let source = origin.state, !isRealized, !isClosed else { return }
        if let state = source.stateInMemory(of: self) {
            realize(with: state)
        } else {
            source.realizeSoon(self)
        }
    }

    private func realize(with state: TabState) {
        content = origin.engine.makeContent(for: self, restoring: state)
        origin = TabOrigin(state: nil, engine: origin.engine)
        shownEntry = Int32(clamping: state.history.currentIndex ?? 0)
        list?.tabWasRealized(self)
        tell(.realized)
    }

    /// Gives an unrealized tab another state than that which its source has. Does nothing once it is
    /// realized, or was closed.
    package func replaceState(with state: TabState) {
        guard !isRealized, !isClosed else { return }
        origin = TabOrigin(state: HeldTabState(state), engine: origin.engine)
        metadata.navigationItemCount = Int32(clamping: state.history.entries.count)
        tell(.stateChanged)
    }

    /// The state of an unrealized tab, if it is held in memory. A realized tab has its content.
    public var heldState: TabState? { origin.state?.stateInMemory(of: self) }

    /// Closes a tab that was detached from its list and goes nowhere. Closing twice is fine.
    ///
    /// Tabs in a list are closed by the list.
    public func close() {
        guard list == nil else { return ModelRule.listsCloseTheirTabs.wasBroken() }
        end()
    }

    func end() {
        guard !isClosed else { return }
        isClosed = true
        tell(.closed)
        if let extras {
            for helper in extras.helpers.values { helper.tabEnded(self) }
            extras.helpers = [:]
        }
        content = nil
        origin = TabOrigin(state: nil, engine: origin.engine)
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

// MARK: - What the content reports

extension Tab {
    /// The content shows another page, or its history changed.
    ///
    /// - Parameters:
    ///   - url: the address of the page that is shown.
    ///   - title: its title.
    ///   - itemCount: how many entries the history has.
    ///   - index: which of them is shown.
    public func didNavigate(url: String, title: String, itemCount: Int, index: Int) {
        guard mayChange() else { return }
        metadata.url = url
        metadata.title = title
        metadata.navigationItemCount = Int32(clamping: itemCount)
        shownEntry = Int32(clamping: index)
        tell(.navigated)
    }

    /// The state of the page changed: the user scrolled, zoomed or filled in a form.
    public func stateDidChange() { if mayChange() { tell(.stateChanged) } }

    /// Loading began or ended. Tabs that load during a crash are suspects of it.
    public func setLoading(_ isLoading: Bool) {
        guard mayChange(), self.isLoading != isLoading else { return }
        self.isLoading = isLoading
        tell(.loadingChanged)
    }

    public func setTitle(_ title: String) {
        guard mayChange(), metadata.title != title else { return }
        metadata.title = title
        tell(.detailsChanged)
    }

    public func setFavicon(url: String) {
        guard mayChange(), metadata.faviconURL != url else { return }
        metadata.faviconURL = url
        tell(.detailsChanged)
    }

    /// Sets or, with `nil`, removes a small attribute of the host.
    public func setProperty(_ name: String, to value: String?) {
        guard mayChange(), metadata.properties[name] != value else { return }
        metadata.properties[name] = value
        tell(.detailsChanged)
    }

    /// The user sees the tab.
    public func wasShown(at time: Timestamp) {
        guard mayChange() else { return }
        metadata.lastActiveAt = time
        tell(.shown)
    }

    /// A closed tab does not change any more; its engine may not have heard of it yet, so that is not
    /// an error.
    private func mayChange() -> Bool { !isClosed }
}
