import BrowserSessions

// A store limits the size of each state of a tab, and of the tab's metadata. It refuses the whole
// save if one of them is larger. A tab that is too large therefore drops its least important
// content here.

extension TabDraft {
    /// Leaves out what exceeds the limits, and reports it: the oldest entries of a history, the icon,
    /// properties, a long address and the title, in this order, and then the content of states.
    mutating func fit(_ limits: ImportLimits, _ log: inout ProblemLog) {
        if var history, history.entries.count > limits.maximumEntriesPerTab {
            let excess = history.entries.count - limits.maximumEntriesPerTab
            removeOldest(excess, of: &history, over: "the limit", &log)
            self.history = history
        }
        fitMetadata(limits.maximumMetadataBytes, &log)
        fitHistory(limits.maximumStateBytes, &log)
        for (name, state) in states where state.count > limits.maximumStateBytes {
            log.loss(
                at: location,
                "the '\(name.rawValue)' state has \(state.count) bytes, over the limit, and is left out"
            )
            states[name] = nil
        }
        if let native, native.count > limits.maximumStateBytes {
            log.loss(
                at: location,
                "the engine's state has \(native.count) bytes, over the limit, and is left out")
            self.native = nil
        }
    }

    // MARK: - Metadata

    private mutating func fitMetadata(_ limit: Int, _ log: inout ProblemLog) {
        guard metadata.encoded().count > limit else { return }
        if !metadata.faviconURL.isEmpty {
            log.repair(
                at: location,
                "the address of the icon has \(metadata.faviconURL.utf8.count) bytes, over the limit "
                    + "of a tab, and is left out")
            metadata.faviconURL = ""
        }
        metadata.properties = metadata.properties.without(
            metadata.encoded().count - limit, of: "a tab", at: location, &log)
        guard metadata.encoded().count > limit else { return }
        if metadata.url.utf8.count > limit / 2 {
            log.repair(
                at: location,
                "the address has \(metadata.url.utf8.count) bytes, over the limit of a tab, and is in "
                    + "the history alone")
            metadata.url = ""
        }
        let maximum = metadata.title.utf8.count - (metadata.encoded().count - limit)
        metadata.title.cut(to: maximum, "the title", at: location, &log)
    }

    // MARK: - History

    private mutating func fitHistory(_ limit: Int, _ log: inout ProblemLog) {
        guard var history else { return }
        var excess = history.encoded().count - limit
        guard excess > 0 else { return }
        dropPageStates(of: &history, excess, &log)
        excess = history.encoded().count - limit
        while excess > 0, history.entries.count > 1 {
            dropOldest(of: &history, excess, &log)
            excess = history.encoded().count - limit
        }
        if excess > 0 {
            log.loss(at: location, "the history is over the limit of a state and is left out")
            self.history = nil
        } else {
            self.history = history
        }
    }

    /// Drops the page states of other pages, the oldest first, and then that of the shown page.
    private func dropPageStates(
        of history: inout NavigationHistory, _ excess: Int, _ log: inout ProblemLog
    ) {
        var (pages, bytes, freed) = (0, 0, 0)
        let current = history.currentIndex
        for index in history.entries.indices.filter({ $0 != current })
            + [current].compactMap({ $0 })
        where excess > freed {
            let before = history.entries[index]
            guard before.stateBytes > 0 else { continue }
            history.entries[index].dropStates()
            (pages, bytes) = (pages + 1, bytes + before.stateBytes)
            freed += before.encodedBytes - history.entries[index].encodedBytes
        }
        guard pages > 0 else { return }
        log.loss(
            at: location,
            "the states of \(counted(pages, "page")) with \(counted(bytes, "byte")) are left out, the "
                + "history is over the limit of a state")
    }

    /// Drops as many of the oldest entries as exceed the limit, at least one.
    private mutating func dropOldest(
        of history: inout NavigationHistory, _ excess: Int, _ log: inout ProblemLog
    ) {
        var (count, bytes) = (0, 0)
        while count < history.entries.count - 1, bytes < excess {
            bytes += history.entries[count].encodedBytes
            count += 1
        }
        removeOldest(count, of: &history, over: "the limit of a state", &log)
    }

    private mutating func removeOldest(
        _ count: Int, of history: inout NavigationHistory, over limit: String,
        _ log: inout ProblemLog
    ) {
        history.entries.removeFirst(count)
        history.currentIndex = history.currentIndex.map { max($0 - count, 0) }
        metadata.navigationItemCount = Int32(clamping: history.entries.count)
        log.loss(at: location, "\(count) oldest history entries are over \(limit)")
    }
}

extension SessionDraft {
    /// Leaves out what exceeds the limits of a window, and reports it: properties, then titles.
    mutating func fit(_ limits: ImportLimits, _ log: inout ProblemLog) {
        for index in tabs.indices { tabs[index].fit(limits, &log) }
        let limit = limits.maximumMetadataBytes
        for index in nodes.indices { nodes[index].fit(limit, at: location, &log) }
        guard attributes.encodedPayload().count > limit else { return }
        attributes.properties = attributes.properties.without(
            attributes.encodedPayload().count - limit, of: "a window", at: location, &log)
        let excess = attributes.encodedPayload().count - limit
        guard excess > 0 else { return }
        attributes.title.cut(
            to: attributes.title.utf8.count - excess, "the title", at: location, &log)
    }
}

extension StructureNode {
    fileprivate mutating func fit(_ limit: Int, at location: String, _ log: inout ProblemLog) {
        let excess = encodedPayload().count - limit
        guard excess > 0 else { return }
        properties = properties.without(excess, of: "a group", at: location, &log)
        let rest = encodedPayload().count - limit
        guard rest > 0 else { return }
        name.cut(to: name.utf8.count - rest, "the title of a group", at: location, &log)
    }
}

// MARK: - Sizes

extension [String: String] {
    /// Returns the values without the largest ones, until this many bytes are removed.
    fileprivate func without(
        _ excess: Int, of owner: String, at location: String, _ log: inout ProblemLog
    ) -> Self {
        var kept = self
        var (count, bytes) = (0, 0)
        let largest = sorted { ($1.value.utf8.count, $0.key) < ($0.value.utf8.count, $1.key) }
        for (key, value) in largest where bytes < excess {
            kept[key] = nil
            (count, bytes) = (count + 1, bytes + value.utf8.count)
        }
        guard count > 0 else { return self }
        let names = counted(count, "property", "properties")
        log.repair(
            at: location, "\(names) with \(bytes) bytes over the limit of \(owner), left out")
        return kept
    }
}

extension String {
    fileprivate mutating func cut(
        to limit: Int, _ subject: String, at location: String, _ log: inout ProblemLog
    ) {
        let count = utf8.count
        guard count > limit else { return }
        var end = utf8.index(startIndex, offsetBy: max(limit, 0))
        while end.samePosition(in: self) == nil { end = utf8.index(before: end) }
        self = String(self[..<end])
        log.repair(at: location, "\(subject) is cut from \(count) to \(utf8.count) bytes")
    }
}

extension NavigationEntry {
    /// The number of bytes of page states, including those in frames.
    fileprivate var stateBytes: Int {
        subframes.reduce(pageState.count) { $0 + $1.stateBytes }
    }

    /// The size in bytes in the encoded history.
    fileprivate var encodedBytes: Int { NavigationHistory(entries: [self]).encoded().count }

    fileprivate mutating func dropStates() {
        pageState = []
        for index in subframes.indices { subframes[index].dropStates() }
    }
}
