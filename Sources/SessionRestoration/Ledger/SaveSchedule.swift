import BrowserSessions
import Logging

/// When what waits is sent by itself, and how that goes: delays, tries after a failure, and the health.
final class SaveSchedule {
    /// Whether anything is sent by itself.
    var isRunning = false {
        didSet { if isRunning { restoringBegan() } }
    }
    private var isReminded = false
    /// Says that nothing is saved yet, if that lasts.
    private var reminder: Task<Void, Never>?
    private(set) var health = SaveHealth.healthy
    /// Sends all that waits; `nil` for all that the store can promise.
    var save: (Durability?) async throws(StorageError) -> Void = { _ in }
    var tell: (RestorationEvent) -> Void = { _ in }
    /// What a save that does not wait for the delay waits for.
    var beforeSaveSoon: () async -> Void = {}

    private let policy: RestorationPolicy
    private let work: HostWork
    private let logger: Logger
    private let metrics: RestorationMetrics
    private var delay: HostTimer?
    private var retry: HostTimer?
    private var failures = 0
    /// Whether a delayed save waits for its turn: while the store does not answer one waits, not one every
    /// few seconds.
    private var isDelayedSaveWaiting = false
    /// Whether a save without delay was asked for and has not begun: a thousand windows that close are one.
    private var isSaveWaiting = false

    init(
        _ policy: RestorationPolicy, _ work: HostWork, _ logger: Logger,
        _ metrics: RestorationMetrics
    ) {
        self.policy = policy
        self.work = work
        self.logger = logger
        self.metrics = metrics
    }

    // MARK: When

    /// The first change starts the delay; later ones do not extend it.
    func somethingChanged() {
        if !isReminded { remind() }
        guard isRunning, delay == nil, retry == nil else { return }
        weak let schedule = self
        delay = work.after(policy.saveDelay) {
            guard let schedule, schedule.isRunning else { return }
            schedule.delay = nil
            guard !schedule.isDelayedSaveWaiting else { return }
            schedule.isDelayedSaveWaiting = true
            try? await schedule.save(schedule.policy.durability ?? schedule.usualDurability())
        }
    }

    /// A host may open windows before it restores, but a host that forgets to restore saves nothing.
    private func remind() {
        isReminded = true
        let (logger, limit) = (logger, policy.answerLimit)
        reminder = work.remind(after: limit) {
            logger.critical(
                "windows were opened and restore() was not called for \(limit): nothing is saved")
        }
    }

    /// The host has asked to restore.
    func restoringBegan() {
        isReminded = true
        reminder?.cancel()
    }

    deinit { reminder?.cancel() }

    /// What delayed saves survive if the policy does not say.
    var usualDurability: () -> Durability = { .processCrash }

    /// Saves soon, without the delay: for callers that cannot wait.
    func saveSoon() {
        guard isRunning, !isSaveWaiting else { return }
        isSaveWaiting = true
        weak let schedule = self
        work.enqueue {
            await schedule?.beforeSaveSoon()
            guard let schedule else { return }
            defer { schedule.isSaveWaiting = false }
            guard schedule.isRunning else { return }
            try? await schedule.save(nil)
        }
    }

    /// Whoever asks for a save now makes up for those that were to come.
    func stopTimers() {
        delay?.cancel()
        delay = nil
        retry?.cancel()
        retry = nil
    }

    /// A save has its turn: what changes from now on is for the next one.
    func saveBegins() {
        stopTimers()
        isDelayedSaveWaiting = false
        isSaveWaiting = false
    }

    /// Nothing is sent any more by itself.
    func stop() {
        isRunning = false
        stopTimers()
    }

    // MARK: Health

    func stalled(since: Timestamp) {
        logger.warning("the storage takes long to answer")
        become(.stalled(since: since))
    }

    func answered() {
        if case .stalled = health { become(.healthy) }
    }

    func succeeded() {
        failures = 0
        if case .healthy = health { return }
        become(.healthy)
    }

    func failed(_ error: StorageError) {
        failures += 1
        metrics.failed(error)
        logger.error("saving failed", metadata: ["error": "\(error)", "attempts": "\(failures)"])
        let delays = policy.retryDelays
        let wait = delays.isEmpty ? policy.saveDelay : delays[min(failures, delays.count) - 1]
        if isRunning {
            stopTimers()
            weak let schedule = self
            retry = work.after(wait) {
                schedule?.retry = nil
                try? await schedule?.save(nil)
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
}
