import BrowserSessions
import Synchronization

extension StorageBackend {
    /// Accepts everything and keeps nothing. A case that it passes proves little by itself.
    static let null = StorageBackend(name: "null", summary: "accepts everything, keeps nothing") {
        configuration throws(StorageError) in
        HollowStorage(isEcho: false, maximumStateBytes: configuration.maximumStateBytes)
    }

    /// Answers with what was saved last since it was opened, and keeps nothing.
    static let echo = StorageBackend(name: "echo", summary: "answers with what was saved last") {
        configuration throws(StorageError) in
        HollowStorage(isEcho: true, maximumStateBytes: configuration.maximumStateBytes)
    }
}

/// A store without an implementation.
private final class HollowStorage: SessionStorage {
    let traits: StorageTraits
    private let isEcho: Bool
    private let state = Mutex(Answers())

    /// The answers of one change set, without the sets before it.
    private struct Answers {
        var sequence: UInt64 = 0
        var sessions: [SessionID: RestoredSession] = [:]
        var blobs: [TabStateKey: [UInt8]] = [:]
        var homes: [TabID: SessionID] = [:]

        init() {}

        init(_ changes: SessionChanges) {
            for change in changes.changes {
                switch change {
                case .put(.session(let id, let attributes)):
                    sessions[id, default: Self.empty(id)].attributes = attributes
                case .put(.tab(let tab, let id)):
                    sessions[id, default: Self.empty(id)].tabs.append(tab)
                    homes[tab.id] = id
                case .putState(let bytes, let key): blobs[key] = bytes
                case .put(.node), .remove, .removeState: break
                }
            }
        }

        private static func empty(_ id: SessionID) -> RestoredSession {
            RestoredSession(id: id, attributes: SessionAttributes(), tabs: [])
        }
    }

    init(isEcho: Bool, maximumStateBytes: Int) {
        self.isEcho = isEcho
        traits = StorageTraits(
            backend: isEcho ? "echo" : "null", durability: Set(Durability.allCases),
            maximumStateBytes: maximumStateBytes, incognitoErasure: .erased)
    }

    func sessions(at version: SessionVersion) async throws(StorageError) -> [SessionID] {
        state.withLock { $0.sessions.keys.sorted() }
    }

    func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
        -> [RestoredSession]
    {
        state.withLock { answers in ids.compactMap { answers.sessions[$0] } }
    }

    func states(of keys: [TabStateKey], at version: SessionVersion) async throws(StorageError)
        -> [TabStateKey: [UInt8]]
    {
        state.withLock { answers in answers.blobs.filter { keys.contains($0.key) } }
    }

    func stateKeys(in session: SessionID, at version: SessionVersion) async throws(StorageError)
        -> [TabStateKey]
    {
        state.withLock { answers in
            answers.blobs.keys.filter { answers.homes[$0.tab] == session }.sorted {
                ($0.tab.description, $0.name.rawValue) < ($1.tab.description, $1.name.rawValue)
            }
        }
    }

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        state.withLock { answers in
            let sequence = answers.sequence + 1
            if isEcho { answers = Answers(changes) }
            answers.sequence = sequence
            return SaveReceipt(sequence: sequence, durability: durability)
        }
    }

    func deleteIncognito() async throws(StorageError) {}

    func check(_ mode: CheckMode) async throws(StorageError) -> RecoveryReport {
        RecoveryReport()
    }

    func close() async throws(StorageError) {}
}
