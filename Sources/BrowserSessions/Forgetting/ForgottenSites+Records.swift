// What sites leave in records.

extension ForgottenSites {
    /// Returns whether a tab that is not open is forgotten as a whole.
    package func covers(_ tab: TabMetadata) -> Bool {
        reaches(tab.lastActiveAt) && matches(tab.url)
    }

    /// Takes what a tab that stays has of the sites beside its own page out of its record.
    ///
    /// - Returns: whether anything was taken out.
    package func redact(_ tab: inout TabMetadata) -> Bool {
        let before = tab
        if matches(tab.faviconURL), !matches(tab.url) { tab.faviconURL = "" }
        tab.properties = redacted(tab.properties)
        if mentions(tab.unknownFields) { tab.unknownFields = [] }
        if let page = tab.pinnedPage, matches(page.url), !matches(tab.url) { tab.pinnedPage = nil }
        return tab != before
    }

    /// Takes what the attributes of a session have of the sites out of them.
    ///
    /// - Returns: whether anything was taken out.
    package func redact(_ attributes: inout SessionAttributes) -> Bool {
        let before = attributes
        attributes.properties = redacted(attributes.properties)
        if mentions(attributes.unknownFields) { attributes.unknownFields = [] }
        return attributes != before
    }

    /// Takes the entries of the sites out of a history.
    ///
    /// - Parameter keepsCurrent: whether the entry that is shown stays.
    /// - Returns: how many entries went, and whether anything else was taken out.
    package func redact(_ history: inout NavigationHistory, keepingCurrent keepsCurrent: Bool)
        -> (entries: Int, isChanged: Bool)
    {
        let before = history
        var kept: [NavigationEntry] = []
        var current: Int?
        for (index, entry) in history.entries.enumerated() {
            let isCurrent = index == history.currentIndex
            if covers(entry), !(isCurrent && keepsCurrent) {
                // The entry before stands in for one that was shown.
                if isCurrent { current = kept.isEmpty ? nil : kept.count - 1 }
                continue
            }
            if isCurrent { current = kept.count }
            kept.append(redacted(entry))
        }
        let removed = history.entries.count - kept.count
        history.entries = kept
        history.currentIndex = current ?? (kept.isEmpty ? nil : 0)
        if mentions(history.unknownFields) { history.unknownFields = [] }
        return (removed, history != before)
    }

    private func covers(_ entry: NavigationEntry) -> Bool {
        reaches(entry.time) && (matches(entry.url) || matches(entry.displayURL))
    }

    private func redacted(_ entry: NavigationEntry) -> NavigationEntry {
        var entry = entry
        if !entry.referrer.isEmpty, matches(entry.referrer) { entry.referrer = "" }
        let frames = entry.subframes.filter { !covers($0) }.map(redacted)
        if frames != entry.subframes {
            entry.subframes = frames
            // It may hold what was in those frames.
            entry.pageState = []
        }
        if mentions(entry.pageState) { entry.pageState = [] }
        entry.requestHeaders.removeAll { mentions($0.value) }
        entry.properties = redacted(entry.properties)
        if mentions(entry.unknownFields) { entry.unknownFields = [] }
        return entry
    }

    private func redacted(_ properties: [String: String]) -> [String: String] {
        properties.filter { !mentions($0.value) && !mentions($0.key) }
    }
}
