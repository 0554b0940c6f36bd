import BrowserModel
import BrowserSessions
import Logging

/// Knows what the store has of a profile and what it shall have, and sees to it that it gets it.
///
/// The one room that talks to the storage: it decides when what waits is sent and in which order, tries
/// again, and says how that goes. Other rooms tell it where tabs shall be and ask it what it knows.
final class SessionLedger {
    let door: StorageDoor
    let regular: SideLedger
    let incognito: SideLedger
    let regularTransit: TabsInTransit
    let incognitoTransit: TabsInTransit
    let debt: DeletionDebt
    let feed = DurableFeed()
    let claim = StoreClaim()
    /// What everything that a side was told of windows and tabs survives.
    private var reached: [StorageSide: Durability] = [:]
    /// Whether what waits is sent by itself.
    var isRunning = false
    private(set) var health = SaveHealth.healthy
    /// Told before a save, as long as what it consists of can still be changed.
    var willSave: () -> Void = {}
    /// Told after a save that succeeded.
    var didSave: () -> Void = {}
    /// Writes down for the next process whether a deletion is owed, unless that is written already.
    var noteDebt: () async throws(StorageError) -> Void = {}
    var tell: (RestorationEvent) -> Void = { _ in }

    let work: HostWork
    private let policy: RestorationPolicy
    private let logger: Logger
    private let metrics: RestorationMetrics
    private var delay: HostTimer?
    private var retry: HostTimer?
    private var failures = 0
    /// Whether a delayed save waits for its turn: while the store does not answer one waits, not one every
    /// few seconds.
    private var isDelayedSaveWaiting = false

    init(
        _ storage: any SessionStorage, _ policy: RestorationPolicy, _ work: HostWork,
        _ logger: Logger, _ metrics: RestorationMetrics, now: @escaping @Sendable () -> Timestamp
    ) {
        self.policy = policy
        self.work = work
        self.logger = logger
        self.metrics = metrics
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
            side.onChange = { [weak self] in self?.somethingChanged() }
            side.onNotice = { [weak self] in self?.tell($0) }
        }
        door.onStall = { [weak self] in self?.stalled(since: $0) }
        door.onAnswer = { [weak self] in self?.answered() }
    }

    func side(_ side: StorageSide) -> SideLedger { side == .regular ? regular : incognito }

    func transit(_ side: StorageSide) -> TabsInTransit {
        side == .regular ? regularTransit : incognitoTransit
    }

    /// Whether everything that has changed was acknowledged by the store.
    var isClean: Bool { regular.isClean && incognito.isClean }

    /// Why tabs are not saved as they are.
    var refusals: [TabID: StorageError] {
        regular.refusals.merging(incognito.refusals) { first, _ in first }
    }

    // MARK: When

    /// The first change starts the delay; later ones do not extend it.
    func somethingChanged() {
        guard isRunning, delay == nil, retry == nil else { return }
        weak let ledger = self
        delay = work.after(policy.saveDelay) {
            guard let ledger, ledger.isRunning else { return }
            ledger.delay = nil
            guard !ledger.isDelayedSaveWaiting else { return }
            ledger.isDelayedSaveWaiting = true
            let durability = ledger.policy.durability ?? ledger.door.traits.defaultDurability
            try? await ledger.save(durability)
        }
    }

    /// Saves soon, without the delay: for callers that cannot wait.
    func saveSoon() {
        guard isRunning else { return }
        weak let ledger = self
        work.enqueue {
            guard let ledger, ledger.isRunning else { return }
            try? await ledger.save()
        }
    }

    func stopTimers() {
        delay?.cancel()
        delay = nil
        retry?.cancel()
        retry = nil
    }

    /// Sends nothing any more by itself.
    func stop() {
        isRunning = false
        stopTimers()
        debt.stop()
    }

    // MARK: Saving

    /// Sends all that waits and returns when it survives all that the store can promise.
    func save() async throws(StorageError) { try await save(door.traits.greatestDurability) }

    private func save(_ durability: Durability) async throws(StorageError) {
        stopTimers()
        var problem: StorageError?
        // A side that fails does not keep the other from being saved.
        for side in [regular, incognito] {
            do throws(StorageError) { try await save(side, durability) } catch {
                problem = problem ?? error
            }
        }
        if problem == nil {
            debt.payIfClean()
            do throws(StorageError) { try await noteDebt() } catch { problem = error }
        }
        if let problem {
            failed(problem)
            throw problem
        }
        succeeded()
    }

    private func save(_ side: SideLedger, _ durability: Durability) async throws(StorageError) {
        try await door.inTurnAgainIfReplaced(side.side) { () throws(StorageError) in
            if side === regular { beginSaving() }
            try await send(side, durability)
        }
    }

    /// From now on what changes is for the next save.
    private func beginSaving() {
        willSave()
        stopTimers()
        isDelayedSaveWaiting = false
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
            tell(.saved(summary))
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

    // MARK: Health

    private func stalled(since: Timestamp) {
        logger.warning("the storage takes long to answer")
        become(.stalled(since: since))
    }

    private func answered() {
        if case .stalled = health { become(.healthy) }
    }

    private func succeeded() {
        failures = 0
        didSave()
        if case .healthy = health { return }
        become(.healthy)
    }

    private func failed(_ error: StorageError) {
        guard !claim.isLost else { return }
        failures += 1
        metrics.failed(error)
        logger.error("saving failed", metadata: ["error": "\(error)", "attempts": "\(failures)"])
        let delays = policy.retryDelays
        let wait = delays.isEmpty ? policy.saveDelay : delays[min(failures, delays.count) - 1]
        if isRunning {
            stopTimers()
            weak let ledger = self
            retry = work.after(wait) {
                ledger?.retry = nil
                try? await ledger?.save()
            }
        }
        tell(.saveFailed(error))
        become(.failing(error, attempts: failures, retryIn: wait))
    }

    /// Another restorer uses the store.
    func supersede() {
        logger.error("another restorer uses the store: nothing is saved here any more")
        stop()
        become(.superseded)
    }

    private func become(_ health: SaveHealth) {
        self.health = health
        tell(.healthChanged(health))
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
        regular.forgetStore()
        incognito.forgetStore()
        debt.storageWasReplaced()
    }

    /// Deletes the whole off-the-record side, see ``DeletionDebt``.
    func deleteIncognito(_ markAnew: () -> Void) async throws(StorageError) {
        try await claim.check()
        do throws(StorageError) { try await debt.delete(markAnew) } catch {
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
