import BrowserSessions
import StorageEngines
import Synchronization

/// A medium in memory that several owners reach, as machines reach a server. It is sound unless
/// it has a fault: the faulty backends of FENCE and SHARED build on it.
final class SharedMedium: Sendable {
    typealias Namespaces = [String: MemoryRecords]

    /// Errors in handling the events of a shared medium.
    enum Fault: Sendable {
        // MARK: Changes of the owner
        case namesNobody, letsEverybodyIn
        /// Forgets at a takeover what the last owner wrote.
        case forgetsTheLastOwner
        /// Serves every reader.
        case answersReads
        /// Reports to a replaced owner that the store is damaged.
        case callsItDamage
        /// Writes first, and then checks the owner.
        case looksLate
        /// Lets any owner that closes give the store up.
        case closesForAnybody
        /// Writes again, at a takeover, what the owner before the last one saved last, if the
        /// last one has saved, too.
        case writesTwice
        /// Forgets or denies what was written between the takeover and the next opening.
        case forgetsWhatIsOnTheWay, deniesWhatIsOnTheWay

        // MARK: Connections
        /// Forgets the last write of a connection that was lost.
        case forgetsLostConnections
        /// Writes half of a batch if its connection is lost.
        case writesHalves
        /// Considers an owner that reconnects a stranger.
        case forgetsItsOwner
        /// Reports every write without an answer as not applied.
        case deniesLostWrites
        /// Applies what arrives late over an abandoned connection.
        case takesLateWrites
        /// Considers the end of a connection the end of the records.
        case endsScansAtALoss
        /// Does so unless all records are asked for, as an opening does.
        case endsPrefixesAtALoss
        /// Keeps the store for an owner that has given it up.
        case keepsWhatIsGivenUp
        /// Waits for an answer without a timeout.
        case waitsForEver

        // MARK: Troubles
        /// Forgets at a restart what was written since the store was opened.
        case forgetsAtRestart
        /// Does not reconnect to a medium that was stopped.
        case staysBroken
        /// Reports a full medium as damage, or considers what does not fit written.
        case callsFullnessDamage, takesWhatDoesNotFit
        /// Acknowledges what the medium keeps for less than was promised.
        case keepsLess
        /// Reports a refused login as the absence of the store.
        case callsRefusalAbsence
        /// Replaces a store that a newer version wrote with a new one.
        case replacesNewerFormats
    }

    struct Store: Sendable {
        var namespaces = Namespaces()
        /// The number of connections; only the last one owns the store.
        var epoch = 0
        var owner: CommitID?
        var attempt: UInt64 = 0
        /// The owner; `nil` if the store is free.
        var holder: String?
        /// Whether the store is free because it was taken from its owner.
        var isTaken = false
        /// The content when it was opened, when it was taken, and before the last write.
        var opened = Namespaces(), taken = Namespaces(), earlier = Namespaces()
        /// The last save of each owner that saved states.
        var lastSaves: [Int: (batch: ByteBatch, namespace: String)] = [:]
    }

    struct State: Sendable {
        var stores: [String: Store] = [:]
        var trouble: MediumTrouble?
        /// The generation; connections of an earlier one are lost.
        var generation = 0
        /// Whether the medium was ever stopped.
        var wasStopped = false
        var givenUp: Set<CommitID> = []
    }

    let fault: Fault?
    private let state = Mutex(State())

    init(_ fault: Fault? = nil) { self.fault = fault }

    func use<Success: Sendable, Failure>(
        _ work: (inout State) throws(Failure) -> Success
    ) throws(Failure) -> Success {
        try state.withLock { state throws(Failure) in try work(&state) }
    }

    func change<Success: Sendable, Failure>(
        _ location: String, _ work: (inout Store) throws(Failure) -> Success
    ) throws(Failure) -> Success {
        try use { state throws(Failure) in
            try work(&state.stores[location, default: Store()])
        }
    }

    /// Frees a store although its owner has not closed it.
    func takeOver(_ location: String) {
        change(location) { store in
            guard store.holder != nil else { return }
            (store.holder, store.isTaken, store.taken) = (nil, true, store.namespaces)
        }
    }

    /// Whether the store was taken from its owner before the next opening.
    func isTaken(_ location: String) -> Bool { change(location) { $0.isTaken } }

    /// Removes incognito content, even if an owner has the store.
    func removeIncognito(at location: String) {
        change(location) { store in
            store.namespaces = store.namespaces.filter { !$0.key.hasPrefix("incognito") }
        }
    }

    /// The troubles that the medium can have.
    var troubles: MediumTroubles {
        MediumTroubles(
            Set(MediumTrouble.allCases),
            begin: { trouble, _ in self.begin(trouble) },
            end: { _, _ in self.use { $0.trouble = nil } })
    }

    private func begin(_ trouble: MediumTrouble) {
        use { state in
            state.trouble = trouble
            switch trouble {
            case .restarted, .stopped, .readOnly, .loginRefused: state.generation += 1
            case .outOfSpace, .outOfConnections, .rightsRevoked, .keepsLess, .newerFormat: break
            }
            if trouble == .stopped { state.wasStopped = true }
            guard fault == .forgetsAtRestart, trouble == .restarted else { return }
            state.stores = state.stores.mapValues { store in
                var store = store
                store.namespaces = store.opened
                return store
            }
        }
    }
}

extension SharedMedium {
    /// Takes a store for an owner; returns its epoch and the generation of the connection.
    func take(_ request: ConnectionRequest) throws -> (epoch: Int, generation: Int) {
        try use { state in
            try requireReachable(state, request)
            let isGone = state.givenUp.contains(request.owner)
            var store = state.stores[request.location, default: Store()]
            if state.trouble == .newerFormat, fault == .replacesNewerFormats {
                store.namespaces = [:]
            }
            let isOwner =
                request.attempt > store.attempt && request.owner == store.owner
                && fault != .forgetsItsOwner
            guard !isGone, request.attempt == 0 || isOwner else { throw Self.fenced }
            if let holder = store.holder, !isOwner, fault != .letsEverybodyIn {
                let name = fault == .namesNobody ? "somebody else" : holder
                throw StorageError(.locked, "the store is in use by \(name); close it there")
            }
            if isOwner, fault == .forgetsLostConnections { store.namespaces = store.earlier }
            if store.isTaken { succeed(in: &store) }
            store.epoch += 1
            (store.owner, store.holder, store.isTaken) = (request.owner, request.holder, false)
            store.attempt = request.attempt
            store.opened = store.namespaces
            store.earlier = store.namespaces
            state.stores[request.location] = store
            return (store.epoch, state.generation)
        }
    }

    private func requireReachable(_ state: State, _ request: ConnectionRequest) throws {
        switch state.trouble {
        case .stopped: throw StorageError(.unavailable, "nothing answers")
        case .readOnly: throw StorageError(.unavailable, "the medium only reads now")
        case .outOfConnections: throw StorageError(.unavailable, "no connection is left")
        case .loginRefused where fault == .callsRefusalAbsence:
            throw StorageError(.notFound, "there is no store")
        case .loginRefused: throw StorageError(.permissionDenied, "the login is refused")
        case .newerFormat where request.attempt == 0 && fault != .replacesNewerFormats:
            throw StorageError(.incompatibleFormat, "a newer version wrote the store")
        default: break
        }
        if state.wasStopped, request.attempt > 0, fault == .staysBroken {
            throw StorageError(.unavailable, "the connection was lost")
        }
    }

    /// Does what a faulty medium does when another owner replaces the last one.
    private func succeed(in store: inout Store) {
        switch fault {
        case .forgetsTheLastOwner: store.namespaces = store.opened
        case .forgetsWhatIsOnTheWay: store.namespaces = store.taken
        case .writesTwice:
            guard store.lastSaves[store.epoch] != nil,
                let earlier = store.lastSaves[store.epoch - 1]
            else { return }
            store.namespaces[earlier.namespace, default: [:]].apply(earlier.batch.operations)
        default: break
        }
    }

    /// Frees the store of an owner that is gone for good.
    func letGo(_ owner: CommitID, of location: String) {
        guard fault != .keepsWhatIsGivenUp else { return }
        use { state in
            state.givenUp.insert(owner)
            guard state.stores[location]?.owner == owner else { return }
            state.stores[location]?.holder = nil
        }
    }

    static let fenced = StorageError(.fenced, "another opener has taken the store over")
}
