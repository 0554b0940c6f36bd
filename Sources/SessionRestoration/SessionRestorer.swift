public import BrowserModel
public import BrowserSessions
public import Logging
public import Metrics

/// Saves the windows of a profile as they change, and brings them back at launch.
///
/// Make one for each profile, in the isolation in which the profile's model lives; call
/// ``restore(_:isolation:)`` once; and ``close()`` when the app ends. Between them nothing has to be
/// done: the first change starts a delay of ``RestorationPolicy/saveDelay``, after which everything
/// that changed is saved as one set. What somebody awaits is saved at once.
public final class SessionRestorer {
    public let windows: WindowList
    public let policy: RestorationPolicy
    /// What was found at launch; `nil` before restoring has finished.
    public internal(set) var report: RestorationReport?

    let ledger: SessionLedger
    let engine: any TabEngine
    let now: @Sendable () -> Timestamp
    let work: HostWork
    let logger: Logger
    let metrics: RestorationMetrics
    var trackers: [SessionID: WindowTracker] = [:]
    /// Whether there was an off-the-record window or session since that side was deleted last.
    var isIncognitoInUse = false
    /// Off-the-record sessions with tabs whose windows were not opened yet.
    var unopenedIncognito: Set<SessionID> = []
    let closedTabs: ClosedTabs
    let launch = LaunchKeeper()
    lazy var suspicion = SuspicionRules(closingRules, limit: policy.suspiciousLoss)
    var phase = Phase.created { didSet { ledger.isRunning = phase == .running } }
    /// While this restorer itself opens a window whose tabs the store has.
    var isOpening = false
    private weak var profile: Profile?
    private var observers: [WeakObserver] = []

    enum Phase {
        case created
        case restoring
        case running
        case closed
    }

    private struct WeakObserver {
        weak var observer: (any SessionRestorerObserver)?
    }

    /// - Parameters:
    ///   - windows: the profile's windows. Those that are open already are saved as well.
    ///   - storage: any backend's store of the profile.
    ///   - engine: makes the content of tabs that become realized.
    ///   - policy: the rules; the defaults suit a browser.
    ///   - clock: counts the delays.
    ///   - now: the wall clock, for the times that are saved.
    ///   - logger: never gets an address or a title.
    ///   - metrics: makes the metrics: how long saving and restoring take, how much is saved, and how
    ///     often it fails.
    public init(
        windows: WindowList, storage: any SessionStorage,
        engine: any TabEngine = PageHistoryEngine(),
        policy: RestorationPolicy = RestorationPolicy(),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = { .now() },
        logger: Logger = Logger(label: "browser-sessions"),
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.windows = windows
        self.policy = policy
        self.engine = engine
        self.now = now
        self.logger = logger
        work = HostWork(clock: clock)
        self.metrics = RestorationMetrics(backend: storage.traits.backend, factory: metrics)
        ledger = SessionLedger(storage, policy, work, logger, self.metrics, now: now)
        closedTabs = ClosedTabs(policy, ledger.regular, now: now)
        listenToLedger()
        windows.addObserver(self)
        windows.offTheRecord.addObserver(self)
        for window in windows.windows { track(window)?.markEverything() }
    }

    /// A restorer of a profile's windows. The profile's off-the-record side is created when there are
    /// windows of that side, and ends when its last tab is closed.
    ///
    /// The profile keeps the restorer, so that nothing goes unsaved because nobody else does, and closes
    /// it when it ends.
    public convenience init(
        profile: Profile, storage: any SessionStorage,
        engine: any TabEngine = PageHistoryEngine(),
        policy: RestorationPolicy = RestorationPolicy(),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = { .now() },
        logger: Logger = Logger(label: "browser-sessions"),
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.init(
            windows: profile.windows, storage: storage, engine: engine, policy: policy,
            clock: clock, now: now, logger: logger, metrics: metrics)
        self.profile = profile
        _ = try? profile.attach(self)
        if !windows.offTheRecord.isEmpty { beginOffTheRecord() }
    }

    func beginOffTheRecord() { _ = try? profile?.offTheRecord }

    func endOffTheRecord() { profile?.destroyOffTheRecord() }

    public func addObserver(_ observer: any SessionRestorerObserver) {
        observers.removeAll { $0.observer == nil }
        observers.append(WeakObserver(observer: observer))
    }

    public func removeObserver(_ observer: any SessionRestorerObserver) {
        observers.removeAll { $0.observer == nil || $0.observer === observer }
    }

    func tell(_ event: RestorationEvent) {
        for entry in observers { entry.observer?.restorer(self, did: event) }
    }

    private func listenToLedger() {
        ledger.tell = { [weak self] in self?.tell($0) }
        ledger.willSave = { [weak self] in self?.decideOnClosings() }
        ledger.didSave = { [weak self] in self?.discardOldSetAside() }
        ledger.didChangeDebt = { [weak self] in self?.deletionDebtChanged() }
        weak let restorer = self
        ledger.noteDebt = { () async throws(StorageError) in try await restorer?.noteDebt() }
        ledger.deletionIsDue = { await restorer?.deleteIncognitoIfEmpty() }
        ledger.regularTransit.onLost = { [weak self] in self?.closedTabs.lost($0, from: $1) }
        ledger.incognitoTransit.onLost = { [weak self] tab, _ in
            self?.ledger.incognito.close(tab.id)
        }
        ledger.incognitoTransit.onEnded = { [weak self] in self?.incognitoWindowEmptied() }
    }
}

extension SessionRestorer: ProfileData {
    /// Saves what waits and closes, in its own time: whoever needs to know when that is done awaits
    /// ``close()`` before ending the profile.
    public func profileDidEnd() {
        guard phase == .running else { return }
        work.enqueue { try? await self.close() }
    }
}
