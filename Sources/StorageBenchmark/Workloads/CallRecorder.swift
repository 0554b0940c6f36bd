import BrowserSessions
import Synchronization

/// A recorder of a profile's calls to its store.
///
/// The recorder removes the condition that no other owner has saved, because the floor is saved to
/// the same store along with the profile.
final class CallRecorder: StorageDecorator {
    struct Calls: Sendable {
        /// The tabs with states that were requested.
        var tabsRead: Set<TabID> = []
        /// The saved sets that contain tabs or other nodes.
        var saved: [SessionChanges] = []
    }

    let base: any SessionStorage
    private let calls = Mutex(Calls())

    init(_ base: any SessionStorage) { self.base = base }

    /// Returns the calls since the previous time, and forgets them.
    func takeCalls() -> Calls {
        calls.withLock { calls in
            defer { calls = Calls() }
            return calls
        }
    }

    func states(of keys: [TabStateKey], at version: SessionVersion) async throws(StorageError)
        -> [TabStateKey: [UInt8]]
    {
        calls.withLock { $0.tabsRead.formUnion(keys.map(\.tab)) }
        return try await base.states(of: keys, at: version)
    }

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        var unconditional = changes
        unconditional.expectedSequence = nil
        if changes.hasNodes {
            calls.withLock { [unconditional] in $0.saved.append(unconditional) }
        }
        return try await base.save(unconditional, durability: durability)
    }
}

extension SessionChanges {
    fileprivate var hasNodes: Bool {
        changes.contains { change in
            switch change {
            case .put(.tab), .put(.node): true
            default: false
            }
        }
    }
}
