public import BrowserModel
import BrowserSessions

/// A web engine that behaves like WebKit, without pages, for tests of hosts and of the engine
/// suite.
///
/// It cannot take a history of addresses, only its own bytes. Pages arrive later, with all signals.
/// It notices the user's scroll position after a delay, or on request. Everything that happens by
/// itself happens in ``runUntilIdle()``.
public final class SimulatedEngine: WebEngine {
    /// The pages that the engine finds, and the data that outlives it.
    public let web: SimulatedWeb
    /// The fault of the engine; `nil` if it has none.
    public let fault: EngineFault?
    /// A closure to call when a page has reported its state in a flush, before the caller gets it.
    public var duringFlush: () -> Void = {}
    private var waiting: [() -> Void] = []
    private var lagging: [SimulatedView] = []
    private var privateSession = SimulatedView.PrivateSession()
    private var kept: [SimulatedView] = []
    private var made: Set<[UInt8]> = []

    /// Creates an engine; by default, without a fault and with a web of its own.
    ///
    /// Pages of one engine share their private cookies. A new engine has none, unless a faulty one
    /// left some in the web.
    public init(_ web: SimulatedWeb = SimulatedWeb(), fault: EngineFault? = nil) {
        self.web = web
        self.fault = fault
        privateSession.cookies = web.privateCookies
    }

    public let nativeFormat = "simulated-1"
    public let isolatesPages = true
    public let stateDelay = Duration.milliseconds(400)

    // MARK: User actions and time

    /// Runs everything that is pending.
    public func runUntilIdle() {
        while !waiting.isEmpty { waiting.removeFirst()() }
    }

    /// Lets enough time pass for the engine to notice all user actions.
    public func noticeEverything() {
        for view in lagging where !view.isHanging { view.writeDown() }
        lagging = []
    }

    /// Scrolls as the user does.
    public func scroll(_ view: SimulatedView, to position: Int) {
        view.scroll = position
        lagging.append(view)
        if fault != .keepsScrollingToItself { view.page?.stateMayHaveChanged() }
    }

    /// Calls `history.pushState` as the page does.
    public func push(_ address: String, in view: SimulatedView) {
        arrive(at: address, title: "", in: view, SimulatedView.Load(address: address))
        view.page?.historyChanged()
    }

    /// Ends the page's process.
    public func endProcess(of view: SimulatedView) {
        view.isProcessAlive = false
        view.provisional = nil
        if fault != .hidesCrashes { view.page?.processEnded() }
    }

    /// Makes the page compute forever.
    public func hang(_ view: SimulatedView) { view.isHanging = true }

    /// Opens a popup as the page does. Returns its view; `nil` if the host refuses it.
    @discardableResult
    public func openPopup(_ address: String, from view: SimulatedView) -> SimulatedView? {
        if fault == .believesPages { view.page?.userActed() }
        guard let tab = view.page?.wantsPopup(), let popup = self.view(of: tab) else { return nil }
        load(address, in: popup)
        return popup
    }

    /// Sets a cookie as the page does.
    public func setCookie(_ cookie: String, in view: SimulatedView) {
        guard let session = view.session else { return web.cookies.append(cookie) }
        session.cookies.append(cookie)
        if fault == .keepsPrivateCookies { web.privateCookies.append(cookie) }
    }

    /// Returns the cookies that the page can read: the regular ones of the web, or those of private
    /// pages.
    public func cookies(in view: SimulatedView) -> [String] { view.session?.cookies ?? web.cookies }

    // MARK: WebEngine

    public func makeView(_ request: ViewRequest<SimulatedView>) -> SimulatedView {
        var opener: SimulatedView?
        switch request.reason {
        case .adopted(let view) where fault != .replacesAdoptedViews:
            view.page = request.page
            return view
        case .popup(let parent) where fault != .forgetsOpeners: opener = parent
        default: break
        }
        let view = makeView(isPrivate: request.isIncognito, opener: opener)
        view.page = request.page
        return view
    }

    /// Creates a view that does not belong to a tab yet.
    public func makeView(isPrivate: Bool = false, opener: SimulatedView? = nil) -> SimulatedView {
        let session: SimulatedView.PrivateSession? =
            switch fault {
            case _ where !isPrivate, .sharesCookies: nil
            case .separatesPrivatePages: SimulatedView.PrivateSession()
            default: privateSession
            }
        let view = SimulatedView(isPrivate: isPrivate, opener: opener, session)
        if fault == .keepsViews { kept.append(view) }
        return view
    }

    public func restore(_ state: TabState, in view: SimulatedView) -> RestoreAnswer {
        guard let bytes = state.native, fault != .refusesFreshBytes || !made.contains(bytes) else {
            let isHistory = fault == .claimsHistories && state.history.entries.count > 1
            return isHistory ? .shown : .refused
        }
        guard let saved = SimulatedState(bytes) else {
            return fault == .acceptsAnything ? .loading : .refused
        }
        guard view.isProcessAlive || fault != .staysCrashed else { return .refused }
        view.isProcessAlive = true
        (view.items, view.index) = (saved.items, saved.index)
        begin(SimulatedView.Load(address: view.url, index: saved.index), in: view)
        return .loading
    }

    public func load(_ address: String, in view: SimulatedView) {
        guard view.isProcessAlive || fault != .staysCrashed else { return }
        view.isProcessAlive = true
        begin(SimulatedView.Load(address: address), in: view)
    }

    public func reload(_ view: SimulatedView) {
        guard view.isProcessAlive || fault != .staysCrashed else { return }
        view.isProcessAlive = true
        if !view.url.isEmpty {
            begin(SimulatedView.Load(address: view.url, index: view.index), in: view)
        }
    }

    public func go(by steps: Int, in view: SimulatedView) {
        guard fault != .ignoresSteps, let index = view.index,
            view.items.indices.contains(index + steps)
        else { return }
        begin(
            SimulatedView.Load(address: view.items[index + steps].url, index: index + steps),
            in: view)
    }

    public func capture(_ view: SimulatedView) -> TabState {
        var state = SimulatedState(items: view.items, index: view.index)
        if fault == .capturesWhatIsLoading, let load = view.provisional, load.index == nil {
            state.items.append(SimulatedView.Item(url: load.address, title: ""))
            state.index = state.items.count - 1
        }
        if fault == .capturesOnePage, let index = state.index {
            state = SimulatedState(items: [state.items[index]], index: 0)
        }
        if fault == .refusesFreshBytes, let bytes = state.bytes { made.insert(bytes) }
        return TabState(history: state.history, native: state.bytes)
    }

    public func flush(_ view: SimulatedView) async {
        // WebKit starts another process for any request.
        if !view.isProcessAlive { (view.isProcessAlive, view.items, view.index) = (true, [], nil) }
        guard fault != .flushesNothing else { return }
        if fault == .flushesOpenTabsAlone, view.page?.tab?.isClosed ?? true { return }
        if view.isHanging {
            let (never, _) = AsyncStream<Never>.makeStream()
            for await _ in never {}
        }
        view.writeDown()
        duringFlush()
    }

    public func forgetOtherPages(in view: SimulatedView) -> Bool {
        guard let index = view.index, fault != .pretendsToForget else { return true }
        (view.items, view.index) = ([view.items[index]], 0)
        return true
    }

    public func discard(_ view: SimulatedView) { view.isDiscarded = true }
}

// MARK: - Loading

extension SimulatedEngine {
    private func begin(_ load: SimulatedView.Load, in view: SimulatedView) {
        view.provisional = load
        let (address, answer) = web.answer(at: load.address)
        soon(view) { $0.page?.started(load.address) }
        if fault == .tellsTitlesEarly { soon(view) { $0.page?.titleChanged("early") } }
        switch answer {
        case .page(let title), .endless(let title):
            soon(view) { self.commit(address, load, in: $0) }
            soon(view) { self.tell(title, in: $0) }
            if case .page = answer { soon(view) { self.finish(load, in: $0) } }
        case .download where fault == .showsDownloads:
            soon(view) { self.commit(address, load, in: $0) }
            soon(view) { self.finish(load, in: $0) }
        case .download:
            soon(view) {
                $0.provisional = nil
                if self.fault == .commitsDownloads { $0.page?.committed() }
                $0.page?.becameDownload(address)
            }
        case .failure(let message): soon(view) { self.fail(load, message, in: $0) }
        case .redirect: break
        }
    }

    private func soon(_ view: SimulatedView, _ event: @escaping (SimulatedView) -> Void) {
        waiting.append { [weak view] in
            guard let view, !view.isDiscarded, view.isProcessAlive else { return }
            event(view)
        }
    }

    private func commit(_ address: String, _ load: SimulatedView.Load, in view: SimulatedView) {
        arrive(at: address, title: "", in: view, load)
        view.provisional = nil
        if fault != .commitsAtTheEnd { view.page?.committed() }
    }

    private func arrive(
        at address: String, title: String, in view: SimulatedView, _ load: SimulatedView.Load
    ) {
        if let index = load.index, view.items.indices.contains(index) {
            view.index = index
            if view.items[index].url != address { view.items[index].url = address }
        } else {
            let next = fault == .replacesEntries ? view.index ?? 0 : (view.index ?? -1) + 1
            view.items.removeSubrange(min(next, view.items.count)...)
            view.items.append(SimulatedView.Item(url: address, title: title))
            let index = view.items.count - 1
            view.items = view.items.suffix(Self.mostItems)
            view.index = fault == .losesItsPlaceWhenFull ? index : view.items.count - 1
        }
        view.scroll = 0
    }

    /// The maximum number of history entries, as in WebKit.
    private static var mostItems: Int { 100 }

    private func tell(_ title: String, in view: SimulatedView) {
        if let index = view.index { view.items[index].title = title }
        if fault != .commitsAtTheEnd { view.page?.titleChanged(title) }
    }

    private func finish(_ load: SimulatedView.Load, in view: SimulatedView) {
        if load.index != nil, let index = view.index { view.scroll = view.items[index].scroll }
        if fault == .commitsAtTheEnd { view.page?.committed() }
        view.page?.finished()
        if fault == .tellsChangesThatAreNone {
            view.items[view.index ?? 0].scroll += 1
            view.page?.stateMayHaveChanged()
        }
    }

    private func fail(_ load: SimulatedView.Load, _ message: String, in view: SimulatedView) {
        view.provisional = nil
        guard fault != .hidesFailures else { return }
        view.page?.failed(LoadFailure(address: load.address, message: message))
        // As in WebKit.
        view.page?.finished()
    }
}
