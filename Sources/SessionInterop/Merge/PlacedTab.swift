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
    var noted: NotedWindow.Tab?
    var notedHome: SessionID?
    var notedGroup: NotedWindow.Group?
    /// Whether the tab is in the store without notes about it.
    var isAdopted = false
    var isAmbiguous = false
    /// Whether it was in a closed window of the source that is still closed here.
    var isClosedAsImported = false
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
