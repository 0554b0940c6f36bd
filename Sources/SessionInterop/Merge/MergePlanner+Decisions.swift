import BrowserSessions

extension MergePlanner {
    /// Decides what happens to each tab of a session, and counts the decisions.
    func decide(_ draft: inout WindowDraft, _ changedHere: Set<TabID>) throws(StorageError) {
        for index in draft.tabs.indices {
            var tab = draft.tabs[index]
            let home = contents.home(of: tab.snapshot.metadata.id, in: draft.target.partition)
            if mode == .merge, let noted = tab.noted {
                try merge(&tab, noted, home, &draft, changedHere)
            } else if let home {
                // Without notes about the tab, it is unknown what changed and where.
                if mode == .replacement {
                    tab.decision = .update
                    tab.isMoved = home != draft.target
                    draft.counts.tabsUpdated += tab.content == tab.noted?.tab.content ? 0 : 1
                } else {
                    tab.isNotedHere = !draft.source.isIncomplete
                    draft.counts.unchanged += 1
                }
            } else {
                tab.decision = .add
                draft.counts.tabsAdded += 1
                draft.counts.ambiguous += tab.isAmbiguous ? 1 : 0
            }
            draft.tabs[index] = tab
        }
    }

    /// Returns the tabs that changed both in a source and here. Compares the content of the store with
    /// the notes. An unreadable state counts as changed.
    func tabsChangedHere(_ drafts: [WindowDraft], _ partition: StoragePartition)
        async throws(StorageError) -> Set<TabID>
    {
        guard mode == .merge else { return [] }
        var contentOf: [TabID: UInt64] = [:]
        for draft in drafts where !draft.source.isIncomplete {
            for tab in draft.tabs {
                guard let noted = tab.noted?.tab,
                    let home = contents.home(of: noted.ours, in: partition),
                    tab.content != noted.content || home != draft.target
                else { continue }
                contentOf[noted.ours] = noted.content
            }
        }
        var tabs: Set<TabID> = []
        try await contents.forEach(Set(contentOf.keys), in: partition) {
            if $0.contentPrint != contentOf[$0.metadata.id] { tabs.insert($0.metadata.id) }
        }
        return tabs
    }

    private func merge(
        _ tab: inout PlacedTab, _ noted: (window: NotedWindow, tab: NotedWindow.Tab),
        _ home: SessionID?, _ draft: inout WindowDraft, _ changedHere: Set<TabID>
    ) throws(StorageError) {
        let former = noted.window.ours
        tab.isNotedHere = former == draft.noted?.ours
        guard let home else {
            guard !contents.incompletePartitions.contains(draft.target.partition) else {
                throw .lostOrClosed
            }
            draft.counts.closedHere += 1
            return
        }
        let isSame = tab.content == noted.tab.content
        guard !draft.source.isIncomplete else {
            draft.counts[keyPath: isSame ? \MergeCounts.unchanged : \.unverified] += 1
            return
        }
        let isOnShelf = former.kind.role == .shelf && home.kind == former.kind
        let wasClosed = isOnShelf || contents.isClosedAsImported(noted.window) && home == former
        if draft.source.isOpen, !contents.isOpen(home), !wasClosed {
            draft.counts.closedHere += 1
        } else if !draft.source.isOpen, contents.isOpen(home) {
            draft.counts.goneInSource += 1
        } else if home != former, !(wasClosed && draft.source.isOpen) {
            // The tab was moved here.
            draft.counts[keyPath: isSame ? \MergeCounts.unchanged : \.kept] += 1
        } else if home == draft.target, isSame {
            draft.counts.unchanged += 1
        } else if changedHere.contains(tab.snapshot.metadata.id) {
            draft.counts.kept += 1
        } else {
            tab.decision = .update
            tab.isMoved = home != draft.target
            tab.isNotedHere = true
            draft.counts.tabsUpdated += 1
        }
    }
}

extension StorageError {
    fileprivate static var lostOrClosed: StorageError {
        StorageError(
            .corrupted,
            """
            something in the store cannot be read, so whether tabs that were imported are lost or were \
            closed here is not known; nothing was imported. Repair the store and import again, or import \
            as additions (--add) or as a replacement (--replace)
            """, operation: "import")
    }
}
