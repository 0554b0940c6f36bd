import BrowserSessions

/// Makes pages with one engine, independent of its type of view.
package protocol PageMaker: AnyObject {
    var isolatesPages: Bool { get }
    func makePage(
        for tab: Tab, isOffTheRecord: Bool, _ state: TabState, _ reason: PageReason
    ) -> WebPage
}

/// The reason a page is made, with views of the engine.
package enum PageReason {
    case new
    case restored
    case popup(opener: Tab)
    case adopted(AnyObject)

    var isRestoring: Bool { if case .restored = self { true } else { false } }
}

/// A view and the engine that made it.
protocol ViewPort {
    var view: AnyObject { get }
    var nativeFormat: String { get }
    var stateDelay: Duration { get }
    func restore(_ state: TabState) -> RestoreAnswer
    func load(_ address: String)
    func reload()
    func go(by steps: Int)
    func capture() -> TabState
    var history: NavigationHistory { get }
    func flush() async
    func forgetOtherPages() -> Bool
    func discard()
}

/// Makes the pages of one engine.
package final class EnginePages<Engine: WebEngine>: PageMaker {
    private let engine: Engine

    package init(_ engine: Engine) { self.engine = engine }

    package var isolatesPages: Bool { engine.isolatesPages }

    package func makePage(
        for tab: Tab, isOffTheRecord: Bool, _ state: TabState, _ reason: PageReason
    ) -> WebPage {
        let page = WebPage(of: tab, state, isNew: !reason.isRestoring)
        let viewReason: ViewReason<Engine.View> =
            switch reason {
            case .new, .restored: .tab
            case .popup(let opener): engine.view(of: opener).map { .popup(opener: $0) } ?? .tab
            case .adopted(let view): (view as? Engine.View).map { .adopted($0) } ?? .tab
            }
        let view = engine.makeView(
            ViewRequest(
                tab: tab, page: page, isOffTheRecord: isOffTheRecord, reason: viewReason))
        page.port = EnginePort(engine: engine, typedView: view)
        if case .tab = viewReason { page.goesOnFromState = true }
        return page
    }
}

private struct EnginePort<Engine: WebEngine>: ViewPort {
    let engine: Engine
    let typedView: Engine.View

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
