import BrowserSessions
import StorageEngines
import Synchronization

/// Notes what a profile asks of its store.
///
/// Sets are passed on without the condition that nobody else has saved: the floor is saved to the same
/// store beside the profile.
final class CallRecorder: StorageDecorator {
    struct Calls: Sendable {
        /// The tabs of which state was asked for.
        var tabsRead: Set<TabID> = []
        /// The sets that were saved and have tabs.
        var saved: [SessionChanges] = []
    }

    let base: any SessionStorage
    private let calls = Mutex(Calls())

    init(_ base: any SessionStorage) { self.base = base }

    /// What was asked for since the last time.
    func takeCalls() -> Calls {
        calls.withLock { calls in
            defer { calls = Calls() }
            return calls
        }
    }

    func state(of keys: [TabStateKey]) async throws(StorageError) -> [TabStateKey: [UInt8]] {
        calls.withLock { $0.tabsRead.formUnion(keys.map(\.tab)) }
        return try await base.state(of: keys)
    }

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        var unconditional = changes
        unconditional.expectedSequence = nil
        if changes.hasTabs {
            calls.withLock { [unconditional] in $0.saved.append(unconditional) }
        }
        return try await base.save(unconditional, durability: durability)
    }
}

extension SessionChanges {
    fileprivate var hasTabs: Bool {
        changes.contains { if case .putTab = $0 { true } else { false } }
    }
}
