import BrowserSessions

/// A tab of a source with its name in the store.
struct PlacedTab {
    enum Decision {
        /// The tab is not in the store.
        case add
        /// The tab is in the store, and is updated to its content in the source.
        case update
        /// The tab stays as it is, or remains absent.
        case leave
    }

    var snapshot: TabSnapshot
    let source: TabID
    let print: TabPrint
    var content: UInt64 = 0
    /// The notes about the tab, with the window in which it was noted.
    var noted: (window: NotedWindow, tab: NotedWindow.Tab)?
    /// Whether the tab is in the store without notes about it.
    var isAdopted = false
    var isAmbiguous = false
    var isMoved = false
    var decision = Decision.leave
    /// Whether the tab is noted with the session of the source.
    var isNotedHere = true

    init(_ snapshot: TabSnapshot, _ print: TabPrint) {
        self.snapshot = snapshot
        source = snapshot.metadata.id
        self.print = print
    }
}
