import BrowserModel
import BrowserSessions
import Logging

/// Knows what the store has of a profile and what it shall have, and sees to it that it gets it.
///
/// The one room that talks to the storage: it decides in which order what waits is sent. Other rooms tell
/// it where tabs shall be and ask it what it knows.
final class SessionLedger {
    let door: StorageDoor
    let regular: SideLedger
    let incognito: SideLedger
    let regularTransit: TabsInTransit
    let incognitoTransit: TabsInTransit
    let debt: DeletionDebt
    let schedule: SaveSchedule
    let feed = DurableFeed()
    let claim = StoreClaim()
    /// What everything that a side was told of windows and tabs survives.
    private var reached: [StorageSide: Durability] = [:]
    /// Saves of private tabs that the next process would delete, because of what the store has of a
    /// deletion that was owed.
    private var unsafe: [SaveSummary] = []
    /// Told before a save, as long as what it consists of can still be changed.
    var willSave: () -> Void = {}
    /// Told after a save that succeeded.
    var didSave: () -> Void = {}
    /// Writes down for the next process whether a deletion is owed, unless that is written already.
    var noteDebt: () async throws(StorageError) -> Void = {}
    /// Whether the store may tell the next process that a deletion is owed.
    var mayDebtBeNoted: () -> Bool = { false }
    var tell: (RestorationEvent) -> Void = { _ in } { didSet { schedule.tell = tell } }

    let work: HostWork
    private let logger: Logger
    private let metrics: RestorationMetrics

    init(
        _ storage: any SessionStorage, _ policy: RestorationPolicy, _ work: HostWork,
        _ logger: Logger, _ metrics: RestorationMetrics, now: @escaping @Sendable () -> Timestamp
    ) {
        self.work = work
        self.logger = logger
        self.metrics = metrics
        schedule = SaveSchedule(policy, work, logger, metrics)
        door = StorageDoor(
            storage, .init(stall: policy.stallLimit, deadline: policy.answerLimit), work, now: now)
        let limits = SideLedger.Limits(
            maximumStateBytes: storage.traits.maximumStateBytes, extraStates: policy.extraStates)
        regular = SideLedger(side: .regular, limits: limits)
        incognito = SideLedger(side: .incognito, limits: limits)
        incognito.isMuted = policy.incognito == .neverSave
        regularTransit = TabsInTransit(regular)
        incognitoTransit = TabsInTransit(incognito)
        debt = DeletionDebt(
            door, incognito, work, wait: policy.retryDelays.last ?? policy.saveDelay)
        for side in [regular, incognito] {
            side.onChange = { [weak self] in self?.schedule.somethingChanged() }
            side.onNotice = { [weak self] in self?.tell($0) }
        }
        door.onStall = { [schedule] in schedule.stalled(since: $0) }
        door.onAnswer = { [schedule] in schedule.answered() }
        schedule.usualDurability = { [door] in door.traits.defaultDurability }
        weak let ledger = self
        schedule.save = { durability async throws(StorageError) in
            try await ledger?.save(durability)
        }
    }

    var currentStorage: any SessionStorage { door.storage }

    func side(_ side: StorageSide) -> SideLedger { side == .regular ? regular : incognito }

    func transit(_ side: StorageSide) -> TabsInTransit {
        side == .regular ? regularTransit : incognitoTransit
    }

    /// Whether everything that has changed was acknowledged by the store.
    var isClean: Bool { regular.isClean && incognito.isClean && unsafe.isEmpty }

    /// Why tabs are not saved as they are.
    var refusals: [TabID: StorageError] {
        regular.refusals.merging(incognito.refusals) { first, _ in first }
    }

    /// Why windows are not saved as they are.
    var sessionRefusals: [SessionID: StorageError] {
        regular.sessionRefusals.merging(incognito.sessionRefusals) { first, _ in first }
    }

    /// Sends nothing any more by itself.
    func stop() {
        schedule.stop()
        debt.stop()
    }

    // MARK: Saving

    /// Sends all that waits and returns when it survives all that the store can promise, or as much as is
    /// asked for.
    func save(_ durability: Durability? = nil) async throws(StorageError) {
        schedule.stopTimers()
        let durability = durability ?? door.traits.greatestDurability
        var problem: StorageError?
        // A side that fails does not keep the other from being saved.
        for side in [regular, incognito] {
            do throws(StorageError) { try await save(side, durability) } catch {
                problem = problem ?? error
            }
        }
        if let problem {
            if !claim.isLost { schedule.failed(problem) }
            throw problem
        }
        didSave()
        schedule.succeeded()
    }

    private func save(_ side: SideLedger, _ durability: Durability) async throws(StorageError) {
        try await door.inTurnAgainIfReplaced(side.side) { () throws(StorageError) in
            if side === regular {
                // From now on what changes is for the next save.
                willSave()
                schedule.saveBegins()
            }
            try await send(side, durability)
            if side === incognito { try await settleDebt() }
        }
    }

    /// Private tabs that were saved after a deletion had failed are safe only once the next process is
    /// not told any more to begin with that deletion.
    private func settleDebt() async throws(StorageError) {
        guard debt.isOwed || mayDebtBeNoted() else { return }
        debt.payIfSent()
        try await noteDebt()
        guard !debt.isOwed else { return }
        for summary in unsafe { tell(.saved(summary)) }
        unsafe = []
    }

    private func send(_ side: SideLedger, _ durability: Durability) async throws(StorageError) {
        if side.hasSomethingToSend { tell(.willSave(side.side)) }
        while let sending = side.sending() {
            do throws(StorageError) {
                try await send(sending, of: side, durability)
            } catch {
                guard error.code == .tooLarge || error.code == .invalidChanges else { throw error }
                if let subject = error.subject, side.refuse(subject, sending, error) { continue }
                try await sendOneByOne(side)
            }
            guard sending.isPartial else { break }
        }
        try await confirm(side.side, durability)
    }

    private func send(
        _ sending: Sending, of side: SideLedger, _ durability: Durability
    ) async throws(StorageError) {
        side.begin(sending)
        let (era, start) = (side.era, ContinuousClock.now)
        try await put(sending.changes, to: side.side, durability) { receipt in
            guard era == side.era else { return }
            side.acknowledge(sending)
            let summary = SaveSummary(
                receipt: receipt, side: side.side, changes: sending.count,
                stateBytes: sending.stateBytes, duration: ContinuousClock.now - start)
            metrics.saved(summary)
            let isUnsafe = side === incognito && (debt.isOwed || mayDebtBeNoted())
            if isUnsafe { unsafe.append(summary) } else { tell(.saved(summary)) }
        }
    }

    /// What the store refuses of one tab must not keep the others from being saved.
    private func sendOneByOne(_ side: SideLedger) async throws(StorageError) {
        for record in side.records {
            while let sending = side.sending({ $0 == record }) {
                do throws(StorageError) {
                    try await send(sending, of: side, .memory)
                    break
                } catch {
                    guard error.code == .tooLarge || error.code == .invalidChanges else {
                        throw error
                    }
                    let isRefused =
                        error.subject.map { side.refuse($0, sending, error) } ?? false
                    guard isRefused || side.refuse(record, sending, error) else { break }
                }
            }
        }
    }

    /// Makes durable what was saved before, and is no more than some earlier save asked for.
    private func confirm(_ side: StorageSide, _ durability: Durability) async throws(StorageError) {
        guard let reached = reached[side],
            reached < min(durability, door.greatestDurability(of: side))
        else {
            return
        }
        try await put(SessionChanges(), to: side, durability)
    }

    /// One set on its way. A durable one makes all sets before it durable.
    ///
    /// - Parameter taken: called when the store has taken it, unless another took the store's place.
    private func put(
        _ changes: SessionChanges, to side: StorageSide, _ durability: Durability,
        taken: (SaveReceipt) -> Void = { _ in }
    ) async throws(StorageError) {
        let expected = try await claim.lastSet(of: side)
        let generation = door.generation
        let receipt: SaveReceipt
        do throws(StorageError) {
            receipt = try await door.ask("save", changing: side) { storage throws(StorageError) in
                var changes = changes
                changes.expectedSequence = expected
                return try await storage.save(changes, durability: durability)
            }
        } catch {
            guard generation == door.generation, claim.wasOvertaken(error, side, expected) else {
                throw error
            }
            return try await put(changes, to: side, durability, taken: taken)
        }
        guard generation == door.generation else { return }
        claim.taken(receipt, side)
        reached[side] = receipt.durability
        taken(receipt)
        if side == .regular { feed.acknowledged(changes, receipt) }
    }

    /// Another restorer uses the store.
    func supersede() {
        stop()
        schedule.supersede()
    }

    // MARK: Beside what waits

    /// Applies changes at once that no window waits for, such as tabs that are set aside.
    /// To be called in turn.
    func apply(
        _ changes: SessionChanges, _ durability: Durability? = nil
    ) async throws(StorageError) {
        let before = reached[.regular]
        try await put(changes, to: .regular, durability ?? door.traits.greatestDurability) {
            // What is less durable is a note of the launch, for which no save is made anew.
            if let before, $0.durability < before { reached[.regular] = before }
        }
    }

    /// The same, when everything that came before is done.
    func applyInTurn(_ changes: SessionChanges) async throws(StorageError) {
        try await door.inTurn(.regular) { () async throws(StorageError) in
            try await apply(changes)
        }
    }

    /// What waits is in the store, as far as the store is well, before something is read from there.
    func saveBeforeReading() async throws(StorageError) {
        if regular.hasSomethingToSend || incognito.hasSomethingToSend { try await save() }
    }

    /// Goes on with another storage, of which nothing is known.
    func replaceStorage(with storage: any SessionStorage) {
        door.replace(with: storage)
        reached = [:]
        claim.forgetStore()
        feed.forget()
        unsafe = []
        regular.forgetStore()
        incognito.forgetStore()
        debt.storageWasReplaced()
    }

    /// Deletes the whole off-the-record side, see ``DeletionDebt``.
    func deleteIncognito(_ markAnew: () -> Void) async throws(StorageError) {
        try await claim.check()
        do throws(StorageError) {
            try await debt.delete {
                unsafe = []
                markAnew()
            }
        } catch {
            logger.error("deleting incognito failed", metadata: ["error": "\(error)"])
            tell(.saveFailed(error))
            throw error
        }
    }
}

extension Error {
    /// A storage throws nothing else; whatever comes all the same is told.
    func asStorageError(_ operation: String) -> StorageError {
        self as? StorageError
            ?? StorageError(.failed, "\(self)", operation: operation, underlying: self)
    }
}
