import BrowserModel
import BrowserSessions

final class ClosedTabs: ClosingRules {
    func load(_ sessions: [RestoredSession]) {}
    func closed(_ removal: TabRemoval, in window: Window, _ saver: SideSaver) {
        saver.closed(removal.tab.id)
    }
    func batchEnded() {}
}
extension SessionRestorer {
    var closingRules: any ClosingRules { closedTabs }
}
