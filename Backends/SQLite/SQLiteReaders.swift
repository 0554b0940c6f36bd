internal import BrowserSessions
internal import StorageEngines

/// Keeps the log from being copied into the database while readers copy both.
///
/// A lock of the partition's directory decides: readers share it while they copy, and whatever copies
/// the log takes it alone, without waiting. So a store waits for no reader; its log becomes longer.
struct SQLiteReaders {
    /// The size of the log in frames from which it is copied in any case: a reader may have been
    /// stopped. It finds that the log began again, and starts over.
    static let mostFrames = 8 * SQLiteOptions.largestLogFrames

    let directory: any FileDirectory
    let mostFrames: Int32

    /// Copies the log of `frames`, unless a reader is copying. Returns `false` if one is.
    func copyingLog(of frames: Int32, _ work: () throws -> Void) rethrows -> Bool {
        // Where there are no locks, there are no readers.
        switch try? directory.lock() {
        case true?:
            defer { directory.unlock() }
            try work()
        case false? where frames < mostFrames: return false
        default: try work()
        }
        return true
    }
}
