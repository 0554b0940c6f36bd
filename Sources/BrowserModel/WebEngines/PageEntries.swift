import BrowserSessions

/// The history of a page as the user sees it: the engine's entries, and around them entries that
/// the engine never had.
///
/// An engine that cannot take a history (WebKit has no call that makes a list out of addresses)
/// begins with the one page that it loads. The other pages are *adopted*: they stay before and
/// after the engine's own, are loaded by address when the user goes there, and are saved as well.
struct PageEntries {
    private(set) var before: [NavigationEntry] = []
    /// The engine's entries, without those that exist only because the engine revisited a page.
    private(set) var own: [NavigationEntry] = []
    private(set) var after: [NavigationEntry] = []
    /// The index of the current entry in `own`; `nil` before the first page.
    private(set) var current: Int?
    /// The number of the engine's entries before those in `own`.
    private var hidden = 0
    /// The entries after a pending load of an adopted page that the user went to; applied when the
    /// page arrives.
    private var crossing: Crossing?
    /// The title that the current page reported.
    private var told: (url: String, title: String)?
    /// The saved history, with any fields of a newer version.
    private var saved = NavigationHistory()

    private struct Crossing {
        var before: [NavigationEntry]
        var target: NavigationEntry
        var after: [NavigationEntry]
        /// The address that was loading before, which may still arrive.
        var former: String?
    }

    /// The destination of a step.
    enum Target: Equatable {
        /// A number of steps in the engine's own history.
        case own(Int)
        /// An adopted page, which is loaded by its address.
        case adopted(String)
    }

    /// Creates entries for an engine that has loaded nothing and will own only the current page.
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

    /// Creates entries for an engine that took a history, except for those it had already adopted.
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
        // The engine's list is aligned so that its current entry is the history's.
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

    // MARK: Reading

    /// All entries.
    var whole: NavigationHistory {
        var whole = saved
        whole.entries = before + own + after
        whole.currentIndex = current.map { before.count + $0 }
        return whole
    }

    /// The current page; `nil` before the first one.
    var shown: NavigationEntry? { current.map { own[$0] } }

    /// Returns the destination of a number of steps; `nil` if there is no such page.
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

    /// Begins going to an adopted page, which becomes the engine's own when it arrives.
    ///
    /// - Parameter former: the address that was loading until now; `nil` if there is none.
    mutating func beginCrossing(by steps: Int, insteadOf former: String? = nil) {
        guard let current, case .adopted = target(of: steps) else { return }
        let all = whole.entries
        let index = before.count + current + steps
        crossing = Crossing(
            before: Array(all[..<index]), target: all[index], after: Array(all[(index + 1)...]),
            former: former)
    }

    /// Cancels going to an adopted page, because its load failed or another one replaces it.
    mutating func endCrossing() { crossing = nil }

    /// Records that an address is loading. Unless it is expected, the user is going elsewhere.
    mutating func started(_ address: String) {
        guard let crossing, ![crossing.target.url, crossing.former].contains(address) else {
            return
        }
        self.crossing = nil
    }

    /// Removes all pages except the current one.
    mutating func forgetOthers() {
        guard let shown else { return }
        hidden += current ?? 0
        (before, own, after, current) = ([], [shown], [], 0)
        crossing = nil
    }

    /// Sets the title of the current page, for which the engine's list may still have an older one.
    mutating func setTitle(_ title: String) {
        guard let current else { return }
        own[current].title = title
        told = (own[current].url, title)
    }

    /// Updates the entries from the engine's history. Nothing changes while it has no page.
    ///
    /// - Parameters:
    ///   - time: the time for pages without a time of visit from the engine.
    ///   - hasCommitted: whether a page has just arrived.
    mutating func follow(
        _ engine: NavigationHistory, at time: Timestamp, hasCommitted: Bool = false
    ) {
        guard let index = engine.currentIndex, engine.entries.indices.contains(index) else {
            return
        }
        arrive(engine.entries[index].url, index, hasCommitted)
        // The user went to an entry that only the engine had.
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

    /// Completes going to an adopted page if it has arrived, at its address or at another one to
    /// which it redirected.
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

    /// Returns whether the engine shows a new page, which removes the pages ahead.
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
    /// Returns what the engine knows about a page, completed with earlier values.
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
