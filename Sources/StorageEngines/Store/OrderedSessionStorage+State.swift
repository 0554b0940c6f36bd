import BrowserSessions

extension OrderedSessionStorage {
    /// The open store: its directory and its sides. Used under the lock only.
    struct State {
        var opened: Opened?
        private let sealing: CurrentSealing
        private var saves: UInt64 = 0
        private var savesAtLastLook: UInt64 = 0
        private var postponements = 0
        private var looks = PresenceLooks()
        /// Whether somebody will look soon whether maintenance is due.
        var isMaintenancePlanned = false

        /// How often maintenance gives way to saves in a row.
        private static let maximumPostponements = 50

        /// A class, so that a save takes it without copying its parts.
        final class Opened {
            let home: any StoreHome
            /// What the home says, which each call asks.
            let tellsOutcomes: Bool
            let keeper: IncognitoKeeper
            var regular: Side
            /// `nil` as long as nothing incognito was saved.
            var incognito: Side?

            init(_ keeper: IncognitoKeeper) throws {
                home = keeper.vault.home
                tellsOutcomes = home.tellsOutcomes
                self.keeper = keeper
                regular = try SideOpener(.regular, in: home).open(isNew: home.isNew)
            }

            func opener(_ kind: StorageSide) -> SideOpener {
                SideOpener(kind, in: home, seal: kind == .incognito ? keeper.seal : nil)
            }

            /// `nil` for an incognito side without anything.
            func side(_ kind: StorageSide) throws -> Side? {
                guard kind == .incognito else { return regular }
                if let error = keeper.absence?.error { throw error }
                return incognito
            }
        }

        init(_ sealing: CurrentSealing) { self.sealing = sealing }

        mutating func open(_ home: any StoreHome, _ protection: IncognitoProtection?) throws {
            try home.finishInterruptedWork()
            let vault = IncognitoVault(home: home, protection: protection)
            let opened = try Opened(IncognitoKeeper(vault, sealing))
            do {
                // What an earlier opening left in the cache comes before the identity, which says that it
                // is there.
                if home.isNew { try opened.regular.sync() }
                try home.writeIdentity()
                try examineIncognito(in: opened)
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

        /// The open store, whose sides are what the engine has.
        mutating func ready() throws -> Opened {
            let opened = try open()
            guard opened.tellsOutcomes else { return opened }
            try opened.home.requireOwnership()
            // Each call comes here: no list of the sides is made.
            if opened.regular.isUnresolved { _ = try resolve(opened.regular) }
            if let side = opened.incognito, side.isUnresolved { _ = try resolve(side) }
            return opened
        }

        /// Opens a side again of which a lost answer leaves open what it has.
        private mutating func resolve(_ side: Side) throws -> Side {
            let found = try open().opener(side.kind).reopen(lastSequence: side.index.sequence)
            use(found)
            return found
        }

        /// Finds out whether a set was applied of which no answer came, and applies it if not.
        private mutating func settle(
            _ changes: SessionChanges, _ durability: Durability, on side: Side,
            afterLosing answer: StorageError
        ) throws -> SaveReceipt {
            let found: Side
            do {
                found = try resolve(side)
            } catch var failure as StorageError where failure.code == .fenced {
                failure.effect = .indeterminate
                throw failure
            } catch { throw answer }
            guard found.index.sequence > side.index.sequence else {
                return try found.save(changes, durability)
            }
            return SaveReceipt(
                sequence: found.index.sequence.value, durability: found.level(for: durability))
        }

        /// Reads, once more if the connection turns out to be lost: most servers end those that rest.
        mutating func reading<Success>(_ work: (inout Self) throws -> Success) throws -> Success {
            try confirming { state in
                do {
                    return try work(&state)
                } catch let error as StorageError
                    where error.code == .unavailable && state.opened?.tellsOutcomes == true
                {
                    return try work(&state)
                }
            }
        }

        /// Answers from memory only as long as nobody else has the store: what was done without the
        /// engine is followed by a question for it.
        mutating func confirming<Success>(_ work: (inout Self) throws -> Success) throws -> Success
        {
            guard let opened, opened.tellsOutcomes else { return try work(&self) }
            let home = opened.home
            let requests = home.requests
            let result = try work(&self)
            guard home.requests == requests else { return result }
            do throws(StorageError) {
                try home.confirmOwnership()
            } catch {
                guard error.code == .unavailable else { throw error }
                try home.confirmOwnership()
            }
            return result
        }

        /// `nil` for an incognito side without anything.
        mutating func side(_ kind: StorageSide) throws -> Side? {
            try ready().side(kind)
        }

        mutating func sessions() throws -> [SessionID] {
            try list(\.sessionIDs).sorted()
        }

        mutating func summaries() throws -> [SessionSummary] {
            try list { $0.summaries() }.sorted { $0.id < $1.id }
        }

        private mutating func list<Item>(_ items: (SideIndex) -> [Item]) throws -> [Item] {
            let opened = try ready()
            let sides = [opened.regular, opened.incognito].compactMap(\.self)
            let found = sides.flatMap { items($0.index) }
            if found.isEmpty, sides.contains(where: \.hasUnknownLosses) {
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
            let kind = try ChangeRules.check(
                changes.changes, maximumStateBytes: maximumStateBytes)
            if kind == .incognito, try side(.incognito) == nil { return .needsIncognito }
            if kind == nil, durability >= .powerLoss { try opened.incognito?.sync() }
            var side = kind == .incognito ? opened.incognito ?? opened.regular : opened.regular
            if side.isSuspect, let finding = try side.findDamage() {
                side = try rebuild(side, because: StorageError(.corrupted, finding))
            }
            let receipt: SaveReceipt
            do {
                receipt = try side.save(changes, durability)
            } catch let error as StorageError
                where error.effect == .indeterminate && opened.tellsOutcomes
            {
                receipt = try settle(changes, durability, on: side, afterLosing: error)
            } catch let error as StorageError {
                // The engine came upon damage that keeps it from writing.
                guard error.code == .corrupted, error.effect == .notApplied else { throw error }
                side = try rebuild(side, because: error)
                receipt = try side.save(changes, durability)
            }
            if looks.areDue(durably: receipt.durability >= .powerLoss) {
                try opened.home.requirePresence()
            }
            saves += 1
            let plan = side.store.wantsMaintenance && !isMaintenancePlanned
            if plan { isMaintenancePlanned = true }
            return .saved(receipt, planMaintenance: plan)
        }

        /// How far a save came.
        enum SaveStep {
            case saved(SaveReceipt, planMaintenance: Bool)
            /// There is no incognito side yet.
            case needsIncognito
        }

        /// Whether maintenance is due: the store rested since the last call, or it never does.
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
            guard let opened else { return }
            for side in [opened.regular, opened.incognito].compactMap(\.self)
            where side.store.wantsMaintenance {
                try side.store.maintain()
            }
        }

        mutating func check(unless interruption: Interruption) throws -> RecoveryReport {
            try report { state, side, report in
                do {
                    if let finding = try Self.finding(of: side, &report) {
                        report.losses.append(Loss(.unknownRecords, detail: finding))
                    }
                    try side.check(&report, unless: interruption)
                } catch let error as StorageError where error.code == .corrupted {
                    report.losses.append(Loss(.unknownRecords, detail: error.message))
                }
            }
        }

        mutating func repair() throws -> RecoveryReport {
            var report = try report { state, side, report in
                var side = side
                do {
                    if let finding = try Self.finding(of: side, &report) {
                        side = try state.rebuild(side, because: StorageError(.corrupted, finding))
                    }
                    try side.check(&report)
                } catch let error as StorageError where error.code == .corrupted {
                    report.losses.append(Loss(.unknownRecords, detail: error.message))
                    side = try state.rebuild(side, because: error)
                    try side.check(&report)
                }
                try side.repair(&report, home: state.open().home)
            }
            report.isRepaired = true
            return report
        }

        /// What there is to say of the store, with what a look at each side adds.
        private mutating func report(
            _ look: (inout State, Side, inout RecoveryReport) throws -> Void
        ) throws -> RecoveryReport {
            let opened = try ready()
            var report = RecoveryReport()
            report.discardedIncognitoSides = opened.keeper.discardedSides
            report.notes += opened.keeper.notes
            if let error = opened.keeper.absence?.error {
                report.notes.append("the incognito side is not available: \(error.message)")
                report.incognitoProblem = error.message
            }
            for side in [opened.regular, opened.incognito].compactMap(\.self) {
                try look(&self, side, &report)
            }
            report.notes += try opened.home.notes
            report.quarantined = try opened.home.quarantined()
            return report
        }

        /// The first that the engine finds wrong with a side.
        private static func finding(of side: Side, _ report: inout RecoveryReport) throws -> String?
        {
            let findings = try side.store.verify()
            report.notes += findings.map { "\(side.kind.rawValue) side: \($0)" }
            return findings.first
        }

        mutating func use(_ side: Side) {
            switch side.kind {
            case .regular: opened?.regular = side
            case .incognito: opened?.incognito = side
            }
        }

        /// Puts a repaired side in the place of a damaged one. If that fails, the store goes on with
        /// what it had, or else closes.
        private mutating func rebuild(_ side: Side, because error: StorageError) throws -> Side {
            let opened = try open()
            let opener = opened.opener(side.kind)
            // What is damaged may not close well; its files stay until the new ones are made.
            if !side.canOnlyBeRead { try? side.store.close() }
            do {
                let repaired = try opener.openRepaired(
                    because: error, lastSequence: side.index.sequence)
                use(repaired)
                return repaired
            } catch {
                if side.canOnlyBeRead { throw error }
                do {
                    use(try opener.reopen(lastSequence: side.index.sequence))
                } catch {
                    self.opened = nil
                }
                throw error
            }
        }

        private mutating func syncSides() throws {
            let opened = try ready()
            for side in [opened.regular, opened.incognito].compactMap(\.self) { try side.sync() }
        }

        mutating func close() throws {
            guard opened != nil else { return }
            defer { self.opened = nil }
            let isSynced = try open().tellsOutcomes
            if isSynced { try reading { try $0.syncSides() } }
            let opened = try ready()
            var failure: (any Error)?
            for side in [opened.regular, opened.incognito].compactMap(\.self) {
                do {
                    if !isSynced { try side.sync() }
                    let sequence = side.index.sequence
                    try side.store.close()
                    if side.canOnlyBeRead { continue }
                    // Without the mark less is noticed at the next opening; nothing is lost.
                    try? opened.opener(side.kind).markClosed(at: sequence)
                } catch {
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
        }
    }
}
