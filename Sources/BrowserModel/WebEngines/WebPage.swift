public import BrowserSessions

/// The page of a realized tab. It connects the host's ``WebEngine`` with everything that is saved.
///
/// The host forwards the events of the engine's view to it, such as ``committed()`` or
/// ``titleChanged(_:)``, and passes on the user's requests, such as ``go(by:)``. The page compares,
/// so only actual changes become changes of the tab. After the tab is closed or unloaded, it does
/// nothing.
public final class WebPage {
    /// The tab that has the page; `nil` once the tab is gone.
    public private(set) weak var tab: Tab?
    /// The engine's view.
    package var view: AnyObject? { port?.view }
    /// Blobs of the host that are saved with the tab. Their names must be among the restorer's
    /// `RestorationPolicy.extraStates`.
    public var extra: [StateName: [UInt8]] {
        didSet { if extra != oldValue, !hasEnded { tab?.stateDidChange() } }
    }
    /// How many pages this page may open before the user acts in it; more are refused. A click or
    /// key press, which ``userActed()`` reports, restarts the count.
    public var maximumPopups = 1

    var port: (any ViewPort)?
    /// Whether the page continues from the tab's state; popups and adopted views have their own.
    var goesOnFromState = false
    var entries: PageEntries
    /// The saved state while it is current; `nil` once the page replaced it.
    private var saved: TabState?
    /// Whether the saved state takes precedence over an arriving page until it is complete.
    private var isSavedKept = false
    /// Whether a page has ever arrived.
    package private(set) var hasArrived = false
    /// Whether the tab was opened for this page.
    private let isNew: Bool
    private(set) var hasEnded = false
    private var isHeld = false
    var popups = 0

    init(of tab: Tab, _ state: TabState, isNew: Bool) {
        self.tab = tab
        self.isNew = isNew
        extra = state.extra
        entries = PageEntries(state.history)
        saved = state
    }

    /// Begins with the saved state, or with what the view already shows.
    func begin() {
        guard let port, let saved, goesOnFromState else {
            entries = PageEntries(NavigationHistory())
            saved = nil
            return look()
        }
        var state = saved
        if let format = saved.nativeFormat, format != port.nativeFormat { state.native = nil }
        state.history = saved.ownHistory
        let answer = port.restore(state)
        guard answer != .refused else {
            if hasCrashed {
                reloadView()
            } else if let address = entries.shown?.url, !address.isEmpty {
                load(address)
            }
            return
        }
        entries = PageEntries(
            saved.history, before: saved.adoptedBefore, after: saved.adoptedAfter,
            engine: port.history)
        if answer == .shown { self.saved = nil }
        hasArrived = answer == .shown
        isSavedKept = answer == .loading
        if answer == .loading { tab?.setLoad(.loading(entries.shown?.url ?? "")) }
    }

    // MARK: User requests

    /// Whether there is a page to go back to, in the engine or adopted.
    public var canGoBack: Bool { entries.target(of: -1) != nil }
    /// Whether there is a page to go forward to, in the engine or adopted.
    public var canGoForward: Bool { entries.target(of: 1) != nil }
    /// The tab's history, including the pages that the engine never had.
    public var history: NavigationHistory { saved?.history ?? entries.whole }

    /// Goes back (negative) or forward. Does nothing if there is no such page.
    public func go(by steps: Int) {
        guard !hasEnded, let target = entries.target(of: steps) else { return }
        switch target {
        case .own(let steps):
            entries.endCrossing()
            port?.go(by: steps)
        case .adopted(let address):
            var former: String?
            if case .loading(let address) = tab?.pageLoad { former = address }
            entries.beginCrossing(by: steps, insteadOf: former)
            ask(for: address)
        }
    }

    /// Goes to the page before the current one. Does nothing if there is none.
    public func goBack() { go(by: -1) }
    /// Goes to the page after the current one. Does nothing if there is none.
    public func goForward() { go(by: 1) }

    /// Begins to load an address. The pages ahead of the current one are removed when it arrives.
    public func load(_ address: String) {
        guard !hasEnded else { return }
        entries.endCrossing()
        ask(for: address)
    }

    /// Marks the page as loading, before the engine reports it.
    private func ask(for address: String) {
        tab?.setLoad(.loading(address))
        port?.load(address)
    }

    /// Reloads the page, also after a failure. If no page has ever arrived, the failed address is
    /// loaded again. A page with a process that ended comes back as it was.
    public func reload() {
        guard !hasEnded else { return }
        if hasCrashed {
            saved = captureState()
            goesOnFromState = true
            return begin()
        }
        if !hasArrived, case .failed(let failure) = tab?.pageLoad ?? .none {
            ask(for: failure.address)
        } else {
            reloadView()
        }
    }

    private func reloadView() {
        tab?.setLoad(.loading(entries.shown?.url ?? ""))
        port?.reload()
    }

    // MARK: State

    /// Returns the state to save now. Until the page has arrived, this is the saved state.
    public func captureState() -> TabState {
        if var saved {
            saved.extra = extra
            return saved
        }
        guard let port else { return TabState(history: entries.whole, extra: extra) }
        let captured = port.capture()
        entries.follow(captured.history.withFitTitles, at: now)
        var state = TabState(
            history: entries.whole, native: captured.native,
            extra: extra.merging(captured.extra) { _, engine in engine })
        if state.native != nil, !port.nativeFormat.isEmpty {
            state.nativeFormat = port.nativeFormat
        }
        (state.adoptedBefore, state.adoptedAfter) = (entries.before.count, entries.after.count)
        return state
    }

    /// How long ``captureState()`` may lag after a change.
    package var stateDelay: Duration { saved == nil ? port?.stateDelay ?? .zero : .zero }

    /// Returns when ``captureState()`` reflects everything the user has done. Skips a page without
    /// a process, because asking could start a new one.
    package func flush() async { if !hasCrashed { await port?.flush() } }

    private var hasCrashed: Bool { tab?.pageLoad == .crashed }

    package func forgetOtherPages() -> Bool {
        guard let port, !hasEnded else { return false }
        if !port.forgetOtherPages() {
            guard port.history.entries.count <= 1 else { return false }
        }
        saved = nil
        entries.forgetOthers()
        look()
        tab?.stateDidChange()
        return true
    }

    /// The current time of the tab list's clock.
    var now: Timestamp { tab?.list?.now() ?? .unknown }

    // MARK: End

    /// Ends the page, which the tab no longer uses.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        if !isHeld { letGo() }
    }

    /// Keeps the view after the end of the page until ``letGo()``: its state is still pending.
    package func hold() { isHeld = true }

    package func letGo() {
        isHeld = false
        guard hasEnded else { return }
        port?.discard()
        port = nil
    }

    // MARK: Saved and arrived pages

    /// Whether the saved state is still current.
    var isAsSaved: Bool { saved != nil }
    /// Whether the tab was opened for this page and nothing has arrived.
    var isEmptyNewTab: Bool { isNew && !hasArrived }

    /// Records that a page has arrived or begins to arrive.
    func pageArrived(isComplete: Bool) {
        hasArrived = true
        if isComplete || !isSavedKept || !showsSavedPage { saved = nil }
    }

    /// Records that the user changed the page, so that the engine's state counts from now on.
    func pageWasTouched() {
        guard saved != nil, hasArrived else { return }
        saved = nil
        look()
    }

    /// Whether the view shows the page that was saved.
    private var showsSavedPage: Bool {
        guard let saved, let index = saved.history.currentIndex,
            saved.history.entries.indices.contains(index), let history = port?.history,
            let shown = history.currentIndex, history.entries.indices.contains(shown)
        else { return false }
        return saved.history.entries[index].url == history.entries[shown].url
    }
}

extension TabState {
    /// The part of the history that the engine had.
    fileprivate var ownHistory: NavigationHistory {
        let end = history.entries.count - adoptedAfter
        guard adoptedBefore + adoptedAfter > 0, adoptedBefore < end else { return history }
        var part = history
        part.entries = Array(history.entries[adoptedBefore..<end])
        part.currentIndex = history.currentIndex.map {
            min(max($0 - adoptedBefore, 0), part.entries.count - 1)
        }
        return part
    }
}
