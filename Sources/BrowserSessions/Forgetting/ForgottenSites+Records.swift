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
        guard reaches(tab.lastActiveAt) else { return false }
        let before = tab
        if isNamed(in: tab.faviconURL), !matches(tab.url) { tab.faviconURL = "" }
        tab.properties = redacted(tab.properties)
        if isNamed(in: tab.unknownFields) { tab.unknownFields = [] }
        if isNamed(in: tab.opener?.unknownFields ?? []) { tab.opener?.unknownFields = [] }
        redact(&tab.closedFrom)
        if let page = tab.pinnedPage, !matches(tab.url) {
            if matches(page.url) {
                tab.pinnedPage = nil
            } else if isNamed(in: page.faviconURL) || isNamed(in: page.unknownFields) {
                tab.pinnedPage = PinnedPage(url: page.url, title: page.title)
            }
        }
        return tab != before
    }

    /// Takes what the attributes of a session have of the sites out of them.
    ///
    /// - Returns: whether anything was taken out.
    package func redact(_ attributes: inout SessionAttributes) -> Bool {
        guard reaches(attributes.lastActiveAt) else { return false }
        let before = attributes
        attributes.properties = redacted(attributes.properties)
        if isNamed(in: attributes.unknownFields) { attributes.unknownFields = [] }
        return attributes != before
    }

    /// Takes what a node has of the sites beside its name out of it.
    ///
    /// - Returns: whether anything was taken out.
    package func redact(_ node: inout StructureNode) -> Bool {
        let before = node
        node.properties = redacted(node.properties)
        redact(&node.closedFrom)
        if isNamed(in: node.icon) { node.icon = "" }
        if isNamed(in: node.unknownFields) { node.unknownFields = [] }
        return node != before
    }

    /// Takes what a record has of the sites out of it, apart from the page of a tab and the name of a node.
    ///
    /// - Returns: whether anything was taken out.
    package func redact(_ record: inout SessionRecord) -> Bool {
        let isChanged: Bool
        switch record {
        case .session(let id, var attributes):
            isChanged = redact(&attributes)
            record = .session(id, attributes)
        case .tab(var tab, let id):
            isChanged = redact(&tab)
            record = .tab(tab, in: id)
        case .node(var node, let id):
            isChanged = redact(&node)
            record = .node(node, in: id)
        }
        return isChanged
    }

    /// Returns whether the state of a tab goes as a whole: it is no history, nothing can be taken out of it, and it
    /// names one of the sites.
    ///
    /// - Parameters:
    ///   - name: what the state is.
    ///   - bytes: the state.
    package func covers(stateNamed name: StateName, _ bytes: [UInt8]) -> Bool {
        if name == .navigation, (try? NavigationHistory(encoded: bytes)) != nil { return false }
        return isNamed(in: bytes)
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
            let isCovered = covers(entry)
            let staysAsItIs = isCovered && isCurrent && keepsCurrent
            if isCovered, !staysAsItIs {
                // The entry before stands in for one that was shown.
                if isCurrent { current = kept.isEmpty ? nil : kept.count - 1 }
                continue
            }
            if isCurrent { current = kept.count }
            kept.append(staysAsItIs ? entry : redacted(entry))
        }
        let removed = history.entries.count - kept.count
        history.entries = kept
        history.currentIndex = current ?? (kept.isEmpty ? nil : 0)
        if isNamed(in: history.unknownFields) { history.unknownFields = [] }
        return (removed, history != before)
    }

    private func redact(_ place: inout FormerPlace?) {
        guard let former = place else { return }
        if isNamed(in: former.reason) { place?.reason = "" }
        if isNamed(in: former.unknownFields) { place?.unknownFields = [] }
    }

    private func covers(_ entry: NavigationEntry) -> Bool {
        reaches(entry.time) && (matches(entry.url) || matches(entry.displayURL))
    }

    private func redacted(_ entry: NavigationEntry) -> NavigationEntry {
        guard reaches(entry.time) else { return entry }
        var entry = entry
        if isNamed(in: entry.referrer) { entry.referrer = "" }
        let frames = entry.subframes.filter { !covers($0) }.map(redacted)
        if frames != entry.subframes {
            entry.subframes = frames
            // It may hold what was in those frames.
            entry.pageState = []
        }
        if isNamed(in: entry.pageState) { entry.pageState = [] }
        entry.requestHeaders.removeAll { isNamed(in: $0.value) || isNamed(in: $0.name) }
        entry.properties = redacted(entry.properties)
        if isNamed(in: entry.unknownFields) { entry.unknownFields = [] }
        return entry
    }

    private func redacted(_ properties: [String: String]) -> [String: String] {
        properties.filter { !isNamed(in: $0.value) && !isNamed(in: $0.key) }
    }
}
