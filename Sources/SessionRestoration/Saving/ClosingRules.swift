import BrowserModel
import BrowserSessions

/// A closed tab that is kept, and its session. Its page may have more to report.
struct KeptTab {
    var tab: Tab
    var metadata: TabMetadata
    var session: SessionID
}

/// Decides about a closed tab: it is removed, kept among the recently closed tabs.
protocol ClosingRules: AnyObject {
    /// - Returns: the tab if it is kept and its page can be asked for more; otherwise `nil`.
    func closed(_ removal: TabRemoval, in window: Window) -> KeptTab?
    /// A node of a window ended: it was dissolved, or what was in it was closed or moved.
    func ended(_ node: StructureNode, in window: Window)
    /// All tabs that were closed together, and nodes that ended by this, were handled.
    func batchEnded()
}

/// Closing rules that remove every closed tab.
final class CloseForGood: ClosingRules {
    private let saves: SavedPartition

    init(_ saves: SavedPartition) { self.saves = saves }

    func closed(_ removal: TabRemoval, in window: Window) -> KeptTab? {
        saves.mark(.closed(removal.tab.id))
        return nil
    }

    func ended(_ node: StructureNode, in window: Window) {}

    func batchEnded() {}
}
