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

    /// Notes a change of the model.
    func mark(_ mark: PendingChanges.Mark) { driver.send(.marked(mark, partition)) }

    /// Saves a tab that leaves the model, in the session as the metadata says.
    ///
    /// - Parameter isAsked: whether the user asked for it, if it leaves the windows by this.
    func take(
        _ tab: Tab, as metadata: TabMetadata, in session: SessionID, isStateNew: Bool = false,
        isAsked: Bool = false
    ) {
        let isDue = isStateNew || pending.needsState(of: tab.id)
        let state = isDue ? tab.presentState : nil
        mark(.taken(metadata, in: session, state: state, isStateNew: isStateNew, isAsked: isAsked))
    }

    /// Checks whether the page of a tab has a state that differs from the one read last.
    func look(at tab: Tab, in session: SessionID) {
        guard let state = tab.presentState else { return }
        mark(.page(tab.metadata, in: session, state))
    }

    /// Marks an entire window for saving.
    func markEverything(of window: Window) {
        // A library without anything in it is no more than none.
        let isNothing = window.tabs.isEmpty && window.tabs.nodes.isEmpty
        guard window.kind.role != .library || !isNothing else { return }
        mark(.session(window.sessionID))
        for tab in window.tabs {
            mark(.tab(tab.id, in: window.sessionID, isStateNew: tab.isRealized))
        }
    }

    /// Reads the pending records of a window that is about to leave the model.
    func take(_ session: SessionID) {
        let records = driver.read(pending.toCollect(leaving: session), of: partition)
        mark(.leaves(session, records))
    }
}
