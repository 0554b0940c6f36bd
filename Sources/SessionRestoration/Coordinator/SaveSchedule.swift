import BrowserSessions

/// The schedule of saves without a request: delays, retries after failures, and health.
struct SaveSchedule {
    private(set) var health = SaveHealth.healthy
    /// Whether changes are saved without a request.
    private(set) var isRunning = false
    private let policy: RestorationPolicy
    private var failures = 0
    private var isDelayRunning = false
    private var isRetryRunning = false
    /// Whether a delayed save waits for its turn. While the store does not answer, only one such
    /// save waits.
    private var isDelayedSaveWaiting = false
    /// Whether a save without delay was requested and has not begun. Many closing windows share one save.
    private var isSaveWaiting = false

    init(_ policy: RestorationPolicy) { self.policy = policy }

    mutating func start(isChanged: Bool, _ effects: inout [SaveEffect]) {
        isRunning = true
        if isChanged { changed(&effects) }
    }

    /// Starts the delay at the first change. Later changes do not extend it.
    mutating func changed(_ effects: inout [SaveEffect]) {
        guard isRunning, !isDelayRunning, !isRetryRunning else { return }
        isDelayRunning = true
        effects.append(.setTimer(.saveDelay, policy.saveDelay))
    }

    /// Returns whether a delayed save is due.
    mutating func delayEnded() -> Bool {
        isDelayRunning = false
        guard isRunning, !isDelayedSaveWaiting else { return false }
        isDelayedSaveWaiting = true
        return true
    }

    /// Returns the durability of a delayed save.
    func delayedDurability(_ traits: StorageTraits) -> Durability {
        policy.durability ?? traits.defaultDurability
    }

    /// Requests a save for a caller that cannot wait.
    mutating func saveSoon(_ effects: inout [SaveEffect]) {
        guard isRunning, !isSaveWaiting else { return }
        isSaveWaiting = true
        effects.append(.flushPages)
    }

    /// Returns whether the requested save without the delay can begin.
    mutating func pagesFlushed() -> Bool {
        if !isRunning { isSaveWaiting = false }
        return isRunning
    }

    /// Stops the timers, because a requested save replaces the saves that were due.
    mutating func stopTimers(_ effects: inout [SaveEffect]) {
        if isDelayRunning { effects.append(.cancelTimer(.saveDelay)) }
        if isRetryRunning { effects.append(.cancelTimer(.retry)) }
        (isDelayRunning, isRetryRunning) = (false, false)
    }

    /// Notes that a save has its turn. Later changes belong to the next one.
    mutating func saveBegan(_ effects: inout [SaveEffect]) {
        stopTimers(&effects)
        (isDelayedSaveWaiting, isSaveWaiting) = (false, false)
    }

    mutating func stop(_ effects: inout [SaveEffect]) {
        isRunning = false
        stopTimers(&effects)
    }

    // MARK: Health

    /// - Parameter since: the start of a call; `nil` if the store has ended it.
    mutating func stalled(since: Timestamp?, _ effects: inout [SaveEffect]) {
        if let since { become(.stalled(since: since), &effects) }
    }

    mutating func answered(_ effects: inout [SaveEffect]) {
        if case .stalled = health { become(.healthy, &effects) }
    }

    mutating func succeeded(_ effects: inout [SaveEffect]) {
        failures = 0
        if case .healthy = health { return }
        become(.healthy, &effects)
    }

    mutating func failed(_ error: StorageError, _ effects: inout [SaveEffect]) {
        failures += 1
        let delays = policy.retryDelays
        let wait = delays.isEmpty ? policy.saveDelay : delays[min(failures, delays.count) - 1]
        if isRunning {
            stopTimers(&effects)
            isRetryRunning = true
            effects.append(.setTimer(.retry, wait))
        }
        effects.append(.notify(.saveFailed(error)))
        become(.failing(error, attempts: failures, retryIn: wait), &effects)
    }

    /// Stops saving, because another restorer uses the store.
    mutating func supersede(_ effects: inout [SaveEffect]) {
        stop(&effects)
        become(.superseded, &effects)
    }

    /// Changes the health, unless the restorer was superseded: that is final.
    private mutating func become(_ health: SaveHealth, _ effects: inout [SaveEffect]) {
        if case .superseded = self.health { return }
        self.health = health
        effects.append(.notify(.healthChanged(health)))
    }
}
