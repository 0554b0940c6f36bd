#if FaultyBackends
    import BrowserSessions
    import StorageEngines
    import Synchronization

    /// A medium that several owners reach, as machines reach a server, but in memory. Sound unless it has
    /// a fault: the faulty backends of FENCE are made of it.
    final class SharedMedium: ConnectedEngine {
        typealias Partitions = [String: [KeySpace: [[UInt8]: [UInt8]]]]

        /// Ways to get a change of the owner wrong.
        enum Fault: Sendable {
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
        }

        fileprivate struct Store {
            var partitions = Partitions()
            /// Counts the connections; only the last one owns the store.
            var epoch = 0
            var owner: CommitID?
            /// `nil` if the store can be had.
            var holder: String?
            /// Whether the store can be had because it was taken from its owner.
            var isTaken = false
            /// What was there when it was opened, and when it was taken.
            var opened = Partitions(), taken = Partitions()
            /// What each owner that saved states saved last.
            var lastSaves: [Int: (batch: ByteBatch, partition: String)] = [:]
        }

        let name = "reference"
        let formatVersion = 1
        let abilities = EngineAbilities(
            durability: .memory, limits: .none, findsDamage: true)
        fileprivate let fault: Fault?
        private let stores = Mutex<[String: Store]>([:])

        init(_ fault: Fault? = nil) { self.fault = fault }

        func open(_ configuration: StorageConfiguration) throws(StorageError)
            -> OrderedSessionStorage
        {
            try OrderedSessionStorage(opening: configuration, engine: self)
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

        func connect(_ request: ConnectionRequest) throws -> any EngineConnection {
            let epoch = try change(request.location) { store in
                let isOwner = request.attempt > 0 && request.owner == store.owner
                guard request.attempt == 0 || isOwner else { throw Self.fenced }
                if let holder = store.holder, !isOwner, fault != .letsEverybodyIn {
                    let name = fault == .namesNobody ? "somebody else" : holder
                    throw StorageError(.locked, "the store is in use by \(name); close it there")
                }
                if store.isTaken { succeed(in: &store) }
                store.epoch += 1
                (store.owner, store.holder, store.isTaken) = (request.owner, request.holder, false)
                store.opened = store.partitions
                return store.epoch
            }
            return SharedConnection(self, request.location, epoch)
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

        fileprivate func change<Success: Sendable, Failure>(
            _ location: String, _ work: (inout Store) throws(Failure) -> Success
        ) throws(Failure) -> Success {
            try stores.withLock { stores throws(Failure) in
                try work(&stores[location, default: Store()])
            }
        }

        fileprivate static let fenced = StorageError(
            .fenced, "another opener has taken the store over")
    }

    /// A store of a ``SharedMedium`` as one of its owners has it.
    private final class SharedConnection: EngineConnection {
        private let medium: SharedMedium
        private let location: String
        private let epoch: Int

        init(_ medium: SharedMedium, _ location: String, _ epoch: Int) {
            (self.medium, self.location, self.epoch) = (medium, location, epoch)
        }

        /// Throws unless nobody has opened the store since.
        private func requireOwner(of store: SharedMedium.Store) throws {
            guard store.epoch != epoch else { return }
            if medium.fault == .callsItDamage { throw StorageError(.corrupted, "no such epoch") }
            throw SharedMedium.fenced
        }

        private func table(_ space: KeySpace, _ partition: String) throws -> [[UInt8]: [UInt8]] {
            try medium.change(location) { store in
                if medium.fault != .answersReads { try requireOwner(of: store) }
                return store.partitions[partition]?[space] ?? [:]
            }
        }

        private func change(_ work: (inout SharedMedium.Store) -> Void) throws {
            try medium.change(location) { store in
                if medium.fault != .looksLate { try requireOwner(of: store) }
                work(&store)
                try requireOwner(of: store)
                if store.isTaken, medium.fault == .deniesWhatIsOnTheWay {
                    throw SharedMedium.fenced
                }
            }
        }

        func value(of key: [UInt8], in space: KeySpace, of partition: String) throws -> [UInt8]? {
            try table(space, partition)[key]
        }

        func scan(
            _ space: KeySpace, of partition: String, prefix: [UInt8],
            _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
        ) throws {
            let records = try table(space, partition).filter { $0.key.starts(with: prefix) }
            for (key, value) in records.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                try key.withUnsafeBytes { key in try value.withUnsafeBytes { try visit(key, $0) } }
            }
        }

        func write(_ batch: ByteBatch, to partition: String, durably: Bool) throws {
            try change { store in
                store.partitions.apply(batch, to: partition)
                let savesStates = batch.operations.contains {
                    if case .put(.state, _, _) = $0 { true } else { false }
                }
                if savesStates { store.lastSaves[epoch] = (batch, partition) }
            }
        }

        var interrupt: @Sendable () -> Void { {} }
        func sync() throws { try change { _ in } }
        func destroy(_ partition: String) throws { try change { $0.partitions[partition] = nil } }

        func close() {
            medium.change(location) { store in
                guard store.epoch == epoch || medium.fault == .closesForAnybody else { return }
                (store.holder, store.isTaken) = (nil, false)
            }
        }
    }

    extension SharedMedium.Partitions {
        fileprivate mutating func apply(_ batch: ByteBatch, to partition: String) {
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
