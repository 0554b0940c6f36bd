import BrowserSessions
import Metrics

/// What operators see: how long saving and restoring take, how much is written, what fails.
///
/// Names: `browser_sessions_save_seconds`, `browser_sessions_save_state_bytes`,
/// `browser_sessions_save_failures_total` (by code), `browser_sessions_restore_seconds` and
/// `browser_sessions_restored_tabs`, all with the dimension `backend`.
struct RestorationMetrics {
    private let backend: String

    init(backend: String) { self.backend = backend }

    private var dimensions: [(String, String)] { [("backend", backend)] }

    func saved(_ summary: SaveSummary) {
        Timer(label: "browser_sessions_save_seconds", dimensions: dimensions)
            .record(duration: summary.duration)
        Recorder(label: "browser_sessions_save_state_bytes", dimensions: dimensions)
            .record(summary.stateBytes)
    }

    func failed(_ error: StorageError) {
        Counter(
            label: "browser_sessions_save_failures_total",
            dimensions: dimensions + [("code", error.code.rawValue)]
        ).increment()
    }

    func restored(tabs: Int, duration: Duration) {
        Timer(label: "browser_sessions_restore_seconds", dimensions: dimensions)
            .record(duration: duration)
        Recorder(label: "browser_sessions_restored_tabs", dimensions: dimensions).record(tabs)
    }
}
