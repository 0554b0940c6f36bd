import BrowserSessions
import SessionRestoration

/// The counts of what is written.
final class SaveCounter: SessionRestorerObserver {
    private(set) var sets = 0
    private(set) var changes = 0
    private(set) var stateBytes = 0

    func restorer(_ restorer: SessionRestorer, did event: RestorationEvent) {
        guard case .saved(let summary) = event else { return }
        sets += 1
        changes += summary.changes
        stateBytes += summary.stateBytes
    }
}
