public import BrowserSessions

// Reports for a closed tab are not an error, because its engine may not know yet that it was closed.

extension Tab {
    /// Reports that the page has another address, or that its history changed.
    ///
    /// - Parameters:
    ///   - url: the address of the current page.
    ///   - title: its title.
    ///   - itemCount: the number of entries in the history.
    ///   - index: the index of the current entry.
    ///   - isNews: whether the history changed in a way that the other values do not show.
    package func didNavigate(
        url: String, title: String, itemCount: Int, index: Int, isNews: Bool = true
    ) {
        guard !isClosed else { return }
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

    /// Reports that the page's state changed, for example by scrolling, zooming or typing.
    package func stateDidChange() { if !isClosed { tell(.stateChanged) } }

    /// Sets the title. Does nothing if it is the same or the tab is closed.
    public func setTitle(_ title: String) { changeMetadata { $0.title = title } }

    /// Sets the address of the page's icon; empty for none. Does nothing if the tab is closed.
    public func setFavicon(url: String) { changeMetadata { $0.faviconURL = url } }

    /// Sets the name that the user gave the tab, shown instead of its title; empty for none.
    public func setName(_ name: String) { changeMetadata { $0.name = name } }

    /// Hides the tab in lists of tabs, or shows it again. It stays where it is.
    public func setHidden(_ isHidden: Bool) { changeMetadata { $0.isHidden = isHidden } }

    /// Hides what branches from the tab in lists of tabs, or shows it again.
    public func setFolded(_ isFolded: Bool) { changeMetadata { $0.isFolded = isFolded } }

    /// Sets the page that a pinned tab returns to; `nil` for none.
    public func setPinnedPage(_ page: PinnedPage?) { changeMetadata { $0.pinnedPage = page } }

    /// Sets a small attribute of the host; `nil` removes it.
    public func setProperty(_ name: String, to value: String?) {
        changeMetadata { $0.properties[name] = value }
    }

    /// Changes what is known of the tab, which is then saved; not its page or its state.
    package func changeMetadata(_ change: (inout TabMetadata) -> Void) {
        guard !isClosed else { return }
        var changed = metadata
        change(&changed)
        guard changed != metadata else { return }
        metadata = changed
        tell(.detailsChanged)
    }

    /// Reports that the user sees the tab.
    package func wasShown(at time: Timestamp) {
        guard !isClosed else { return }
        metadata.lastActiveAt = time
        tell(.shown)
    }
}
