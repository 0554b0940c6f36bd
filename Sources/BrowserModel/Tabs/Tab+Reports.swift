public import BrowserSessions

extension Tab {
    /// The page shows another address, or its history changed.
    ///
    /// - Parameters:
    ///   - url: the address of the page that is shown.
    ///   - title: its title.
    ///   - itemCount: how many entries the history has.
    ///   - index: which of them is shown.
    ///   - isNews: whether the history changed where these do not show it.
    package func didNavigate(
        url: String, title: String, itemCount: Int, index: Int, isNews: Bool = true
    ) {
        guard mayChange() else { return }
        let count = Int32(clamping: itemCount)
        let isKnown =
            metadata.url == url && metadata.title == title && metadata.navigationItemCount == count
            && navigationIndex == index
        guard isNews || !isKnown else { return }
        if !isKnown {
            metadata.url = url
            metadata.title = title
            metadata.navigationItemCount = count
            setShownEntry(index)
        }
        tell(.navigated)
    }

    /// The state of the page changed: the user scrolled, zoomed or filled in a form.
    package func stateDidChange() { if mayChange() { tell(.stateChanged) } }

    public func setTitle(_ title: String) {
        guard mayChange(), metadata.title != title else { return }
        metadata.title = title
        tell(.detailsChanged)
    }

    public func setFavicon(url: String) {
        guard mayChange(), metadata.faviconURL != url else { return }
        metadata.faviconURL = url
        tell(.detailsChanged)
    }

    /// Sets or, with `nil`, removes a small attribute of the host.
    public func setProperty(_ name: String, to value: String?) {
        guard mayChange(), metadata.properties[name] != value else { return }
        metadata.properties[name] = value
        tell(.detailsChanged)
    }

    /// The user sees the tab.
    public func wasShown(at time: Timestamp) {
        guard mayChange() else { return }
        metadata.lastActiveAt = time
        tell(.shown)
    }

    /// A closed tab does not change any more; its engine may not have heard of it yet, so that is not
    /// an error.
    private func mayChange() -> Bool { !isClosed }
}
