import BrowserSessions

extension SNSSSessionReplay {
    /// Returns one draft per open window, with the oldest window first.
    func drafts(_ identity: SourceIdentity, _ reading: inout SourceReading) -> [SessionDraft] {
        var byWindow: [Int32: [Int32]] = [:]
        var (empty, closed) = (0, 0)
        for (id, tab) in tabs {
            if tab.history.isEmpty {
                empty += 1
            } else if let window = tab.window, isClosed(window) {
                closed += 1
            } else {
                byWindow[tab.window ?? 0, default: []].append(id)
            }
        }
        report(empty, closed, byWindow, &reading)
        return byWindow.keys.sorted().map { window in
            draft(window, byWindow[window] ?? [], identity, &reading)
        }
    }

    /// Returns whether a window is closed. Its tabs have no such command of their own.
    private func isClosed(_ window: Int32) -> Bool {
        closedWindows.contains(window) && windows[window]?.type == nil
    }

    private func report(
        _ empty: Int, _ closed: Int, _ byWindow: [Int32: [Int32]], _ reading: inout SourceReading
    ) {
        let place = "the whole file"
        if empty > 0 {
            let isLoss = byWindow.isEmpty && reading.counts.unknownRecords > 0
            reading.log.add(
                ImportProblem(
                    isLoss ? .loss : .note, at: place,
                    "\(empty) tabs without a history entry are left out"))
        }
        if closed > 0 {
            reading.log.note(at: place, "\(closed) tabs were closed with their window")
        }
        for window in byWindow.keys.sorted() where windows[window]?.type == nil {
            reading.mayLackMore = true
            reading.log.repair(
                at: "window \(window)",
                "\(byWindow[window]?.count ?? 0) tabs name a window that the file does not describe"
            )
        }
    }

    private func draft(
        _ window: Int32, _ members: [Int32], _ identity: SourceIdentity,
        _ reading: inout SourceReading
    ) -> SessionDraft {
        let windowID: WindowID = identity.identifier("window", String(window))
        var draft = SessionDraft(id: SessionID(window: windowID))
        draft.location = "window \(window)"
        draft.attributes.properties = windows[window]?.properties ?? [:]
        let title = draft.attributes.properties.removeValue(forKey: "chromium.user-title")
        draft.attributes.title = title ?? ""
        if let type = windows[window]?.type {
            draft.attributes.properties["chromium.window-type"] = String(type)
        }
        if activeWindow == window { draft.attributes.properties["chromium.is-active"] = "true" }
        let order = members.sorted { left, right in
            let (a, b) = (tabs[left]?.visualIndex ?? -1, tabs[right]?.visualIndex ?? -1)
            return (a, left) < (b, right)
        }
        for id in order {
            guard let tab = tabs[id], reading.nextTab(at: "tab \(id)") != nil else { break }
            draft.tabs.append(self.draft(id, tab, identity))
            if tab.visualIndex == windows[window]?.selectedIndex {
                draft.attributes.activeTab = draft.tabs.last?.metadata.id
            }
        }
        var known: Set<NodeID> = []
        for id in draft.tabs.compactMap(\.metadata.group) where known.insert(id).inserted {
            // Browsers describe every group, so the description of this one is missing.
            reading.mayLackMore = reading.mayLackMore || groups[id] == nil
            draft.nodes.append(groups[id] ?? StructureNode.group(id: id))
        }
        if draft.attributes.activeTab == nil {
            draft.attributes.activeTab = draft.tabs.first?.metadata.id
        }
        return draft
    }

    private func draft(_ id: Int32, _ tab: Tab, _ identity: SourceIdentity) -> TabDraft {
        var draft = TabDraft(id: identity.identifier("tab", String(id)), location: "tab \(id)")
        draft.metadata.isPinned = tab.isPinned
        draft.metadata.group = tab.group
        draft.metadata.properties = tab.properties
        // Old files count from the start of the system, which is not a date.
        let active = Timestamp(windowsMicroseconds: tab.lastActive)
        draft.metadata.lastActiveAt = active.microseconds > 0 ? active : .unknown
        draft.history = tab.history.history()
        draft.adoptHistory()
        return draft
    }
}
