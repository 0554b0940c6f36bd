import BrowserSessions
import Synchronization

/// The least that a store can be: sessions in memory.
final class MemoryStorage: SessionStorage {
    private struct Contents {
        var attributes: [SessionID: SessionAttributes] = [:]
        var tabs: [SessionID: [TabID: TabMetadata]] = [:]
        var states: [TabStateKey: [UInt8]] = [:]
        var readings: [String: Int] = [:]
    }

    private let contents = Mutex(Contents())
    let provenance: RestoredSession.Provenance
    private let losses: [Loss]
    /// Tabs whose states cannot be read.
    private let damaged: Set<TabID>

    init(
        provenance: RestoredSession.Provenance = .intact, losses: [Loss] = [],
        damaged: Set<TabID> = []
    ) {
        self.provenance = provenance
        self.losses = losses
        self.damaged = damaged
    }

    let traits = StorageTraits(backend: "memory", durability: [.memory], incognitoErasure: .removed)

    /// How often each session, and each state, was read.
    var readings: [String: Int] { contents.withLock(\.readings) }

    func sessions() async throws(StorageError) -> [SessionID] {
        contents.withLock { Set($0.attributes.keys).union($0.tabs.keys).sorted() }
    }

    func restore(_ ids: [SessionID], generation: SessionGeneration) async throws(StorageError)
        -> [RestoredSession]
    {
        contents.withLock { contents in
            for id in ids { contents.readings["\(id)", default: 0] += 1 }
            return ids.compactMap { id in
                guard let attributes = contents.attributes[id] else { return nil }
                let tabs = (contents.tabs[id] ?? [:]).values.sorted { $0.place < $1.place }
                return RestoredSession(
                    id: id, attributes: attributes, tabs: tabs,
                    provenance: id.kind.role == .notes ? .intact : provenance, losses: losses)
            }
        }
    }

    func state(of keys: [TabStateKey]) async throws(StorageError) -> [TabStateKey: [UInt8]] {
        guard keys.allSatisfy({ !damaged.contains($0.tab) }) else {
            throw StorageError(.corrupted, "a state is damaged", operation: "state")
        }
        return contents.withLock { contents in
            for key in keys {
                contents.readings["\(key.tab) \(key.name.rawValue)", default: 0] += 1
            }
            return contents.states.filter { keys.contains($0.key) }
        }
    }

    func stateKeys(in session: SessionID) async throws(StorageError) -> [TabStateKey] {
        contents.withLock { contents in
            let tabs = contents.tabs[session] ?? [:]
            return contents.states.keys.filter {
                tabs[$0.tab] != nil && $0.partition == session.partition
            }
        }
    }

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        contents.withLock { contents in
            for change in changes.changes {
                switch change {
                case .putSession(let id, let attributes): contents.attributes[id] = attributes
                case .putTab(let tab, let id): contents.tabs[id, default: [:]][tab.id] = tab
                case .putState(let bytes, let key): contents.states[key] = bytes
                default: break
                }
            }
        }
        return SaveReceipt(sequence: 1, durability: .memory)
    }

    func deleteIncognito() async throws(StorageError) {}

    func check() async throws(StorageError) -> RecoveryReport { RecoveryReport() }
    func repair() async throws(StorageError) -> RecoveryReport { RecoveryReport() }

    func close() async throws(StorageError) {}
}
