import BrowserModel

/// Decides what becomes of a tab that is closed: gone, kept among the recently closed tabs, or set
/// aside.
protocol ClosingRules: AnyObject {
    func closed(_ removal: TabRemoval, in window: Window, _ ledger: SideLedger)
    /// The tabs that were closed together are through.
    func batchEnded()
}

/// Every closed tab is gone.
final class CloseForGood: ClosingRules {
    func closed(_ removal: TabRemoval, in window: Window, _ ledger: SideLedger) {
        ledger.close(removal.tab.id)
    }

    func batchEnded() {}
}
