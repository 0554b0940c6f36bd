import BrowserSessions

// What the host forwards of what a view tells, without logic of its own. A signal too many, or one
// that tells what is known, does no harm.
extension WebPage {
    /// The view began to load an address. Nothing of it is saved before it arrives.
    public func started(_ address: String) {
        guard !hasEnded else { return }
        entries.started(address)
        tab?.setLoad(.loading(address))
    }

    /// The page that was loaded is there, complete or not: the view's history has it.
    public func committed() {
        guard !hasEnded else { return }
        pageArrived(isComplete: false)
        if !isAsSaved { look(hasCommitted: true) }
    }

    /// Loading has ended well.
    public func finished() {
        // Engines tell the end of a failed load, too.
        guard !hasEnded, let tab, tab.pageLoad.mayFinish else { return }
        pageArrived(isComplete: true)
        look(hasCommitted: true)
        tab.setLoad(.none)
    }

    /// Loading has ended with an error; what was shown before stays.
    public func failed(_ failure: LoadFailure) {
        guard !hasEnded else { return }
        entries.endCrossing()
        tab?.setLoad(.failed(failure))
    }

    /// What was loaded is a file to be saved. A tab that was opened for it has nothing to show, and
    /// would download it again when it came back: it is closed.
    public func becameDownload(_ address: String) {
        guard !hasEnded, let tab else { return }
        entries.endCrossing()
        tab.setLoad(.becameDownload(address))
        if isEmptyNewTab { close(tab, .program) }
    }

    /// The page has another title.
    public func titleChanged(_ title: String) {
        guard !hasEnded, let tab else { return }
        let title = PageText.title(title)
        // While a page comes, engines take the title away.
        guard !title.isEmpty || !tab.isLoading else { return }
        entries.setTitle(title)
        if !isAsSaved { look() }
    }

    /// The page has another icon.
    ///
    /// - Parameters:
    ///   - address: of the icon.
    ///   - image: the icon itself, small, in a form of the host's choice; it is saved, so that
    ///     unrealized tabs have one without a network. `nil` leaves what there is if the address
    ///     is the same.
    public func iconChanged(_ address: String, image: [UInt8]? = nil) {
        guard !hasEnded, let tab else { return }
        if let image {
            extra[.icon] = image
        } else if tab.faviconURL != address {
            extra[.icon] = nil
        }
        tab.setFavicon(url: address)
    }

    /// The view's history is another one: a page has called `pushState`, or an entry is gone.
    public func historyChanged() {
        guard !hasEnded, !isAsSaved else { return }
        look()
    }

    /// The user scrolled, typed or zoomed: the state may be another.
    public func stateMayHaveChanged() {
        guard !hasEnded, let tab, tab.pageLoad != .crashed else { return }
        pageWasTouched()
        // Of a page that has not come yet there is no other state.
        guard !isAsSaved else { return }
        tab.stateDidChange()
    }

    /// The user did something in the page: it may open pages again.
    public func userActed() { popups = 0 }

    /// The process of the page has ended; the view shows nothing any more. What is saved stays.
    public func processEnded() {
        guard !hasEnded else { return }
        entries.endCrossing()
        tab?.setLoad(.crashed)
    }

    /// The page asks to be closed, or agrees to it.
    public func closeRequested() {
        guard !hasEnded, let tab else { return }
        close(tab, .user)
    }

    /// The page opens another one. A tab for it comes behind this one, and its view is made as this
    /// one's relative: `engine.view(of:)` gives it.
    ///
    /// - Returns: `nil` if the page has opened ``maximumPopups`` since the user did something in it,
    ///   or if tabs can't be opened now: then the engine must be told that there is none.
    public func wantsPopup(inBackground: Bool = false) -> Tab? {
        guard !hasEnded, popups < maximumPopups, let tab, let list = tab.list else { return nil }
        let popup = Tab(
            url: "", title: "", maker: tab.origin.maker, .popup(opener: tab), createdAt: list.now())
        let insertion = TabInsertion(opener: tab.id, activates: !inBackground)
        guard !list.isTelling, (try? list.insert(popup, insertion)) != nil else { return nil }
        popups += 1
        return popup
    }

    private func close(_ tab: Tab, _ reason: ClosingReason) {
        guard let list = tab.list, !list.isTelling else { return }
        try? list.close(tab, reason)
    }

    /// Tells the tab what the view's history is, if it is news.
    func look(hasCommitted: Bool = false) {
        guard let tab, let port else { return }
        let before = entries.whole
        entries.follow(port.history.withFitTitles, at: now, hasCommitted: hasCommitted)
        let history = entries.whole
        guard let shown = entries.shown, let index = history.currentIndex else { return }
        let isNews = !before.isSame(as: history)
        tab.didNavigate(
            url: shown.url, title: shown.title, itemCount: history.entries.count, index: index,
            isNews: isNews)
    }
}

extension NavigationHistory {
    /// Whether the user sees no difference.
    fileprivate func isSame(as other: NavigationHistory) -> Bool {
        currentIndex == other.currentIndex && entries.count == other.entries.count
            && zip(entries, other.entries).allSatisfy { $0.url == $1.url && $0.title == $1.title }
    }

    /// With titles that can be shown and saved.
    var withFitTitles: NavigationHistory {
        guard entries.contains(where: { !PageText.isFit($0.title) }) else { return self }
        var history = self
        for index in history.entries.indices {
            history.entries[index].title = PageText.title(history.entries[index].title)
        }
        return history
    }
}

extension PageLoad {
    /// Whether the end of a load is news.
    fileprivate var mayFinish: Bool {
        switch self {
        case .none, .loading: true
        case .failed, .crashed, .becameDownload: false
        }
    }
}
