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
        _read { yield known[Int(row)] }
        _modify {
            if known.count > 1 {
                known = [known[Int(row)]]
                row = 0
            }
            yield &known[Int(row)]
        }
    }
    /// The tab's own metadata. Until its first change, the tab shares the metadata of all tabs that
    /// were saved with it: most tabs of a large profile never change, so copies would be wasted.
    private var known: [TabMetadata]
    private var row: Int32 = 0
    /// The tab's index in its list at the last lookup.
    var indexHint: Int32 = 0
    /// What the tab is below in the forest of its list. ``TabForest`` maintains it.
    unowned var above: (any ListItem)?
    /// The page that the tab shows; `nil` while the tab is unrealized.
    public private(set) var page: WebPage?
    /// Whether a page is loading.
    public var isLoading: Bool { if case .loading = pageLoad { true } else { false } }
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
    ///   - container: the identity of the user that the page has, a node of the library; `nil` for none.
    ///     A web engine reads it as ``container`` when it makes the page.
    ///   - createdAt: the time at which the tab was opened.
    public convenience init(
        id: TabID = .random(), url: String = "", title: String = "", container: NodeID? = nil,
        createdAt: Timestamp = .now()
    ) {
        self.init(id: id, url: url, title: title, .new, createdAt: createdAt)
        if container != nil { metadata.container = container }
    }

    /// Creates a new tab for an existing view of the web engine of the list that it will enter, such as a view
    /// in which a page was preloaded. ``WebEngine/makeView(_:)`` is called then to connect the view.
    public convenience init(
        id: TabID = .random(), adopting view: AnyObject, createdAt: Timestamp = .now()
    ) {
        self.init(id: id, url: "", title: "", .adopted(view), createdAt: createdAt)
    }

    convenience init(
        id: TabID = .random(), url: String, title: String, _ reason: PageReason,
        createdAt: Timestamp
    ) {
        let history =
            url.isEmpty
            ? NavigationHistory() : NavigationHistory(url: url, title: title, time: createdAt)
        self.init(
            unrealized: TabMetadata(
                id: id, place: .between(nil, and: nil), url: url, title: title,
                createdAt: createdAt,
                lastActiveAt: createdAt, navigationItemCount: url.isEmpty ? 0 : 1),
            origin: TabOrigin(state: HeldTabState(TabState(history: history)), reason: reason))
    }

    /// Creates an unrealized tab, which goes on from a state when it is realized.
    public convenience init(unrealized metadata: TabMetadata, state: TabState) {
        self.init(unrealized: metadata, origin: TabOrigin(state: HeldTabState(state)))
    }

    package convenience init(unrealized metadata: TabMetadata, origin: TabOrigin) {
        self.init(unrealized: 0, of: [metadata], origin: origin)
    }

    /// Creates one of several unrealized tabs that were saved together. They share their metadata;
    /// each makes its own copy at its first change.
    package init(unrealized row: Int, of saved: [TabMetadata], origin: TabOrigin) {
        id = saved[row].id
        known = saved
        self.row = Int32(row)
        self.origin = origin
    }

    /// The address of the page, or of the page that is being opened if there is none yet.
    public var url: String { metadata.url }
    /// The title of the page; empty if there is none.
    public var title: String { metadata.title }
    /// The address of the page's icon; empty if there is none.
    public var faviconURL: String { metadata.faviconURL }
    /// The name that the user gave the tab, shown instead of its title; empty if there is none.
    package var name: String { metadata.name }
    /// Whether lists of tabs do not show the tab.
    package var isHidden: Bool { metadata.isHidden }
    /// Whether lists of tabs do not show what branches from the tab.
    package var isFolded: Bool { metadata.isFolded }
    /// The page that a pinned tab returns to; `nil` if there is none.
    package var pinnedPage: PinnedPage? { metadata.pinnedPage }
    /// The identity of the user that the page has, a node of the library; `nil` for none. It stays the same
    /// as long as the tab exists, also if no such node is there any more: another identity would be logged
    /// in elsewhere.
    public var container: NodeID? { metadata.container }
    /// The time at which the tab was opened.
    package var createdAt: Timestamp { metadata.createdAt }
    /// The time at which the user last saw the tab.
    package var lastActiveAt: Timestamp { metadata.lastActiveAt }
    /// Whether the tab is pinned, by itself or with what it is in; `false` while it is not in a list.
    public var isPinned: Bool {
        isInList ? wholeZone != .normal : metadata.isPinned
    }
    /// The tab's group, the innermost one that the rules of its list show; `nil` if it is not in one.
    public var group: NodeID? {
        metadata.parent == nil ? nil : owner?.order.surroundings(of: self).group?.record.id
    }
    /// The tab that opened this one; `nil` if there is none in its list.
    public var opener: TabOpener? { metadata.opener }
    /// The index of the current history entry, counted from 0; 0 until the tab is first realized.
    package var navigationIndex: Int { Int(shownEntry) }
    /// Whether the tab has its page.
    public var isRealized: Bool { page != nil }
    /// Whether the page has loaded, is loading, or failed to load; `.none` for an unrealized tab.
    public var pageLoad: PageLoad { extras?.pageLoad ?? .none }
    /// The list that holds the tab; `nil` while the tab is between lists.
    var owner: (any TabOwner)? { isInList ? membership?.owner : nil }
    /// Whether the tab belongs to an incognito list; `nil` until it is first inserted.
    public var isIncognito: Bool? { membership?.isIncognito }

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
        owner?.tell(.tab(self, event))
        guard let extras else { return }
        for observer in extras.observers.current { observer.tab(self, did: event) }
    }
}

// MARK: - The page

extension Tab {
    /// Makes the page without notifying observers.
    func makePage(with state: TabState, in membership: TabMembership) {
        let outer = isEntering
        isEntering = true
        let page = membership.engine.makePage(
            for: self, isIncognito: membership.isIncognito, state, origin.reason)
        self.page = page
        page.begin()
        isEntering = outer
        origin = TabOrigin(state: nil)
        shownEntry = Int32(clamping: page.history.currentIndex ?? 0)
    }

    func setShownEntry(_ index: Int) { shownEntry = Int32(clamping: index) }

    /// Sets whether the page has loaded, is loading, or failed to load. Tabs that are loading
    /// during a crash are suspects, unless pages run in their own processes.
    package func setLoad(_ load: PageLoad) {
        guard !isClosed, isRealized || isEntering, pageLoad != load else { return }
        ownExtras.pageLoad = load
        tell(.loadingChanged)
    }

    /// Discards the page without notifying observers. The caller must end the page.
    func clearPage() {
        page = nil
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
        origin = TabOrigin(state: nil)
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

// MARK: - Observers, helpers and errors

/// An event of a tab.
public enum TabEvent: Hashable, Sendable {
    /// The tab got its page and is now realized.
    case realized
    /// The tab was brought to the front.
    case shown
    /// The tab navigated, or its history changed in another way.
    case navigated
    /// The state of the page changed, such as its scroll position or form content.
    case stateChanged
    /// The title, the icon or a property changed, but not the history.
    case detailsChanged
    /// A page began to load, arrived, or will not arrive; see ``Tab/pageLoad``.
    case loadingChanged
    /// The page was removed to save memory; the tab is now unrealized.
    case unloaded
    /// The state could not be read. The tab stays unrealized, and you can try again.
    case realizationFailed
    /// The tab was closed. No further events follow.
    case closed
}

/// Receives the events of tabs. An observer stays registered when a tab becomes realized.
///
/// Do not change the tab list when a tab is shown, realized or closed: this can happen in the
/// middle of a change to the list.
public protocol TabObserver: AnyObject {
    /// Tells the observer of an event of a tab, after it happened.
    func tab(_ tab: Tab, did event: TabEvent)
}

/// An object that works on a realized tab, such as find in page or a password manager.
///
/// The ``TabListDelegate`` attaches helpers when the tab has its page. A helper may be absent, and
/// callers must handle this.
public protocol TabHelper: AnyObject {
    /// Ends the helper, because the tab was closed or unloaded, or the helper was detached.
    func tabEnded(_ tab: Tab)
}

/// The reason an operation on a tab failed.
public enum TabError: Error, Hashable, Sendable {
    /// The tab is unrealized and cannot have helpers. Attach them in the list's delegate.
    case unrealized
    /// The tab already has a helper of this type.
    case duplicateHelper(String)
    /// The tab was closed.
    case closed
    /// The tab was never in a list, so its partition is unknown. Insert it first.
    case notInserted
    /// The tab is in front, and the user is viewing its page. Activate another tab first.
    case active
}

extension TabError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unrealized:
            "The tab is not realized: attach helpers in TabListDelegate."
        case .duplicateHelper(let type):
            "The tab has a helper of the type \(type) already: attach one of each type."
        case .notInserted:
            "The tab was never in a list: insert it, so that it is known to be private or not."
        case .active:
            "The tab is in front of its list: activate another one before."
        case .closed:
            "The tab was closed: restore it from the recently closed tabs, or make a new one."
        }
    }
}

// MARK: - Parts

// A profile has thousands of tabs that the user is not viewing. What they share is stored once, and
// what few of them need is stored separately.

/// A list as its tabs see it.
protocol TabOwner: AnyObject {
    var order: TabForest { get }
    var activeTab: Tab? { get }
    var realizesActiveTab: Bool { get }
    var now: @Sendable () -> Timestamp { get }
    func tell(_ change: TabListChange)
    func tabWasRealized(_ tab: Tab)
}

/// The list and the owner of tabs, stored once for all tabs of a list.
final class TabMembership {
    weak var owner: (any TabOwner)?
    /// What the lists of the profile share with the list that the tab first entered; `nil` before that.
    let profile: AnyObject?
    let isIncognito: Bool
    let engine: any WebEngine

    init(_ profile: AnyObject?, isIncognito: Bool, engine: any WebEngine) {
        (self.profile, self.isIncognito, self.engine) = (profile, isIncognito, engine)
    }
}

/// What the page of a tab is made of.
package final class TabOrigin {
    /// Provides the state of an unrealized tab.
    let state: (any TabStateSource)?
    let reason: PageReason
    /// Whether the tab gets its page on entering a list. Stored for checking thousands of tabs.
    let isNew: Bool

    package init(state: (any TabStateSource)?, reason: PageReason = .restored) {
        (self.state, self.reason, isNew) = (state, reason, !reason.isRestoring)
    }
}

/// The source of an unrealized tab's state.
package protocol TabStateSource: AnyObject {
    /// Returns the state if it is in memory; `nil` if it must be read.
    func stateInMemory(of tab: Tab) -> TabState?

    /// Reads the state. If no state was ever saved, or it is damaged, returns one history entry
    /// with the tab's address and title.
    ///
    /// - Throws: an error only if reading may succeed later.
    func loadState(of tab: Tab) async throws -> TabState

    /// Requests that the tab be realized soon, for callers that cannot wait.
    func realizeSoon(_ tab: Tab)
}

/// A state that stays in memory until the tab is realized.
package final class HeldTabState: TabStateSource {
    private let state: TabState

    package init(_ state: TabState) { self.state = state }

    package func stateInMemory(of tab: Tab) -> TabState? { state }
    package func loadState(of tab: Tab) async throws -> TabState { state }
    package func realizeSoon(_ tab: Tab) {}
}

/// State that few tabs need.
final class TabExtras {
    var children: [Tab] = []
    var branches = SiblingItems()
    var tabsBelow = 0
    var lifetimeToken: AnyObject?
    var helpers: [ObjectIdentifier: any TabHelper] = [:]
    var pageLoad = PageLoad.none
    var observers = Observers<any TabObserver>()
}
