public import BrowserSessions

/// The host's binding to its web engine: it makes views and operates them.
///
/// The package does everything else. It decides which state is saved and when, completes a history
/// that the engine cannot take, and detects what changed. The host forwards the events of a view to
/// the view's ``WebPage`` and makes no decisions. The suite in the module `EngineConformance`
/// checks an engine binding.
///
/// All calls run in the isolation of the model. The tab list must not be changed during a call.
public protocol WebEngine: AnyObject {
    /// The type that shows one page: the engine's own view, or a class around it.
    associatedtype View: AnyObject

    /// The name of the format of the native state that ``capture(_:)`` returns, with a version if
    /// there are several. The engine never receives bytes that were saved under another name. The
    /// default is empty, for an engine that recognizes its own bytes.
    var nativeFormat: String { get }

    /// Whether pages run in their own processes, so that a crash does not end this process. The
    /// default is `false`: a tab that is loading when the process ends is then a suspect.
    var isolatesPages: Bool { get }

    /// How long the engine's state may lag after a sign of a change. After this delay the state is
    /// captured again. The default is zero, for an engine that never lags.
    var stateDelay: Duration { get }

    /// Makes the view of a tab, which is already in its list, and connects the view's events to the
    /// request's page. Nothing is loaded yet.
    func makeView(_ request: ViewRequest<View>) -> View

    /// Continues from a saved state. A refusal must not change anything: the page is then loaded by
    /// its address, and the others stay in the history.
    func restore(_ state: TabState, in view: View) -> RestoreAnswer

    /// Begins to load an address as a new entry of the view's history. Every load must end with a
    /// call of `finished`, `failed` or `becameDownload` on the page, even if pages load instantly.
    func load(_ address: String, in view: View)

    /// Reloads the current page and reports the end; in a new process if the page's own has ended.
    func reload(_ view: View)

    /// Goes back (negative) or forward in the view's own history, which has enough entries.
    func go(by steps: Int, in view: View)

    /// Returns the view's own history and state immediately, as far as they are known. An entry can
    /// omit what the engine does not know about it: earlier values are kept. Nothing that is still
    /// loading is included.
    func capture(_ view: View) -> TabState

    /// Returns only the history of ``capture(_:)``, which is needed far more often than the state.
    /// The default captures everything; implement this if the engine's bytes take time to make.
    func history(of view: View) -> NavigationHistory

    /// Returns when ``capture(_:)`` reflects everything the user has done until now. The caller
    /// limits its wait, so there is no need to detect a page that hangs.
    func flush(_ view: View) async

    /// Removes the pages before and after the current one.
    ///
    /// - Returns: `false`, the default, if the engine cannot do this; then nothing has changed.
    func forgetOtherPages(in view: View) -> Bool

    /// Discards a view that is no longer used, because its tab was closed or unloaded.
    func discard(_ view: View)
}

extension WebEngine {
    public var nativeFormat: String { "" }
    public var isolatesPages: Bool { false }
    public var stateDelay: Duration { .zero }
    public func history(of view: View) -> NavigationHistory { capture(view).history }
    public func flush(_ view: View) async {}
    public func forgetOtherPages(in view: View) -> Bool { false }
    public func discard(_ view: View) {}

    /// Returns the view of a tab; `nil` if the tab is unrealized or another engine made its page.
    public func view(of tab: Tab) -> View? { tab.page?.view as? View }
}

/// The result of giving an engine a saved state.
public enum RestoreAnswer: Hashable, Sendable {
    /// The page is shown as it was.
    case shown
    /// The page is loading, and the view reports this like any load. Until it has finished, the
    /// saved state remains the tab's state.
    case loading
    /// The engine cannot continue from the state.
    case refused
}

/// The tab and page for which a view is made.
public struct ViewRequest<View: AnyObject> {
    /// The tab, which is in its list.
    public let tab: Tab
    /// The page that receives the view's events.
    public let page: WebPage
    /// Whether the page belongs to an incognito profile. It must not share cookies, caches or
    /// storage with pages that do not.
    public let isIncognito: Bool
    /// The reason the view is made, with the opener of a popup or the view to connect.
    public let reason: ViewReason<View>
}

/// The reason a view is made.
public enum ViewReason<View: AnyObject> {
    /// The tab is new, or continues from its saved state.
    case tab
    /// A page opened it. Make the view as a relative of the opener, so that they can communicate.
    /// The engine loads it by itself.
    case popup(opener: View)
    /// The host already has the view, which only needs to be connected.
    case adopted(View)
}

// MARK: - Pages, whatever the type of view

/// The reason a page is made, with views of the engine.
package enum PageReason {
    case new
    case restored
    case popup(opener: Tab)
    case adopted(AnyObject)

    var isRestoring: Bool { if case .restored = self { true } else { false } }
}

extension WebEngine {
    /// Makes a page with a view of the engine.
    func makePage(
        for tab: Tab, isIncognito: Bool, _ state: TabState, _ reason: PageReason
    ) -> WebPage {
        let page = WebPage(of: tab, state, isNew: !reason.isRestoring)
        let viewReason: ViewReason<View> =
            switch reason {
            case .new, .restored: .tab
            case .popup(let opener): self.view(of: opener).map { .popup(opener: $0) } ?? .tab
            case .adopted(let view): (view as? View).map { .adopted($0) } ?? .tab
            }
        let view = makeView(
            ViewRequest(
                tab: tab, page: page, isIncognito: isIncognito, reason: viewReason))
        page.port = EnginePort(engine: self, typedView: view)
        if case .tab = viewReason { page.goesOnFromState = true }
        return page
    }
}

/// A view and the engine that made it.
protocol ViewPort {
    associatedtype Engine: WebEngine
    var engine: Engine { get }
    var typedView: Engine.View { get }
}

extension ViewPort {
    var view: AnyObject { typedView }
    var nativeFormat: String { engine.nativeFormat }
    var stateDelay: Duration { engine.stateDelay }
    func restore(_ state: TabState) -> RestoreAnswer { engine.restore(state, in: typedView) }
    func load(_ address: String) { engine.load(address, in: typedView) }
    func reload() { engine.reload(typedView) }
    func go(by steps: Int) { engine.go(by: steps, in: typedView) }
    var history: NavigationHistory { engine.history(of: typedView) }
    func capture() -> TabState { engine.capture(typedView) }
    func flush() async { await engine.flush(typedView) }
    func forgetOtherPages() -> Bool { engine.forgetOtherPages(in: typedView) }
    func discard() { engine.discard(typedView) }
}

private struct EnginePort<Engine: WebEngine>: ViewPort {
    let engine: Engine
    let typedView: Engine.View
}
