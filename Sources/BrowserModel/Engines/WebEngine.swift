public import BrowserSessions

/// What a host writes for its web engine: how to make a view, and what can be asked of one.
///
/// Everything else is the package's: which state is saved and when, what a history is that the
/// engine could not take, what is new and what is not. The host forwards what a view says of
/// itself to the view's ``WebPage`` and decides nothing. An engine binding is checked by the
/// suite of the module `EngineConformance`.
///
/// All calls come in the isolation in which the model lives. The tab list must not be changed while
/// one of them runs.
public protocol WebEngine: AnyObject {
    /// What shows one page: the engine's own view, or a class around it.
    associatedtype View: AnyObject

    /// Names the form of the native state that ``capture(_:)`` gives, with a version if it has several:
    /// the engine is never given bytes that were saved under another name. Empty, as by default, if the
    /// engine itself can tell what it does not know.
    var nativeFormat: String { get }

    /// Whether pages live in processes of their own, so that one that crashes does not take this
    /// process along. By default not: then a tab that loads while the process ends is a suspect.
    var isolatesPages: Bool { get }

    /// How long after a sign of a change the engine's state may still be that of before: the state is
    /// taken again then. Zero, as by default, if it never lags.
    var settleDelay: Duration { get }

    /// Makes the view of a tab, which is in its list, and connects what it tells with the request's
    /// page. Nothing is loaded yet.
    func makeView(_ request: ViewRequest<View>) -> View

    /// Goes on from a saved state. When it is refused, nothing has changed: the page itself is loaded
    /// by its address then, and the others stay in the history all the same.
    func restore(_ state: TabState, in view: View) -> RestoreAnswer

    /// Begins to load an address as a new entry of the view's history. The page is told how that ends,
    /// by `finished`, `failed` or `becameDownload`, also by an engine that has every page at once.
    func load(_ address: String, in view: View)

    /// Loads the page that is shown again, and tells the end of it; after its process has ended, in a new one.
    func reload(_ view: View)

    /// Goes back (negative) or forward in the view's own history, where so many entries are.
    func go(by steps: Int, in view: View)

    /// The view's own history and state, at once, as good as they are known. An entry may leave
    /// out what the engine does not know of it: what was known before stays. Nothing that is still
    /// being loaded is in it.
    func capture(_ view: View) -> TabState

    /// The history of ``capture(_:)`` alone: it is looked at far more often than a state is saved. By
    /// default all is captured for it; an engine whose bytes take time to make has a shorter way.
    func history(of view: View) -> NavigationHistory

    /// Returns when ``capture(_:)`` gives all that the user has done until now. Nobody waits long: a
    /// page that hangs need not be noticed.
    func flush(_ view: View) async

    /// Forgets the pages before and after the one that is shown.
    ///
    /// - Returns: `false` if the engine cannot do it, as the default says; then nothing has changed.
    func forgetOtherPages(in view: View) -> Bool

    /// The tab was closed or unloaded: nobody uses the view any more.
    func discard(_ view: View)
}

extension WebEngine {
    public var nativeFormat: String { "" }
    public var isolatesPages: Bool { false }
    public var settleDelay: Duration { .zero }
    public func history(of view: View) -> NavigationHistory { capture(view).history }
    public func flush(_ view: View) async {}
    public func forgetOtherPages(in view: View) -> Bool { false }
    public func discard(_ view: View) {}

    /// The view of a tab; `nil` while it is unrealized, and if another engine made its page.
    public func view(of tab: Tab) -> View? { tab.page?.view as? View }
}

/// What became of a state that an engine was given.
public enum RestoreAnswer: Hashable, Sendable {
    /// The page is there as it was.
    case shown
    /// The page is being loaded, which the view tells as of any load. Until that has finished, what was
    /// saved is the tab's state.
    case loading
    /// The engine can't go on from it.
    case refused
}

/// What a view is made for.
public struct ViewRequest<View: AnyObject> {
    /// The tab, which is in its list.
    public let tab: Tab
    /// Is told what the view does.
    public let page: WebPage
    /// Whether the page belongs to an off-the-record profile: it must share no cookies, caches or
    /// storage with pages that do not.
    public let isOffTheRecord: Bool
    public let reason: ViewReason<View>
}

/// Why a view is made.
public enum ViewReason<View: AnyObject> {
    /// The tab is new, or goes on where it was.
    case tab
    /// A page opened it: the view must be made as its relative, so that they can talk. The engine loads
    /// it by itself.
    case popup(opener: View)
    /// The host has the view already; it is to be connected only.
    case adopted(View)
}
