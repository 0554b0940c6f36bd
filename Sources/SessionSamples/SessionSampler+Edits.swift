public import BrowserSessions

extension SessionSampler {
    /// Changes a tab as loading a page does. The result always differs.
    public mutating func mutate(_ tab: inout TabMetadata) {
        tab.url = SampleText.url(&generator)
        tab.title = SampleText.title(&generator)
        tab.navigationItemCount = min(tab.navigationItemCount &+ 1, 50)
        tab.lastActiveAt.microseconds &+= Int64(generator.integer(in: 1...60_000_000))
    }

    /// Returns a random edit of a single window.
    public mutating func randomEdit(of window: SessionSnapshot) -> (
        changes: SessionChanges, expected: SessionSnapshot
    ) {
        let kinds: [SessionEdit.Kind] = [
            .insert, .close, .move, .activate, .pin, .group, .navigate,
        ]
        let edit = randomEdit(of: [window], kinds: kinds)
        return (edit.changes, edit.expected.first ?? window)
    }

    /// Returns a random edit of windows in one partition, or an `insert` if eight attempts fail.
    ///
    /// Inserted tabs and navigated tabs have a `navigation` state.
    ///
    /// - Precondition: `windows` is not empty.
    public mutating func randomEdit(
        of windows: [SessionSnapshot], kinds: [SessionEdit.Kind] = SessionEdit.Kind.allCases
    ) -> SessionEdit {
        for _ in 0..<8 where !kinds.isEmpty {
            let edit = edit(generator.pick(kinds), of: windows)
            if let edit, !edit.changes.isEmpty { return edit }
        }
        var after = windows
        insertTab(into: &after[generator.integer(in: 0...windows.count - 1)])
        return SessionEdit(.insert, from: windows, to: after)
    }

    /// Returns an edit of the given kind somewhere in the windows; `nil` if it is impossible there,
    /// such as closing a tab in a window that has none.
    public mutating func edit(_ kind: SessionEdit.Kind, of windows: [SessionSnapshot])
        -> SessionEdit?
    {
        guard !windows.isEmpty else { return nil }
        var after = windows
        let target = generator.integer(in: 0...windows.count - 1)
        switch kind {
        case .insert: insertTab(into: &after[target])
        case .openWindow:
            after.append(
                window(
                    tabs: generator.integer(in: 0...5), kind: windows[target].id.kind,
                    state: .navigationOnly))
        case .closeWindow:
            guard windows.count > 1 else { return nil }
            after.remove(at: target)
        case .moveToWindow:
            guard windows.count > 1, let tab = takeTab(from: &after[target]) else { return nil }
            let other = (target + generator.integer(in: 1...windows.count - 1)) % windows.count
            after[other].insert(tab, near: generator.integer(in: 0...after[other].tabs.count))
            after[other].tidy()
        default:
            guard !windows[target].tabs.isEmpty else { return nil }
            edit(kind, of: &after[target])
        }
        if after.indices.contains(target) { after[target].tidy() }
        return SessionEdit(kind, from: windows, to: after)
    }

    /// Edits a window that has tabs.
    private mutating func edit(_ kind: SessionEdit.Kind, of window: inout SessionSnapshot) {
        let index = generator.integer(in: 0...window.tabs.count - 1)
        switch kind {
        case .close: window.tabs.remove(at: index)
        case .move:
            let tab = window.tabs.remove(at: index)
            window.insert(tab, near: generator.integer(in: 0...window.tabs.count))
        case .activate:
            window.tabs[index].metadata.lastActiveAt.microseconds &+= 1_000_000
            window.attributes.activeTab = window.tabs[index].metadata.id
        case .pin:
            var tab = window.tabs.remove(at: index)
            tab.metadata.isPinned.toggle()
            window.insert(tab, near: window.pinnedCount)
        case .group: toggleGroup(at: index, in: &window)
        default:
            mutate(&window.tabs[index].metadata)
            let blobs = SampleState.navigationOnly.blobs(of: window.tabs[index].metadata)
            window.tabs[index].states.merge(blobs) { _, new in new }
        }
    }

    private mutating func insertTab(into window: inout SessionSnapshot) {
        let metadata = tab(at: .between(nil, and: nil))
        let blobs = SampleState.navigationOnly.blobs(of: metadata)
        let index = generator.integer(in: 0...window.tabs.count)
        window.insert(TabSnapshot(metadata: metadata, states: blobs), near: index)
    }

    private mutating func takeTab(from window: inout SessionSnapshot) -> TabSnapshot? {
        guard !window.tabs.isEmpty else { return nil }
        return window.tabs.remove(at: generator.integer(in: 0...window.tabs.count - 1))
    }

    /// Dissolves the group of a tab, or puts the ungrouped tabs from there on into a new group.
    private mutating func toggleGroup(at index: Int, in window: inout SessionSnapshot) {
        if let group = window.tabs[index].metadata.group {
            for member in window.tabs.indices where window.tabs[member].metadata.group == group {
                window.tabs[member].metadata.group = nil
            }
            return
        }
        let length = generator.integer(in: 2...12)
        let free = window.tabs[index...].prefix(length).prefix {
            $0.metadata.group == nil && !$0.metadata.isPinned
        }
        guard !free.isEmpty else { return }
        let group = group()
        for member in free.indices { window.tabs[member].metadata.group = group.id }
        window.nodes.append(group)
        window.placeGroups()
    }
}
