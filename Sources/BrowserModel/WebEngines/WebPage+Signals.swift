import BrowserSessions

// View events that the host forwards without logic of its own. Redundant calls do no harm.
extension WebPage {
    /// Reports that the view began to load an address. Nothing of it is saved until it arrives.
    public func started(_ address: String) {
        guard !hasEnded else { return }
        entries.started(address)
        tab?.setLoad(.loading(address))
    }

    /// Reports that the loaded page is in the view's history, complete or not.
    public func committed() {
        guard !hasEnded else { return }
        pageArrived(isComplete: false)
        if !isAsSaved { look(hasCommitted: true) }
    }

    /// Reports that loading ended successfully.
    public func finished() {
        // Engines also report the end of a failed load.
        guard !hasEnded, let tab, tab.pageLoad.mayFinish else { return }
        pageArrived(isComplete: true)
        look(hasCommitted: true)
        tab.setLoad(.none)
    }

    /// Reports that loading ended with an error. The previously shown page remains.
    public func failed(_ failure: LoadFailure) {
        guard !hasEnded else { return }
        entries.endCrossing()
        tab?.setLoad(.failed(failure))
    }

    /// Reports that the load became a download. A tab that was opened for it is closed: it has
    /// nothing to show, and would download the file again each time it came back.
    public func becameDownload(_ address: String) {
        guard !hasEnded, let tab else { return }
        entries.endCrossing()
        tab.setLoad(.becameDownload(address))
        if isEmptyNewTab { close(tab, .program) }
    }

    /// Reports that the page has another title.
    public func titleChanged(_ title: String) {
        guard !hasEnded, let tab else { return }
        let title = PageText.title(title)
        // Engines clear the title while a page loads.
        guard !title.isEmpty || !tab.isLoading else { return }
        entries.setTitle(title)
        if !isAsSaved { look() }
    }

    /// Reports that the page has another icon.
    ///
    /// - Parameters:
    ///   - address: the address of the icon.
    ///   - image: the small icon itself, in a format that the host chooses. It is saved, so that
    ///     unrealized tabs have an icon without a network. `nil` keeps the present image if the
    ///     address is the same.
    public func iconChanged(_ address: String, image: [UInt8]? = nil) {
        guard !hasEnded, let tab else { return }
        if let image {
            extra[.icon] = image
        } else if tab.faviconURL != address {
            extra[.icon] = nil
        }
        tab.setFavicon(url: address)
    }

    /// Reports a change of the view's history, by `pushState` or because an entry is gone.
    public func historyChanged() {
        guard !hasEnded, !isAsSaved else { return }
        look()
    }

    /// Reports that the state may have changed, because the user scrolled, typed or zoomed.
    public func stateMayHaveChanged() {
        guard !hasEnded, let tab, tab.pageLoad != .crashed else { return }
        pageWasTouched()
        // A page that has not arrived has no other state.
        guard !isAsSaved else { return }
        tab.stateDidChange()
    }

    /// Reports that the user acted in the page, so that it may open pages again.
    public func userActed() { popups = 0 }

    /// Reports that the page's process ended and the view shows nothing. What is saved remains.
    public func processEnded() {
        guard !hasEnded else { return }
        entries.endCrossing()
        tab?.setLoad(.crashed)
    }

    /// Closes the tab, because the page asked for this or agreed to it.
    public func closeRequested() {
        guard !hasEnded, let tab else { return }
        close(tab, .user)
    }

    /// Opens a tab for a page that this page opens. The tab comes after this one, and its view is
    /// made as a relative of this one's; `engine.view(of:)` returns it.
    ///
    /// - Returns: `nil` if the page has opened ``maximumPopups`` since the user last acted in it,
    ///   or if tabs cannot be opened now. The host must then refuse the popup.
    public func wantsPopup(inBackground: Bool = false) -> Tab? {
        guard !hasEnded, popups < maximumPopups, let tab, let list = tab.list else { return nil }
        let popup = Tab(url: "", title: "", .popup(opener: tab), createdAt: list.now())
        let insertion = TabInsertion(opener: tab.id, activates: !inBackground)
        guard !list.isTelling, (try? list.insert(popup, as: insertion)) != nil else { return nil }
        popups += 1
        return popup
    }

    private func close(_ tab: Tab, _ reason: ClosingReason) {
        guard let list = tab.list, !list.isTelling else { return }
        try? list.close(tab, reason: reason)
    }

    /// Updates the tab from the view's history if the history changed.
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
    /// Returns whether the user sees no difference.
    fileprivate func isSame(as other: NavigationHistory) -> Bool {
        currentIndex == other.currentIndex && entries.count == other.entries.count
            && zip(entries, other.entries).allSatisfy { $0.url == $1.url && $0.title == $1.title }
    }

    /// The history with titles that can be shown and saved.
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
    /// Whether the end of a load must be reported.
    fileprivate var mayFinish: Bool {
        switch self {
        case .none, .loading: true
        case .failed, .crashed, .becameDownload: false
        }
    }
}
