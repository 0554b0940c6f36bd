import BrowserSessions
import Synchronization

/// Passes everything on, and notes how many changes there were when a save was begun.
///
/// The restorer takes what it saves from the model and calls `save` without a pause between, both
/// on the main actor, so a save contains all changes that were counted before the call, and no part
/// of a later one.
final class TracedStorage: StorageDecorator {
    private struct Counts {
        var changes = 0
        /// Writes down what has changed, before it is counted.
        var willSave: (@MainActor @Sendable () -> Void)?
        /// How many changes each of the saves contained.
        var saved: [SaveReceipt: Int] = [:]
    }

    let base: any SessionStorage
    private let counts = Mutex(Counts())

    init(_ base: any SessionStorage) { self.base = base }

    /// Counts one more change and returns its number; the first is 1.
    func count() -> Int {
        counts.withLock {
            $0.changes += 1
            return $0.changes
        }
    }

    /// Calls `work` before each save: a command that waits in its middle may have changed something
    /// that nobody has counted yet.
    func beforeEachSave(_ work: @escaping @MainActor @Sendable () -> Void) {
        counts.withLock { $0.willSave = work }
    }

    /// The number of the last change that was there when a save began.
    func changes(in receipt: SaveReceipt) -> Int {
        counts.withLock { $0.saved.removeValue(forKey: receipt) ?? 0 }
    }

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        await counts.withLock(\.willSave)?()
        let number = counts.withLock(\.changes)
        let receipt = try await base.save(changes, durability: durability)
        counts.withLock { $0.saved[receipt] = number }
        return receipt
    }
}
