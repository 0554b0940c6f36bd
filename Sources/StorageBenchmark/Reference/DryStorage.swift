import BrowserSessions
import Synchronization

/// A storage that only keeps everything in memory, which shows the cost of measuring itself.
///
/// Its content survives closing, so that answers stay right. It claims that saves survive
/// everything, so that every workload runs on it. For the benchmark only.
final class DryStorage: SessionStorage {
    private struct State {
        var book = SessionBook()
        /// The sessions in order, made on first request.
        var restored: [SessionID: RestoredSession] = [:]
    }

    private let state = Mutex(State())

    let traits = StorageTraits(
        backend: "dry", durability: [.processCrash, .powerLoss], incognitoErasure: .erased,
        keepsPreviousGeneration: false)

    func sessions() async throws(StorageError) -> [SessionID] {
        state.withLock { $0.book.sessions.keys.sorted() }
    }

    func restore(_ ids: [SessionID], generation: SessionGeneration) async throws(StorageError)
        -> [RestoredSession]
    {
        guard generation == .current else { throw .notOfBench("an earlier generation") }
        return state.withLock { state in
            ids.compactMap { id in
                if let restored = state.restored[id] { return restored }
                guard let entry = state.book.sessions[id] else { return nil }
                let restored = RestoredSession(
                    id: id, attributes: entry.attributes, tabs: entry.sortedTabs)
                state.restored[id] = restored
                return restored
            }
        }
    }

    func state(of keys: [TabStateKey]) async throws(StorageError) -> [TabStateKey: [UInt8]] {
        state.withLock { state in
            keys.reduce(into: [:]) { $0[$1] = state.book.states[$1] }
        }
    }

    func stateKeys(in session: SessionID) async throws(StorageError) -> [TabStateKey] {
        throw .notOfBench("listing state")
    }

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        state.withLock { state in
            let touched = state.book.apply(changes)
            for id in touched.sessions { state.restored[id] = nil }
            return SaveReceipt(sequence: state.book.sequence, durability: durability)
        }
    }

    func deleteIncognito() async throws(StorageError) {
        state.withLock { state in
            for id in state.book.removeIncognito().sessions { state.restored[id] = nil }
        }
    }

    func check() async throws(StorageError) -> RecoveryReport { throw .notOfBench("checking") }

    func repair() async throws(StorageError) -> RecoveryReport { throw .notOfBench("repairing") }

    func close() async throws(StorageError) {}
}

extension StorageError {
    static func notOfBench(_ what: String) -> StorageError {
        StorageError(.unsupported, "this design is for measuring only; \(what) is not part of it")
    }
}
