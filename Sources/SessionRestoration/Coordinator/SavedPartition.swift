import BrowserModel
import BrowserSessions

/// The interface with which components mark and query the changes of one partition.
struct SavedPartition {
    unowned let driver: SaveDriver
    let partition: StoragePartition

    /// The pending changes of the partition.
    var pending: PendingChanges {
        _read { yield driver.coordinator[partition] }
    }

    // MARK: Tabs

    /// Marks a changed tab in the window of the session.
    func mark(_ tab: Tab, in session: SessionID, isStateNew: Bool) {
        driver.mark(.tab(tab.id, in: session, isStateNew: isStateNew), partition)
    }

    /// Saves a tab in the session as the metadata says, regardless of the model.
    ///
    /// - Parameter isAsked: whether the user asked for it, if it leaves the windows by this.
    func put(_ metadata: TabMetadata, in session: SessionID, isAsked: Bool = false) {
        driver.mark(.put(metadata, in: session, isAsked: isAsked), partition)
    }

    /// Saves a tab that leaves the model, in the session as the metadata says.
    ///
    /// - Parameter isAsked: whether the user asked for it, if it leaves the windows by this.
    func take(
        _ tab: Tab, as metadata: TabMetadata, in session: SessionID, isStateNew: Bool = false,
        isAsked: Bool = false
    ) {
        let isDue = isStateNew || pending.needsState(of: tab.id)
        let state = isDue ? tab.presentState : nil
        driver.mark(
            .taken(
                metadata, in: session, state: state, isStateNew: isStateNew, isAsked: isAsked),
            partition)
    }

    /// Saves the state of a taken tab that arrives late, if the tab has not changed since.
    func take(late state: TabState, of metadata: TabMetadata, in session: SessionID) {
        driver.mark(.lateState(state, of: metadata, in: session), partition)
    }

    /// Saves states of a tab that were read from a restore point.
    func put(earlier states: [StateName: [UInt8]], of tab: TabID, in session: SessionID) {
        driver.mark(.earlierStates(states, of: tab, in: session), partition)
    }

    /// Checks whether the page of a tab has a state that differs from the one read last.
    func look(at tab: Tab, in session: SessionID) {
        guard let state = tab.presentState else { return }
        driver.mark(.page(tab.metadata, in: session, state), partition)
    }

    /// Permanently closes a tab.
    ///
    /// - Parameter isAsked: whether the user asked for it.
    func close(_ tab: TabID, isAsked: Bool = false) {
        driver.mark(.closed(tab, isAsked: isAsked), partition)
    }

    /// Notes tabs, and groups unless they are unknown, that the store already has in the session.
    func stored(
        _ tabs: [TabMetadata], _ nodes: [StructureNode]? = nil, in session: SessionID
    ) {
        driver.mark(.stored(tabs, nodes, in: session), partition)
    }

    // MARK: Sessions

    /// Marks changed attributes, groups, or a changed active tab of a window.
    func mark(_ window: Window) { driver.mark(.session(window.sessionID), partition) }

    /// Marks an entire window for saving.
    func markEverything(of window: Window) {
        // A library without anything in it is no more than none.
        let isNothing = window.tabs.isEmpty && window.tabs.nodes.isEmpty
        guard window.kind.role != .library || !isNothing else { return }
        mark(window)
        for tab in window.tabs {
            mark(tab, in: window.sessionID, isStateNew: tab.isRealized)
        }
    }

    /// Reads the pending records of a window that is about to leave the model.
    func take(_ session: SessionID) {
        let records = driver.read(pending.toCollect(leaving: session), of: partition)
        driver.mark(.leaves(session, records), partition)
    }

    /// Saves attributes for the session unless it has none of its own, regardless of the model, and groups
    /// unless those that the store has stay.
    func put(
        _ attributes: SessionAttributes?, _ nodes: [StructureNode]? = nil, for session: SessionID
    ) {
        let content = SessionContent(attributes: attributes, nodes: nodes)
        driver.mark(.content(content, session), partition)
    }

    /// Removes a session with the tabs in it. Tabs that enter it later stay.
    ///
    /// - Parameter isAsked: whether the user asked for it.
    func remove(_ session: SessionID, isAsked: Bool = false) {
        driver.mark(.removed(session, isAsked: isAsked), partition)
    }

    /// Removes a session with tabs that are elsewhere.
    func removeEmpty(_ session: SessionID) { driver.mark(.removedEmpty(session), partition) }
}
