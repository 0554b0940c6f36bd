#if FaultyBackends
    import BrowserSessions
    import StorageEngines
    import Synchronization

    /// A medium that several owners reach, as machines reach a server, but in memory. Sound unless it has
    /// a fault: the faulty backends of FENCE and SHARED are made of it.
    final class SharedMedium: Sendable {
        typealias Partitions = [String: [KeySpace: [[UInt8]: [UInt8]]]]

        /// Ways to get what happens to a shared medium wrong.
        enum Fault: Sendable {
            // MARK: Changes of the owner
            case namesNobody, letsEverybodyIn
            /// Forgets at a takeover what the last owner wrote.
            case forgetsTheLastOwner
            /// Serves anybody who reads.
            case answersReads
            /// Tells a replaced owner that the store is damaged.
            case callsItDamage
            /// Writes, and then looks whose write it was.
            case looksLate
            /// Lets any owner that closes give the store up.
            case closesForAnybody
            /// Writes at a takeover once more what the owner before the last one saved last, if the
            /// last one has saved too.
            case writesTwice
            /// Forgets what was written between the takeover and the next opening, or denies it.
            case forgetsWhatIsOnTheWay, deniesWhatIsOnTheWay

            // MARK: Connections
            /// Forgets the last write of a connection that was lost.
            case forgetsLostConnections
            /// Writes half of a batch whose connection is lost.
            case writesHalves
            /// Takes an owner that connects again for a stranger.
            case forgetsItsOwner
            /// Says of every write without an answer that it was not applied.
            case deniesLostWrites
            /// Applies what comes late over a connection that was given up.
            case takesLateWrites
            /// Takes the end of a connection for the end of the records.
            case endsScansAtALoss
            /// Keeps the store for an owner that has given it up.
            case keepsWhatIsGivenUp
            /// Waits for an answer as long as it takes.
            case waitsForEver

            // MARK: Troubles
            /// Forgets at a restart what was written since the store was opened.
            case forgetsAtRestart
            /// Does not connect again to a medium that was stopped.
            case staysBroken
            /// Tells a full medium as damage, or takes what does not fit for written.
            case callsFullnessDamage, takesWhatDoesNotFit
            /// Tells a refused login as the absence of the store.
            case callsRefusalAbsence
            /// Makes a new store in the place of one that a newer version wrote.
            case replacesNewerFormats
        }

        struct Store: Sendable {
            var partitions = Partitions()
            /// Counts the connections; only the last one owns the store.
            var epoch = 0
            var owner: CommitID?
            var attempt: UInt64 = 0
            /// `nil` if the store can be had.
            var holder: String?
            /// Whether the store can be had because it was taken from its owner.
            var isTaken = false
            /// What was there when it was opened, when it was taken, and before the last write.
            var opened = Partitions(), taken = Partitions(), earlier = Partitions()
            /// What each owner that saved states saved last.
            var lastSaves: [Int: (batch: ByteBatch, partition: String)] = [:]
        }

        struct State: Sendable {
            var stores: [String: Store] = [:]
            var trouble: MediumTrouble?
            /// Connections of an earlier one are lost.
            var generation = 0
            /// Whether it was ever stopped.
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

        /// Makes a store free although its owner has not closed it.
        func takeOver(_ location: String) {
            change(location) { store in
                guard store.holder != nil else { return }
                (store.holder, store.isTaken, store.taken) = (nil, true, store.partitions)
            }
        }

        /// Whether the next opening is that of a store which was taken from its owner.
        func isTaken(_ location: String) -> Bool { change(location) { $0.isTaken } }

        /// Removes what is incognito, whoever has the store.
        func removeIncognito(at location: String) {
            change(location) { store in
                store.partitions = store.partitions.filter { !$0.key.hasPrefix("incognito") }
            }
        }

        /// What it can meet.
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
                case .outOfSpace, .outOfConnections, .rightsRevoked, .newerFormat: break
                }
                if trouble == .stopped { state.wasStopped = true }
                guard fault == .forgetsAtRestart, trouble == .restarted else { return }
                state.stores = state.stores.mapValues { store in
                    var store = store
                    store.partitions = store.opened
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
                    store.partitions = [:]
                }
                let isOwner =
                    request.attempt > store.attempt && request.owner == store.owner
                    && fault != .forgetsItsOwner
                guard !isGone, request.attempt == 0 || isOwner else { throw Self.fenced }
                if let holder = store.holder, !isOwner, fault != .letsEverybodyIn {
                    let name = fault == .namesNobody ? "somebody else" : holder
                    throw StorageError(.locked, "the store is in use by \(name); close it there")
                }
                if isOwner, fault == .forgetsLostConnections { store.partitions = store.earlier }
                if store.isTaken { succeed(in: &store) }
                store.epoch += 1
                (store.owner, store.holder, store.isTaken) = (request.owner, request.holder, false)
                store.attempt = request.attempt
                store.opened = store.partitions
                store.earlier = store.partitions
                state.stores[request.location] = store
                return (store.epoch, state.generation)
            }
        }

        private func requireReachable(_ state: State, _ request: ConnectionRequest) throws {
            switch state.trouble {
            case .stopped: throw StorageError(.unavailable, "nobody answers")
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

        /// What a faulty medium does when another owner takes the place of the last one.
        private func succeed(in store: inout Store) {
            switch fault {
            case .forgetsTheLastOwner: store.partitions = store.opened
            case .forgetsWhatIsOnTheWay: store.partitions = store.taken
            case .writesTwice:
                guard store.lastSaves[store.epoch] != nil,
                    let earlier = store.lastSaves[store.epoch - 1]
                else { return }
                store.partitions.apply(earlier.batch, to: earlier.partition)
            default: break
            }
        }

        /// An owner is gone for good.
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

    extension SharedMedium.Partitions {
        mutating func apply(_ batch: ByteBatch, to partition: String) {
            for operation in batch.operations {
                switch operation {
                case .put(let space, let key, let value):
                    self[partition, default: [:]][space, default: [:]][key] = value
                case .remove(let space, let key): self[partition]?[space]?[key] = nil
                }
            }
        }
    }
#endif
