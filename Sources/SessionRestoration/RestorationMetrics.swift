import BrowserSessions
import Metrics

/// The metrics for operators: the duration of saves and restores, the amount of data, and failures.
///
/// Names: `browser_sessions_save_seconds`, `browser_sessions_save_state_bytes`,
/// `browser_sessions_save_failures_total` (by code), `browser_sessions_restore_seconds` and
/// `browser_sessions_restored_tabs`, all with the dimension `backend`.
struct RestorationMetrics {
    private let dimensions: [(String, String)]
    private let factory: any MetricsFactory
    private let saveTime: Timer
    private let saveBytes: Recorder
    private let restoreTime: Timer
    private let restoredTabs: Recorder

    init(backend: String, factory: any MetricsFactory) {
        dimensions = [("backend", backend)]
        self.factory = factory
        saveTime = Timer(
            label: "browser_sessions_save_seconds", dimensions: dimensions, factory: factory)
        saveBytes = Recorder(
            label: "browser_sessions_save_state_bytes", dimensions: dimensions, factory: factory)
        restoreTime = Timer(
            label: "browser_sessions_restore_seconds", dimensions: dimensions, factory: factory)
        restoredTabs = Recorder(
            label: "browser_sessions_restored_tabs", dimensions: dimensions, factory: factory)
    }

    func saved(_ summary: SaveSummary) {
        saveTime.record(duration: summary.duration)
        saveBytes.record(summary.stateBytes)
    }

    func failed(_ error: StorageError) {
        Counter(
            label: "browser_sessions_save_failures_total",
            dimensions: dimensions + [("code", error.code.rawValue)], factory: factory
        ).increment()
    }

    func restored(tabs: Int, duration: Duration) {
        restoreTime.record(duration: duration)
        restoredTabs.record(tabs)
    }
}
