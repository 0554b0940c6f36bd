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
    public var windows: WindowList { context.windows }
    public var policy: RestorationPolicy { context.policy }
    /// What was found at launch; `nil` before restoring has finished.
    public var report: RestorationReport? { context.report }
    /// What is saved of windows, open or not.
    public var savedWindows: SavedWindows { rooms.savedWindows }
    /// Tabs and windows that the user closed and can open again.
    public var closed: ClosedTabs { rooms.closed }
    /// Closes all tabs of a window so that it can be undone.
    public var closeAll: CloseAll { rooms.closeAll }
    /// Tabs that nobody used for long.
    public var inactive: InactiveTabs { rooms.inactive }
    /// Windows that were taken out of the user's way.
    public var setAside: SetAsideSessions { rooms.setAside }
    /// Private tabs, as far as the store has them.
    public var incognito: IncognitoTabs { rooms.incognito }
    /// Clears browsing data.
    public var browsingData: BrowsingData { rooms.browsingData }
    /// The tabs that have their page, and how to save memory.
    public var realizedTabs: RealizedTabs { rooms.realized }
    /// What tabs can go back to, without realizing them.
    public var states: TabStateReader { rooms.states }

    private let rooms: RestorerRooms
    private weak var profile: Profile?
    /// Why it never restores.
    private var refusal: SessionRestorationError?
    private var observers = Observers<any SessionRestorerObserver>()

    var context: RestorerContext { rooms.context }
    private var ledger: SessionLedger { context.ledger }

    /// - Parameters:
    ///   - windows: the profile's windows. Those that are open already are saved as well.
    ///   - storage: any backend's store of the profile.
    ///   - engine: makes the pages of tabs that become realized.
    ///   - policy: the rules; the defaults suit a browser.
    ///   - clock: counts the delays.
    ///   - now: the wall clock, for the times that are saved.
    ///   - logger: never gets an address or a title.
    ///   - metrics: makes the metrics: how long saving and restoring take, how much is saved, and how
    ///     often it fails.
    public init(
        windows: WindowList, storage: any SessionStorage,
        engine: some WebEngine = PageHistoryEngine(),
        policy: RestorationPolicy = RestorationPolicy(),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = { .now() },
        logger: Logger = Logger(label: "browser-sessions"),
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        let metrics = RestorationMetrics(backend: storage.traits.backend, factory: metrics)
        let work = HostWork(clock: clock)
        let ledger = SessionLedger(storage, policy, work, logger, metrics, now: now)
        rooms = RestorerRooms(
            RestorerContext(
                windows, policy, EnginePages(engine), ledger, logger, metrics,
                StoreAge(clock: clock), now: now))
        context.tell = { [weak self] in self?.tell($0) }
        ledger.tell = { [weak self] in self?.tell($0) }
        incognito.onBegin = { [weak self] in _ = try? self?.profile?.offTheRecord }
        incognito.onEnd = { [weak self] in self?.profile?.destroyOffTheRecord() }
    }

    /// A restorer of a profile's windows. The profile's off-the-record side is created when there are
    /// windows of that side, and ends when its last tab is closed; its time is `Profile.now`.
    ///
    /// The profile keeps the restorer, so that nothing goes unsaved because nobody else does, and closes
    /// it when it ends. It has one: restoring throws ``SessionRestorationError/profileHasRestorer(_:)`` if
    /// there was another that was not closed.
    public convenience init(
        profile: Profile, storage: any SessionStorage,
        engine: some WebEngine = PageHistoryEngine(),
        policy: RestorationPolicy = RestorationPolicy(),
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger = Logger(label: "browser-sessions"),
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.init(
            windows: profile.windows, storage: storage, engine: engine, policy: policy,
            clock: clock, now: profile.now, logger: logger, metrics: metrics)
        let other = try? profile.data(SessionRestorer.self)
        guard other.map({ [.superseded, .closed].contains($0.context.phase) }) ?? true else {
            refusal = .profileHasRestorer(profile.name)
            return
        }
        self.profile = profile
        _ = try? profile.attach(self)
        if !windows.offTheRecord.isEmpty { _ = try? profile.offTheRecord }
    }

    /// Each is told in the order in which they were added, and never kept alive.
    public func addObserver(_ observer: any SessionRestorerObserver) {
        observers.add(observer) { [weak observer] in observer }
    }

    public func removeObserver(_ other: any SessionRestorerObserver) { observers.remove(other) }

    private func tell(_ event: RestorationEvent) {
        for observer in observers.current { observer.restorer(self, did: event) }
    }

    // MARK: - Restoring

    /// Brings the windows back, once, and begins to save what changes.
    ///
    /// Only metadata is read, once for each session; the active tab of each window is realized, all
    /// others stay unrealized. Tabs that the host opened meanwhile come behind the restored ones and
    /// are saved then. A session that cannot be read is reported and stays in the store untouched.
    ///
    /// Throws if the store cannot even say what it has; it may be tried again then.
    ///
    /// - Parameters:
    ///   - selection: which windows are opened.
    ///   - isolation: where the profile's model lives; work after delays is done there.
    @discardableResult
    public func restore(
        _ selection: WindowsToRestore = .allThatWereOpen,
        isolation: isolated any Actor = #isolation
    ) async throws(SessionRestorationError) -> RestorationReport {
        if let refusal { throw refusal }
        try rooms.restoration.begin()
        context.work.start(isolation: isolation)
        tell(.willRestore)
        let report = try await rooms.restoration.restore(selection)
        tell(.didRestore(report))
        rooms.restoration.tidy()
        return report
    }

    /// Says that this launch has succeeded: the crashes before it are forgotten. It is called by itself
    /// after ``CrashPolicy/stableAfter``. Does nothing before windows were restored.
    public func markStable() { rooms.launch.markStable() }

    // MARK: - Saving

    /// Saves everything that has changed and returns when it survives all that the store can
    /// promise. A delayed save that waits is not needed any more.
    ///
    /// When nothing has changed, nothing is written. When it throws, the changes are kept and tried again,
    /// and it goes on if its task is cancelled.
    public func save() async throws(SessionRestorationError) { try await context.save() }

    /// Whether everything that has changed was acknowledged by the store, and no page may have more to
    /// tell of what the user did last.
    public var isSaved: Bool { ledger.isClean && !rooms.unsettled.mayHaveMore }

    /// The tabs that are not saved as they are, because a part of them is too large or malformed, and
    /// why; empty if there are none. Everything else of them is saved. A tab is tried again when it
    /// changes.
    public var unsavedTabs: [TabID: StorageError] { ledger.refusals }

    /// The windows that are not saved as they are, because their title, a group's name or a property is
    /// too large or malformed, and why; empty if there are none. Their tabs are saved, and as much of the
    /// rest as the store takes. A window is tried again when it changes.
    public var unsavedWindows: [SessionID: StorageError] { ledger.sessionRefusals }

    /// Whether changes reach the store.
    public var health: SaveHealth { ledger.schedule.health }

    /// Returns once nothing is under way or due of what the restorer does by itself: delayed saves,
    /// tries after a failure, deletions of the off-the-record side, notes of the launch, and tabs that
    /// become realized because they were activated, and what these ask for.
    ///
    /// It does not wait for a delay to pass, nor for what others await. While the store does not answer
    /// it does not return, unless its task is cancelled. Before the restoring it returns at once.
    public func waitUntilIdle() async { await context.work.waitUntilIdle() }

    /// The store in use: the one that was given, or the last that took its place.
    public var currentStorage: any SessionStorage { ledger.currentStorage }

    /// Goes on with another store: the same one opened again, or one elsewhere. Everything that is open is
    /// saved there, and the recently closed tabs; state of tabs that are not realized is there only if the
    /// store has it. Whoever waits for the first one is told; saves go on with the new one.
    public func replaceStorage(with storage: any SessionStorage) { rooms.replaceStorage(storage) }

    /// Saves everything, notes that the app ended in order, and stops to watch. Windows that are open come
    /// back at the next launch. The store stays open: who opened it closes it.
    ///
    /// When it throws, the restorer is still in use, unless it was superseded.
    /// ``SessionRestorationError/notRestored`` means that windows were opened and ``restore(_:isolation:)``
    /// was never called, so that nothing of them is saved. Closing twice is fine.
    public func close() async throws(SessionRestorationError) { try await rooms.close() }

    deinit { reportLoss("the session restorer was let go") }

    /// What changes from now on is not saved; a host that did not mean that reads of it in its log.
    private func reportLoss(_ reason: String) {
        let problem: String
        switch context.phase {
        case .created where !ledger.isClean:
            problem = "restore() \(context.wasAskedToRestore ? "has failed" : "was never called")"
        case .restoring, .running: problem = "close() was never called"
        default: return
        }
        context.logger.critical(
            "\(reason), and \(problem): its windows are not saved any more",
            metadata: [
                "windows": "\(context.windows.windows.count)", "isSaved": "\(ledger.isClean)",
            ])
    }
}

extension SessionRestorer: ProfileData {
    /// Saves what waits and closes, in its own time: to know when that is done, await ``close()`` before.
    /// If it fails, or windows are still open, the log says what is lost.
    public func profileDidEnd() {
        guard context.phase == .running else { return reportLoss("the profile has ended") }
        if !context.windows.windows.isEmpty {
            context.logger.warning(
                "the profile has ended while windows are open: what changes in them is not saved",
                metadata: ["windows": "\(context.windows.windows.count)"])
        }
        context.work.enqueue {
            do throws(SessionRestorationError) { try await self.close() } catch {
                self.context.logger.critical(
                    "the profile has ended, and its windows could not be saved",
                    metadata: ["error": "\(error)"])
            }
        }
    }
}
