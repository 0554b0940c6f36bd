import BrowserSessions
import StorageEngines

/// The sender of a request to a ``SharedMedium``, over a connection that was made once.
struct Writer: Sendable {
    let owner: CommitID
    let epoch: Int
    let generation: Int
    let line: MemoryLine?
}

extension SharedMedium {
    func table(_ space: KeySpace, _ namespace: String, of location: String, _ writer: Writer)
        throws -> SortedRecords
    {
        try use { state in
            try requireConnected(writer, state)
            let store = state.stores[location, default: Store()]
            if fault != .answersReads { try requireOwner(writer, of: store) }
            return store.namespaces[namespace]?[space] ?? .init()
        }
    }

    func change(_ location: String, _ writer: Writer, _ work: (inout Store) -> Void) throws {
        try use { state in
            try requireConnected(writer, state)
            var store = state.stores[location, default: Store()]
            defer { state.stores[location] = store }
            if fault != .looksLate { try requireOwner(writer, of: store) }
            work(&store)
            try requireOwner(writer, of: store)
            if store.isTaken, fault == .deniesWhatIsOnTheWay { throw Self.fenced }
        }
    }

    func write(
        _ batch: ByteBatch, to namespace: String, of location: String, _ writer: Writer
    ) throws {
        guard try canWrite() else { return }
        let isHalf = fault == .writesHalves && writer.line?.isLost == true
        let written = isHalf ? batch.lastHalf : batch
        try change(location, writer) { store in
            store.earlier = store.namespaces
            store.namespaces[namespace, default: [:]].apply(written.operations)
            let savesStates = batch.operations.contains {
                if case .put(.state, _, _) = $0 { true } else { false }
            }
            if savesStates { store.lastSaves[writer.epoch] = (batch, namespace) }
        }
    }

    /// Whether writes are kept; a faulty medium does not report that they aren't.
    private func canWrite() throws -> Bool {
        switch use(\.trouble) {
        case .outOfSpace:
            if fault == .takesWhatDoesNotFit { return false }
            let code: StorageError.Code =
                fault == .callsFullnessDamage ? .corrupted : .outOfSpace
            throw StorageError(code, "the medium has no space left")
        case .rightsRevoked:
            throw StorageError(.permissionDenied, "the right to change records is gone")
        case .keepsLess:
            if fault == .keepsLess { return false }
            throw StorageError(.unsupported, "the medium keeps less than the store promises")
        default: return true
        }
    }

    /// Throws if the connection was lost.
    private func requireConnected(_ writer: Writer, _ state: State) throws {
        if writer.generation != state.generation { throw MemoryLine.lost(changes: false) }
    }

    /// Throws if another owner has opened the store since.
    private func requireOwner(_ writer: Writer, of store: Store) throws {
        guard store.epoch != writer.epoch else { return }
        if fault == .takesLateWrites, store.owner == writer.owner { return }
        if fault == .callsItDamage { throw StorageError(.corrupted, "no such epoch") }
        throw Self.fenced
    }
}

extension ByteBatch {
    /// The last half of its operations.
    fileprivate var lastHalf: ByteBatch {
        var half = ByteBatch()
        for operation in operations.suffix(operations.count / 2) {
            switch operation {
            case .put(let space, let key, let value): half.put(value, for: key, in: space)
            case .remove(let space, let key): half.remove(key, in: space)
            }
        }
        return half
    }
}
