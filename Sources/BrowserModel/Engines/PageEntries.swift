import BrowserSessions

/// The history of a page as the user sees it: what its engine has, and around it what the engine never
/// had.
///
/// An engine that can't take a history (WebKit has no call that makes a list out of addresses) begins
/// with the one page that it loads. The other pages are *adopted*: they stay before and behind the
/// engine's own, are loaded by their address when the user goes there, and are saved with the rest.
struct PageEntries {
    private(set) var before: [NavigationEntry] = []
    /// The engine's, without those that it only has because it went there again.
    private(set) var own: [NavigationEntry] = []
    private(set) var after: [NavigationEntry] = []
    /// Which of its own is shown; `nil` before the first page.
    private(set) var current: Int?
    /// How many entries of the engine come before its own ones here.
    private var hidden = 0
    /// What becomes of all this when the page arrives that is being loaded because the user went to an
    /// adopted one.
    private var crossing: Crossing?
    /// The title that the page which is shown has told.
    private var told: (url: String, title: String)?
    /// What was saved, with what a newer version has put there.
    private var saved = NavigationHistory()

    private struct Crossing {
        var before: [NavigationEntry]
        var target: NavigationEntry
        var after: [NavigationEntry]
        /// What was being loaded before: it may still arrive.
        var former: String?
    }

    /// Where a step leads.
    enum Target: Equatable {
        /// So many steps in the engine's own history.
        case own(Int)
        /// To an adopted page, which is loaded by its address.
        case adopted(String)
    }

    /// The engine has loaded nothing yet: of a history, the page that is shown will be its own.
    init(_ history: NavigationHistory) {
        saved = history
        guard let index = history.currentIndex ?? history.entries.indices.last,
            !history.entries.isEmpty
        else { return }
        let shown = min(max(index, 0), history.entries.count - 1)
        before = Array(history.entries[..<shown])
        own = [history.entries[shown]]
        after = Array(history.entries[(shown + 1)...])
        current = 0
    }

    /// The engine has taken a history, but for those of its entries that it had not had before either.
    init(
        _ history: NavigationHistory, before adoptedBefore: Int, after adoptedAfter: Int,
        engine: NavigationHistory
    ) {
        self.init(history)
        let all = history.entries
        guard let engineIndex = engine.currentIndex, let shown = current,
            engine.entries.indices.contains(engineIndex)
        else { return }
        let index = before.count + shown
        // The engine's list lies where its current entry is the history's.
        let start = index - engineIndex
        let first = max(min(adoptedBefore, index), start, 0)
        let end = min(start + engine.entries.count, all.count)
        let last = max(min(all.count - adoptedAfter, end), index + 1)
        hidden = first - start
        before = Array(all[..<first])
        own = Array(all[first..<last])
        after = Array(all[last...])
        current = index - first
        follow(engine, at: .unknown)
    }

    // MARK: Asking

    /// All of it.
    var whole: NavigationHistory {
        var whole = saved
        whole.entries = before + own + after
        whole.currentIndex = current.map { before.count + $0 }
        return whole
    }

    /// The page that is shown; `nil` before the first one.
    var shown: NavigationEntry? { current.map { own[$0] } }

    /// Where so many steps lead; `nil` if there is no page.
    func target(of steps: Int) -> Target? {
        guard let current, steps != 0 else { return nil }
        let index = before.count + current + steps
        if before.indices.contains(index) { return .adopted(before[index].url) }
        let ownIndex = index - before.count
        if own.indices.contains(ownIndex) { return .own(steps) }
        let afterIndex = ownIndex - own.count
        return after.indices.contains(afterIndex) ? .adopted(after[afterIndex].url) : nil
    }

    // MARK: Changing

    /// The user goes to an adopted page: it becomes the engine's own once it has arrived.
    ///
    /// - Parameter former: the address that is being loaded until now; `nil` if none is.
    mutating func beginCrossing(by steps: Int, insteadOf former: String? = nil) {
        guard let current, case .adopted = target(of: steps) else { return }
        let all = whole.entries
        let index = before.count + current + steps
        crossing = Crossing(
            before: Array(all[..<index]), target: all[index], after: Array(all[(index + 1)...]),
            former: former)
    }

    /// What was being loaded does not arrive, or something else will.
    mutating func endCrossing() { crossing = nil }

    /// Something is being loaded: unless it is the page to which the user goes, he goes elsewhere now.
    mutating func started(_ address: String) {
        guard let crossing, ![crossing.target.url, crossing.former].contains(address) else {
            return
        }
        self.crossing = nil
    }

    /// Only the page that is shown stays.
    mutating func forgetOthers() {
        guard let shown else { return }
        hidden += current ?? 0
        (before, own, after, current) = ([], [shown], [], 0)
        crossing = nil
    }

    /// The title of the page that is shown: of that the engine's list may still have an older one.
    mutating func setTitle(_ title: String) {
        guard let current else { return }
        own[current].title = title
        told = (own[current].url, title)
    }

    /// What the engine has now. Nothing changes while it has no page.
    ///
    /// - Parameters:
    ///   - time: of pages of which the engine does not say when they were visited.
    ///   - hasCommitted: whether a page has just come.
    mutating func follow(
        _ engine: NavigationHistory, at time: Timestamp, hasCommitted: Bool = false
    ) {
        guard let index = engine.currentIndex, engine.entries.indices.contains(index) else {
            return
        }
        arrive(engine.entries[index].url, index, hasCommitted)
        // The user went where only the engine had been.
        hidden = min(hidden, index)
        let entries = Array(engine.entries[hidden...])
        let shown = index - hidden
        if isNewPage(entries, shown) { after = [] }
        let known = own
        own = entries.enumerated().map { position, entry in
            let known = known.indices.contains(position) ? known[position] : nil
            return entry.completed(with: known, time)
        }
        current = shown
        if let told, told.url == own[shown].url {
            own[shown].title = told.title
        } else {
            told = nil
        }
    }

    /// The page to which the user went beyond the engine's own may be there: at its address, or at
    /// another one to which that led.
    private mutating func arrive(_ address: String, _ index: Int, _ hasCommitted: Bool) {
        guard let crossing else { return }
        let isTarget = address == crossing.target.url
        let isShown = current.map { hidden + $0 == index && own[$0].url == address } ?? false
        guard isShown ? hasCommitted && isTarget : isTarget || address != crossing.former else {
            return
        }
        self.crossing = nil
        (before, own, after, current) = (crossing.before, [crossing.target], crossing.after, 0)
        hidden = index
    }

    /// Whether the engine shows a page that was not in its list: what was ahead is forgotten then.
    private func isNewPage(_ entries: [NavigationEntry], _ shown: Int) -> Bool {
        guard let current, own.indices.contains(current) else { return false }
        if shown > current {
            return entries.count != own.count || own[shown].url != entries[shown].url
        }
        // A list that is full loses its first page for each new one.
        guard shown == current, shown > 0, shown == entries.count - 1, entries.count == own.count
        else { return false }
        return own[shown].url != entries[shown].url && own[shown].url == entries[shown - 1].url
    }
}

extension NavigationEntry {
    /// What an engine says of a page, with what was known of the same page before.
    fileprivate func completed(with known: NavigationEntry?, _ time: Timestamp) -> NavigationEntry {
        guard var entry = known, entry.url == url else {
            var entry = self
            if entry.time == .unknown { entry.time = time }
            return entry
        }
        if !title.isEmpty { entry.title = title }
        if !displayURL.isEmpty { entry.displayURL = displayURL }
        if self.time != .unknown { entry.time = self.time }
        if !referrer.isEmpty { (entry.referrer, entry.referrerPolicy) = (referrer, referrerPolicy) }
        if userAgent != .unspecified { entry.userAgent = userAgent }
        if !requestHeaders.isEmpty { entry.requestHeaders = requestHeaders }
        if !pageState.isEmpty { entry.pageState = pageState }
        if !subframes.isEmpty { entry.subframes = subframes }
        if !properties.isEmpty { entry.properties = properties }
        return entry
    }
}
