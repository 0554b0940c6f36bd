import BrowserModel
import BrowserSessions
import Logging

/// Receives the driver's requests and reports for the components of a restorer.
protocol SaveDelegate: AnyObject {
    func didSave()
    /// Waits a limited time for pages to report their state.
    func flushPages() async
    /// Returns whether another restorer wrote a launch note to the store after this one did.
    func isReplaced() async -> Bool
    /// Another restorer uses the store, so this one saves nothing any more.
    func superseded()
    /// Marks the open private tabs, because the store no longer has them.
    func markIncognito()
    /// A deletion of private tabs became pending, or is not pending any more.
    func deletionChanged()
    /// A pending deletion of private tabs can be tried again.
    func deletionIsDue() async
    /// Notes for the next process whether a deletion is pending, unless that is noted already.
    func noteDeletion() async throws(StorageError)
}

/// Performs the effects of a ``SaveCoordinator``: reads the model, calls the storage, sets timers,
/// and resumes callers.
///
/// Events are handled immediately, even while effects are performed. Their effects follow the
/// current ones.
final class SaveDriver {
    private(set) var coordinator: SaveCoordinator
    private(set) var setup: RestorerSetup
    /// A number that increases with each storage.
    private(set) var generation = 0
    weak var delegate: (any SaveDelegate)?
    weak var receiver: (any RestorationEventReceiver)?

    let work: IsolatedTaskQueue

    private var effects: [SaveEffect] = []
    private var isPerforming = false
    private var timers: [SaveTimer: ScheduledTask] = [:]
    /// The calls to the storage that the coordinator made.
    private var ownCalls: [Int: ScheduledTask] = [:]
    private var workflowCalls: [Int: any AbandonableCall] = [:]
    private var requests: [Int: AwaitedAnswer<Void>] = [:]
    /// Reports that nothing is saved yet, if this lasts.
    private var reminder: Task<Void, Never>?
    private var isReminded = false

    init(_ setup: RestorerSetup) {
        self.setup = setup
        work = IsolatedTaskQueue(clock: setup.clock)
        coordinator = SaveCoordinator(
            setup.policy, maximumStateBytes: setup.storage.traits.maximumStateBytes)
    }

    deinit { reminder?.cancel() }

    var storage: any SessionStorage { setup.storage }
    var traits: StorageTraits { storage.traits }

    /// The calls of workflows to the storage.
    var store: StoreCalls { StoreCalls(driver: self) }

    /// Whether the store has acknowledged all changes.
    var isClean: Bool { coordinator.isClean }

    /// The tabs that are not saved as they are, with the reason.
    var refusals: [TabID: StorageError] {
        coordinator.regular.refusals.merging(coordinator.incognito.refusals) { first, _ in first }
    }

    /// The windows that are not saved as they are, with the reason.
    var sessionRefusals: [SessionID: StorageError] {
        coordinator.regular.sessionRefusals
            .merging(coordinator.incognito.sessionRefusals) { first, _ in first }
    }

    /// Whether a deletion of the incognito partition is pending.
    var isDeletionPending: Bool { coordinator.deletion.isPending }

    // MARK: Events

    func send(_ event: SaveEvent) {
        if !isReminded, case .marked(_, let partition) = event, !coordinator[partition].isMuted {
            remind()
        }
        effects += coordinator.handle(event, at: setup.wallClock.now)
        guard !isPerforming else { return }
        isPerforming = true
        defer { isPerforming = false }
        while !effects.isEmpty {
            var batch: [SaveEffect] = []
            swap(&batch, &effects)
            for effect in batch { perform(effect) }
        }
    }

    func newNumber() -> Int { coordinator.newNumber() }

    /// Indexes the restored tabs, so that the first change does not have to.
    func indexStored() {
        for partition in StoragePartition.allCases { coordinator[partition].stored.index() }
    }

    /// Saves all pending changes.
    ///
    /// - Parameter durability: the durability of the save; `nil` for the store's greatest.
    func save(_ durability: Durability? = nil) async throws(StorageError) {
        try await request { .saveRequested(SaveRequest(number: $0, durability: durability)) }
            .answer.get()
    }

    /// Deletes the entire incognito partition. If it throws, the deletion is pending.
    func deleteIncognito() async throws(StorageError) {
        try await request { .deletionRequested($0) }.answer.get()
    }

    /// Continues with another storage with unknown contents.
    func replaceStorage(with new: any SessionStorage) {
        setup.storage = new
        generation += 1
        send(.storageReplaced(maximumStateBytes: new.traits.maximumStateBytes))
    }

    /// Makes a request, and waits until the coordinator finishes it.
    func request(
        _ event: (Int) -> SaveEvent
    ) async -> (number: Int, answer: Result<Void, StorageError>) {
        let (number, answer) = (newNumber(), AwaitedAnswer<Void>())
        requests[number] = answer
        send(event(number))
        return (number, await answer.value())
    }

    // MARK: Calls of workflows

    func began(_ call: any AbandonableCall, _ number: Int, changing partition: StoragePartition?) {
        workflowCalls[number] = call
        send(.callBegan(number, changing: partition))
    }

    func ended(_ number: Int) {
        workflowCalls[number] = nil
        send(.callEnded(number))
    }

    // MARK: The reminder

    /// A host may open windows before it restores, but if it never restores, nothing is saved.
    private func remind() {
        isReminded = true
        let (logger, limit) = (setup.logger, setup.policy.answerLimit)
        reminder = work.remind(after: limit) {
            logger.critical(
                "windows were opened and restore() was not called for \(limit): nothing is saved")
        }
    }

    /// Cancels the reminder, because the host began to restore.
    func restoringBegan() {
        isReminded = true
        reminder?.cancel()
    }

    // MARK: Effects

    private func perform(_ effect: SaveEffect) {
        switch effect {
        case .setTimer(let timer, let delay):
            weak let driver = self
            timers[timer]?.cancel()
            timers[timer] = work.after(delay) {
                driver?.timers[timer] = nil
                driver?.send(.timerEnded(timer))
            }
        case .cancelTimer(let timer): timers.removeValue(forKey: timer)?.cancel()
        case .collect(let partition, let record, let isFirst):
            if isFirst, coordinator[partition].hasSomethingToSend {
                notify(.willSave(partition))
            }
            let records = read(
                coordinator[partition].toCollect(only: record), of: partition)
            send(.collected(partition, records, traits))
        case .save(let call, let changes, let partition, let durability):
            let (storage, start) = (storage, ContinuousClock.now)
            weak let driver = self
            ownCalls[call] = work.run(isAwaited: !coordinator.isRequested(partition)) {
                try await storage.save(changes, durability: durability)
            } then: { answer in
                driver?.ownCalls[call] = nil
                driver?.send(.saveAnswered(call, answer, ContinuousClock.now - start))
            }
        case .deleteIncognito(let call): deleteIncognito(call)
        case .finish(let number, let error):
            requests.removeValue(forKey: number)?.give(error.map { .failure($0) } ?? .success(()))
        case .giveUp(let call, let error):
            ownCalls.removeValue(forKey: call)?.cancel()
            workflowCalls.removeValue(forKey: call)?.abandon(error)
        case .flushPages, .checkOwner, .noteDeletion, .deletionIsDue: enqueue(effect)
        case .didSave: delegate?.didSave()
        case .superseded: delegate?.superseded()
        case .markIncognito: delegate?.markIncognito()
        case .deletionChanged: delegate?.deletionChanged()
        case .notify(let event): notify(event)
        }
    }

    private func deleteIncognito(_ call: Int) {
        let storage = storage
        weak let driver = self
        ownCalls[call] = work.run(isAwaited: false) {
            try await storage.deleteIncognito()
        } then: { answer in
            driver?.ownCalls[call] = nil
            driver?.send(.deletionAnswered(call, answer))
        }
    }

    /// Performs an effect that has to wait, in a separate task.
    private func enqueue(_ effect: SaveEffect) {
        weak let driver = self
        work.enqueue {
            guard let driver, let delegate = driver.delegate else { return }
            switch effect {
            case .flushPages:
                await delegate.flushPages()
                driver.send(.pagesFlushed)
            case .checkOwner(let number):
                driver.send(.ownerChecked(number, isReplaced: await delegate.isReplaced()))
            case .deletionIsDue: await delegate.deletionIsDue()
            case .noteDeletion:
                do throws(StorageError) {
                    try await delegate.noteDeletion()
                    driver.send(.deletionNoted(nil))
                } catch {
                    driver.send(.deletionNoted(error))
                }
            default: break
            }
        }
    }

    func notify(_ event: RestorationEvent) {
        switch event {
        case .saved(let summary): setup.metrics.saved(summary)
        case .saveFailed(let error):
            setup.metrics.failed(error)
            setup.logger.error("saving failed", metadata: ["error": "\(error)"])
        case .healthChanged(.stalled): setup.logger.warning("the storage takes long to answer")
        case .healthChanged(.superseded):
            setup.logger.error("another restorer uses the store: nothing is saved here any more")
        default: break
        }
        receiver?.receive(event)
    }
}
