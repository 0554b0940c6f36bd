public import BrowserModel
public import BrowserSessions

/// Reads the state of tabs without realizing them: ``SessionRestorer/states``.
public struct TabStateReader: RestorerPart {
    let components: RestorerComponents

    /// Returns a tab's state from its page, from memory or from the store, without realizing the tab. A tab
    /// that is closed and can be reopened has one, too.
    ///
    /// - Throws: ``SessionRestorationError/tabList(_:)`` if no tab of an open window, and no closed one, has the
    ///   identifier; ``SessionRestorationError/storage(_:)`` if the store cannot read the state
    ///   now.
    public func state(
        of tab: some TabReference
    ) async throws(SessionRestorationError) -> TabState {
        let open = context.tab(tab)
        if let state = open?.presentState { return state }
        guard let metadata = open?.metadata ?? closedTabs[tab.tabID]?.metadata else {
            throw .tabList(.unknownTab(tab.tabID))
        }
        let source = context.states(of: open?.partition ?? .regular)
        return try await SessionRestorationError.converting {
            try await source.loadStates(of: [metadata])[metadata.id] ?? TabState()
        }
    }

    /// Returns the icons that the host gave to the tabs' pages, without realizing any tab: for a
    /// tab strip at launch, without a network. Tabs without an icon are left out.
    ///
    /// - Throws: ``SessionRestorationError/storage(_:)`` if the store fails. A damaged icon is left
    ///   out.
    public func icons(
        of tabs: some Sequence<Tab>
    ) async throws(SessionRestorationError) -> [TabID: [UInt8]] {
        var icons: [TabID: [UInt8]] = [:]
        for partition in StoragePartition.allCases {
            let tabs = tabs.filter { $0.partition == partition }
            var stored: [TabID] = []
            for tab in tabs {
                if let icon = (tab.page?.extra ?? tab.heldState?.extra)?[.icon] {
                    icons[tab.id] = icon
                } else if !tab.isRealized {
                    stored.append(tab.id)
                }
            }
            let source = context.states(of: partition)
            let saved = try await SessionRestorationError.converting {
                try await source.loadIcons(of: stored)
            }
            icons.merge(saved) { $1 }
        }
        return icons
    }

    /// Returns an unrealized tab with a given state, to open many tabs at once or tabs of another
    /// device. Insert it into a list to save it with the next changes. Selecting it realizes it.
    public func createUnrealizedTab(_ metadata: TabMetadata, state: TabState) -> Tab {
        var metadata = metadata
        if metadata.createdAt == .unknown { metadata.createdAt = context.clock.now }
        if metadata.lastActiveAt == .unknown { metadata.lastActiveAt = metadata.createdAt }
        metadata.navigationItemCount = Int32(clamping: state.history.entries.count)
        return Tab(unrealized: metadata, state: state)
    }
}
