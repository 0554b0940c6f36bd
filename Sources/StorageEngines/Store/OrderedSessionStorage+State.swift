import BrowserSessions

extension OrderedSessionStorage {
    /// The open store: its directory and its partitions. Used only under the lock.
    struct State {
        var opened: Opened?
        private let traits: CurrentTraits
        private var saves: UInt64 = 0
        private var savesAtLastLook: UInt64 = 0
        private var postponements = 0
        private var removalCheck = RemovalCheck()
        /// Whether a check for due maintenance is scheduled.
        var isMaintenancePlanned = false
        /// When restore points are taken.
        var points: PointSchedule

        /// How many times in a row maintenance gives way to saves.
        private static let maximumPostponements = 50

        /// A class, so that a save takes it without copying its parts.
        final class Opened {
            let root: any StoreRoot
            /// The value that the root reports; cached because every call needs it.
            let canResolveUnknownWrites: Bool
            let keeper: IncognitoKeeper
            /// How old restore points are.
            let clock: PointClock
            var regular: Partition
            /// `nil` until something incognito is saved.
            var incognito: Partition?

            init(_ keeper: IncognitoKeeper, takesPoint: Bool) throws {
                root = keeper.vault.root
                canResolveUnknownWrites = root.canResolveUnknownWrites
                self.keeper = keeper
                regular = try PartitionRecovery(.regular, in: root)
                    .open(isNew: root.isNew, takesPoint: takesPoint)
                clock = PointClock(root.environment, after: regular.index.points.last?.record)
            }

            func opener(_ kind: StoragePartition) -> PartitionRecovery {
                PartitionRecovery(kind, in: root, seal: kind == .incognito ? keeper.seal : nil)
            }

            var partitions: [Partition] { [regular, incognito].compactMap(\.self) }

            /// Returns a partition, or `nil` if it is incognito and empty.
            func partition(_ kind: StoragePartition) throws -> Partition? {
                guard kind == .incognito else { return regular }
                if let error = keeper.absence?.error { throw error }
                return incognito
            }
        }

        init(_ traits: CurrentTraits, _ points: PointSchedule) {
            self.traits = traits
            self.points = points
        }

        mutating func open(
            _ root: any StoreRoot, _ protection: IncognitoProtection?, isReader: Bool
        ) throws {
            try root.finishInterruptedWork()
            let vault = IncognitoVault(root: root, protection: protection)
            let opened = try Opened(
                IncognitoKeeper(vault, traits), takesPoint: points.takesAtOpening)
            do {
                // The identity says that the partition is there, so what an earlier opening left in
                // the cache is synced first.
                if root.isNew { try opened.regular.sync() }
                try root.writeIdentity()
                if !isReader { try examineIncognito(in: opened) }
            } catch {
                try? opened.regular.store.close()
                throw error
            }
            self.opened = opened
        }

        func open() throws -> Opened {
            guard let opened else {
                throw StorageError(.closed, "the store was closed; open it again")
            }
            return opened
        }

        /// Returns the open store, with partitions that match what the engine has.
        mutating func ready() throws -> Opened {
            let opened = try open()
            try opened.root.requireOwnership()
            guard opened.canResolveUnknownWrites else { return opened }
            // Every call comes here, so no list of the partitions is made.
            if opened.regular.isUnresolved { _ = try resolve(opened.regular) }
            if let partition = opened.incognito, partition.isUnresolved {
                _ = try resolve(partition)
            }
            return opened
        }

        /// Reopens a partition with unknown contents, after an answer was lost.
        private mutating func resolve(_ partition: Partition) throws -> Partition {
            let found = try open().opener(partition.kind).reopen(
                lastSequence: partition.index.sequence)
            use(found)
            return found
        }

        /// Finds out whether a change set without an answer was applied, and applies it if not.
        private mutating func resolveUnknownWrite(
            _ changes: ValidatedChanges, _ durability: Durability, in partition: Partition,
            afterLosing answer: StorageError
        ) throws -> SaveReceipt {
            let found: Partition
            do {
                found = try resolve(partition)
            } catch let failure as StorageError where failure.code == .fenced {
                throw failure.with(.indeterminate)
            } catch { throw answer }
            guard found.index.sequence > partition.index.sequence else {
                return try found.save(changes, durability)
            }
            return SaveReceipt(
                sequence: found.index.sequence.value, durability: found.level(for: durability))
        }

        /// Reads, and tries once more if the connection is lost: most servers end idle connections.
        mutating func reading<Success>(_ work: (inout Self) throws -> Success) throws -> Success {
            try confirming { state in
                do {
                    return try work(&state)
                } catch let error as StorageError
                    where error.code == .unavailable
                    && state.opened?.canResolveUnknownWrites == true
                {
                    return try work(&state)
                }
            }
        }

        /// Does work that may be answered from memory. If it did not use the engine, asks the
        /// engine afterwards whether this owner still has the store.
        mutating func confirming<Success>(_ work: (inout Self) throws -> Success) throws -> Success
        {
            guard let opened, opened.canResolveUnknownWrites else { return try work(&self) }
            let root = opened.root
            let requests = root.requests
            let result = try work(&self)
            guard root.requests == requests else { return result }
            do throws(StorageError) {
                try root.confirmOwnership()
            } catch {
                guard error.code == .unavailable else { throw error }
                try root.confirmOwnership()
            }
            return result
        }

        /// Returns a partition, or `nil` if it is incognito and empty.
        mutating func partition(_ kind: StoragePartition) throws -> Partition? {
            try ready().partition(kind)
        }

        mutating func sessions(at version: SessionVersion) throws -> [SessionID] {
            guard case .point(let point) = version else { return try list(\.sessionIDs).sorted() }
            return try ready().regular.sessions(at: point)
        }

        mutating func summaries() throws -> [SessionSummary] {
            try list { $0.summaries() }.sorted { $0.id < $1.id }
        }

        private mutating func list<Item>(_ items: (PartitionIndex) -> [Item]) throws -> [Item] {
            let partitions = try ready().partitions
            let found = partitions.flatMap { items($0.index) }
            if found.isEmpty, partitions.contains(where: \.hasUnknownLosses) {
                throw StorageError(
                    .corrupted,
                    """
                    no session can be read, and the store has losses; look at the report of \
                    'check'; 'repair' gives them up
                    """)
            }
            return found
        }

        mutating func save(
            _ changes: SessionChanges, _ durability: Durability, _ maximumStateBytes: Int
        ) throws -> SaveStep {
            let opened = try ready()
            let changes = try ValidatedChanges(changes, maximumStateBytes: maximumStateBytes)
            let kind = changes.partition
            if kind == .incognito, try partition(.incognito) == nil { return .needsIncognito }
            if kind == nil, durability >= .powerLoss { try opened.incognito?.sync() }
            var partition = kind == .incognito ? opened.incognito ?? opened.regular : opened.regular
            if partition.isSuspect, let finding = try partition.findDamage() {
                partition = try rebuild(partition, because: StorageError(.corrupted, finding))
                    .partition
            }
            let (effect, point) = keepBeforeLoss(&partition, changes)
            var receipt: SaveReceipt
            do {
                receipt = try partition.save(changes, durability)
            } catch let error as StorageError
                where error.effect == .indeterminate && opened.canResolveUnknownWrites
            {
                receipt = try resolveUnknownWrite(
                    changes, durability, in: partition, afterLosing: error)
            } catch let error as StorageError {
                // The engine found damage that keeps it from writing.
                guard error.code == .corrupted, error.effect == .notApplied else { throw error }
                partition = try rebuild(partition, because: error).partition
                receipt = try partition.save(changes, durability)
            }
            if removalCheck.isDue(durably: receipt.durability >= .powerLoss) {
                try opened.root.requirePresence(of: partition.kind)
                try partition.store.requirePresence()
            }
            saves += 1
            if !receipt.wasAlreadyApplied { opened.regular.lossGuard.count(effect) }
            var plans = SavePlans()
            plans.maintenance = partition.store.wantsMaintenance && !isMaintenancePlanned
            if plans.maintenance { isMaintenancePlanned = true }
            if kind == .regular { plans.point = points.next(at: opened.clock.elapsed) }
            receipt.pointBeforeLoss = point
            return .saved(receipt, plans)
        }

        /// What is to be done in a while after a save.
        struct SavePlans {
            var maintenance = false
            /// When a restore point is due.
            var point: Duration?
        }

        /// The result of one step of a save.
        enum SaveStep {
            case saved(SaveReceipt, SavePlans)
            /// There is no incognito partition yet.
            case needsIncognito
        }

        /// Whether maintenance is due: the store was idle since the last call, or is never idle.
        mutating func shouldMaintain() -> Bool {
            defer { savesAtLastLook = saves }
            postponements += 1
            guard saves == savesAtLastLook || postponements > Self.maximumPostponements else {
                return false
            }
            postponements = 0
            return true
        }

        func maintain() throws {
            for partition in opened?.partitions ?? [] { try partition.maintain() }
        }

        mutating func check(unless interruption: CallCancellation) throws -> RecoveryReport {
            try report { state, partition, report in
                do {
                    if let finding = try Self.finding(of: partition, &report) {
                        report.losses.append(Loss(.unknownRecords, detail: finding))
                    }
                    report.add(partition, try partition.findings(unless: interruption))
                } catch let error as StorageError where error.code == .corrupted {
                    report.add(partition)
                    report.losses.append(Loss(.unknownRecords, detail: error.message))
                }
            }
        }

        mutating func repair() throws -> RecoveryReport {
            var report = try report { state, partition, report in
                let (partition, findings) = try state.readOrRebuild(partition, &report)
                report.add(partition, findings)
                try partition.repair(findings, report, in: state.open().root)
            }
            report.isRepaired = true
            return report
        }

        /// Reads a partition; rebuilds it instead if the engine finds damage.
        private mutating func readOrRebuild(
            _ partition: Partition, _ report: inout RecoveryReport
        ) throws -> (Partition, PartitionFindings) {
            do {
                if let finding = try Self.finding(of: partition, &report) {
                    let error = StorageError(.corrupted, finding)
                    let rebuilt = try rebuild(partition, because: error)
                    return (rebuilt.partition, try rebuilt.allFindings())
                }
                return (partition, try partition.findings())
            } catch let error as StorageError where error.code == .corrupted {
                report.losses.append(Loss(.unknownRecords, detail: error.message))
                let rebuilt = try rebuild(partition, because: error)
                return (rebuilt.partition, try rebuilt.allFindings())
            }
        }

        /// Makes a report about the store, with what `look` adds for each partition.
        private mutating func report(
            _ look: (inout State, Partition, inout RecoveryReport) throws -> Void
        ) throws -> RecoveryReport {
            let opened = try ready()
            var report = RecoveryReport()
            report.discardedIncognitoPartitions = opened.keeper.discardedPartitions
            report.notes += opened.keeper.notes
            if let error = opened.keeper.absence?.error {
                report.notes.append("the incognito partition is not available: \(error.message)")
                report.incognitoProblem = error.message
            }
            for partition in opened.partitions {
                try look(&self, partition, &report)
            }
            report.notes += try opened.root.notes
            report.quarantined = try opened.root.quarantined()
            return report
        }

        /// Returns the first problem that the engine finds in a partition.
        private static func finding(of partition: Partition, _ report: inout RecoveryReport) throws
            -> String?
        {
            let findings = try partition.store.verify()
            report.notes += findings.map { "\(partition.kind.rawValue) partition: \($0)" }
            return findings.first
        }

        mutating func use(_ partition: Partition) {
            switch partition.kind {
            case .regular: opened?.regular = partition
            case .incognito: opened?.incognito = partition
            }
        }

        /// Replaces a damaged partition with a repaired one. If that fails, the store continues
        /// with what it had, or closes.
        private mutating func rebuild(_ partition: Partition, because error: StorageError) throws
            -> PartitionRecovery.Rebuilt
        {
            let opened = try open()
            let opener = opened.opener(partition.kind)
            // A damaged store may fail to close; its files stay until the new ones are made.
            if !partition.canOnlyBeRead { try? partition.store.close() }
            do {
                let rebuilt = try opener.rebuild(
                    because: error, lastSequence: partition.index.sequence)
                use(rebuilt.partition)
                return rebuilt
            } catch {
                if partition.canOnlyBeRead { throw error }
                do {
                    use(try opener.reopen(lastSequence: partition.index.sequence))
                } catch {
                    self.opened = nil
                }
                throw error
            }
        }

        private mutating func syncPartitions() throws {
            for partition in try ready().partitions { try partition.sync() }
        }

        mutating func close() throws {
            guard opened != nil else { return }
            defer { self.opened = nil }
            let isSynced = try open().canResolveUnknownWrites
            if isSynced { try reading { try $0.syncPartitions() } }
            let opened = try ready()
            var failure: (any Error)?
            for partition in opened.partitions {
                do {
                    if !isSynced { try partition.sync() }
                    if !partition.canOnlyBeRead {
                        try opened.root.requirePresence(of: partition.kind)
                        try partition.store.requirePresence()
                    }
                    let sequence = partition.index.sequence
                    try partition.store.close()
                    if partition.canOnlyBeRead { continue }
                    // Without the marker the next opening notices less; nothing is lost.
                    try? opened.opener(partition.kind).markClosed(at: sequence)
                } catch {
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
        }
    }
}
