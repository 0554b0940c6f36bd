public import BrowserSessions

/// The page of a realized tab: between the host's ``WebEngine`` and all that is saved.
///
/// The host forwards to it what the engine's view tells, such as ``committed()`` or
/// ``titleChanged(_:)``, and asks it for what the user wants, such as ``go(by:)``. It compares: only
/// what is new becomes a change of the tab. After the tab was closed or unloaded it does nothing any
/// more.
public final class WebPage {
    /// The tab that has the page; `nil` once the tab is gone.
    public private(set) weak var tab: Tab?
    /// The engine's view.
    public var view: AnyObject? { port?.view }
    /// Blobs of the host that are saved with the tab, by names that are among the restorer's
    /// `RestorationPolicy.extraStates`.
    public var extra: [StateName: [UInt8]] {
        didSet { if extra != oldValue, !hasEnded { tab?.stateDidChange() } }
    }
    /// How many pages its page may open before the user does something in it; the rest is refused. A
    /// user's own click or key, of which ``userActed()`` tells, counts from the start.
    public var maximumPopups = 1

    var port: (any ViewPort)?
    /// Whether the tab's state is to be gone on from: popups and adopted views have their own.
    var goesOnFromState = false
    var entries: PageEntries
    /// What was saved, as long as it is the state: nothing has come since that could replace it.
    private var saved: TabState?
    /// Whether what was saved says more than the page that has begun to come, until all of it is there.
    private var isSavedKept = false
    /// Whether a page has ever come.
    public private(set) var hasArrived = false
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

    /// Begins with what was saved, or with what the view shows already.
    func begin() {
        guard let port, let saved, goesOnFromState else {
            entries = PageEntries(NavigationHistory())
            saved = nil
            return look()
        }
        let native = NativeState(saved: saved.native)
        let isKnown = native.format.map { $0 == port.nativeFormat } ?? true
        var state = saved
        state.native = isKnown ? native.bytes : nil
        state.history = saved.history.part(without: native)
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
            saved.history, before: native.before, after: native.after,
            engine: port.history)
        if answer == .shown { self.saved = nil }
        hasArrived = answer == .shown
        isSavedKept = answer == .loading
        if answer == .loading { tab?.setLoad(.loading(entries.shown?.url ?? "")) }
    }

    // MARK: What the user wants

    /// Whether there is a page to go back to, whoever has it.
    public var canGoBack: Bool { entries.target(of: -1) != nil }
    public var canGoForward: Bool { entries.target(of: 1) != nil }
    /// The tab's history, with those pages that the engine never had.
    public var history: NavigationHistory { saved?.history ?? entries.whole }

    /// Goes back (negative) or forward; does nothing if there is no page.
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

    public func goBack() { go(by: -1) }
    public func goForward() { go(by: 1) }

    /// Begins to load an address; the pages ahead of the present one are forgotten when it arrives.
    public func load(_ address: String) {
        guard !hasEnded else { return }
        entries.endCrossing()
        ask(for: address)
    }

    /// From now on the page comes, whenever the engine says so.
    private func ask(for address: String) {
        tab?.setLoad(.loading(address))
        port?.load(address)
    }

    /// Loads the page again, also after a failure. Where nothing has ever arrived, its address is tried
    /// again; a page whose process has ended comes back as it was.
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

    // MARK: Its state

    /// The state to save now. It is what was saved until the page has come.
    public func captureState() -> TabState {
        if let saved { return saved.with(extra: extra) }
        guard let port else { return TabState(history: entries.whole, extra: extra) }
        let captured = port.capture()
        entries.follow(captured.history.withFitTitles, at: now)
        let native = NativeState(
            format: port.nativeFormat, before: entries.before.count, after: entries.after.count,
            bytes: captured.native)
        return TabState(
            history: entries.whole, native: native.saved,
            extra: extra.merging(captured.extra) { _, engine in engine })
    }

    /// How long after a change ``captureState()`` may still be behind.
    package var settleDelay: Duration { saved == nil ? port?.settleDelay ?? .zero : .zero }

    /// Returns when ``captureState()`` gives all that the user has done. A page without a process is not
    /// asked: that might begin another one.
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

    /// When something happened, by the clock of the tab's list.
    var now: Timestamp { tab?.list?.now() ?? .unknown }

    // MARK: Its end

    /// The tab has no use for it any more.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        if !isHeld { letGo() }
    }

    /// Keeps the view beyond the end of the page until ``letGo()``: its state is still on the way.
    package func hold() { isHeld = true }

    package func letGo() {
        isHeld = false
        guard hasEnded else { return }
        port?.discard()
        port = nil
    }

    // MARK: What was saved, and what came

    /// Whether what was saved is still the state.
    var isAsSaved: Bool { saved != nil }
    /// Whether nothing has come into a tab that was opened for it.
    var isEmptyNewTab: Bool { isNew && !hasArrived }

    /// A page has come, or begins to.
    func pageArrived(isComplete: Bool) {
        hasArrived = true
        if isComplete || !isSavedKept || !showsSavedPage { saved = nil }
    }

    /// The user changed something in the page: from now on the engine's state counts.
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
    fileprivate func with(extra: [StateName: [UInt8]]) -> TabState {
        var state = self
        state.extra = extra
        return state
    }
}

extension NavigationHistory {
    /// What an engine had of it.
    fileprivate func part(without native: NativeState) -> NavigationHistory {
        guard native.before + native.after > 0, native.before + native.after < entries.count else {
            return self
        }
        var part = self
        part.entries = Array(entries[native.before..<entries.count - native.after])
        part.currentIndex = currentIndex.map {
            min(max($0 - native.before, 0), part.entries.count - 1)
        }
        return part
    }
}
