public import BrowserModel
public import BrowserSessions
public import Logging
public import Metrics

/// Saves the windows of a profile as they change, and brings them back at launch.
///
/// Create one restorer for each profile, in the isolation of the profile's model. Call
/// ``restore(_:isolation:)`` once, and ``close()`` when the app ends. In between, there is nothing
/// to do: the first change starts a delay of ``RestorationPolicy/saveDelay``, after which all
/// changes are saved as one set. A save that a caller awaits begins immediately.
public final class SessionRestorer {
    /// The regular windows that are saved. The incognito windows are in their
    /// `WindowList.incognito`.
    public var windows: WindowList { context.windows }
    /// The rules with which the restorer was created.
    public var policy: RestorationPolicy { context.policy }
    /// The findings at launch; `nil` before restoring has finished.
    public var report: RestorationReport? { context.report }
    /// The saved data of windows, open or not.
    public var savedWindows: SavedWindows { SavedWindows(components: components) }
    /// The tabs and windows that the user closed and can reopen.
    public var closed: ClosedTabs { ClosedTabs(components: components) }
    /// Closes all tabs of a window in a way that can be undone.
    public var closeAll: CloseAll { CloseAll(context) }
    /// The tabs that were not used for a long time.
    public var inactive: InactiveTabs { InactiveTabs(context) }
    /// The sessions that were set aside.
    public var setAside: SetAsideSessions { SetAsideSessions(components: components) }
    /// The saved private tabs.
    public var incognito: IncognitoTabs { components.incognito }
    /// What was saved earlier: restore points and plans, finding, forgetting and clearing.
    public var history: SessionHistory { SessionHistory(components: components) }
    /// The tabs that have their page, and ways to save memory.
    public var realizedTabs: RealizedTabs { components.realized }
    /// Reads the history and state of tabs without realizing them.
    public var states: TabStateReader { TabStateReader(components: components) }

    private let components: RestorerComponents
    private let restoration: Restoration
    /// The reason why this restorer never restores.
    private var refusal: SessionRestorationError?

    private var observers = Observers<any SessionRestorerObserver>()
    private var streams = EventStreams()
    /// The event that observers receive now, and those that happened meanwhile.
    private var undelivered: [RestorationEvent] = []

    var context: RestorerContext { components.context }
    private var saves: SaveDriver { context.saves }

    /// Creates a restorer, which saves nothing before ``restore(_:isolation:)``.
    ///
    /// It keeps the windows, the store and the engine alive. Nothing but the host keeps the restorer itself: hold
    /// it until it is closed.
    ///
    /// - Parameters:
    ///   - windows: the profile's windows. Windows that are already open are saved as well.
    ///   - storage: the profile's store, of any backend.
    ///   - policy: the rules. The defaults suit a browser.
    ///   - clock: the clock for delays.
    ///   - now: the wall clock for the times that are saved.
    ///   - logger: the log. It never receives an address or a title.
    ///   - metrics: makes the metrics for the duration of saves and restores, the amount of data,
    ///     and failures.
    public init(
        windows: WindowList, storage: any SessionStorage,
        policy: RestorationPolicy = RestorationPolicy(),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = { .now() },
        logger: Logger = Logger(label: "browser-sessions"),
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        components = RestorerComponents(
            RestorerContext(
                RestorerSetup(
                    windows: windows, storage: storage, policy: policy,
                    clock: clock, wallClock: WallClock(now),
                    logger: logger,
                    metrics: RestorationMetrics(
                        backend: storage.traits.backend, factory: metrics))))
        restoration = Restoration(components)
        saves.receiver = self
    }

    /// Creates a restorer for a profile's windows. Its wall clock is `Profile.now`. The profile's
    /// incognito partition is created when it has windows, and ends when its last tab closes.
    ///
    /// The profile keeps the restorer alive, so that no change is lost, and closes it when the profile ends.
    /// A profile has only one restorer: restoring throws ``SessionRestorationError/profileHasRestorer(_:)``
    /// if it has another that is not closed.
    public convenience init(
        profile: Profile, storage: any SessionStorage,
        policy: RestorationPolicy = RestorationPolicy(),
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger = Logger(label: "browser-sessions"),
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.init(
            windows: profile.windows, storage: storage, policy: policy,
            clock: clock, now: profile.now, logger: logger, metrics: metrics)
        let other = try? profile.data(SessionRestorer.self)
        guard other.map({ [.superseded, .closed].contains($0.context.phase) }) ?? true else {
            refusal = .profileHasRestorer(profile.name)
            return
        }
        context.profile = profile
        _ = try? profile.attach(self)
        if !windows.incognito.isEmpty { _ = try? profile.createIncognito() }
    }

    /// Adds an observer. Observers are held weakly and notified in the order in which they were added.
    public func addObserver(_ observer: any SessionRestorerObserver) {
        observers.add(observer) { [weak observer] in observer }
    }

    /// Removes an observer. Does nothing if it was not added.
    public func removeObserver(_ other: any SessionRestorerObserver) { observers.remove(other) }

    /// Returns the events from now on, in order, for tasks that read them with `for await`. Each
    /// call returns a separate sequence, which buffers unread events without a limit. It ends when
    /// the restorer is closed, superseded or released; afterwards, it has no events.
    ///
    /// An observer is notified while the model is as the event describes it. A sequence delivers
    /// events later.
    public func events() -> AsyncStream<RestorationEvent> {
        streams.make(isFinished: isOver)
    }

    // MARK: - Restoring

    /// Brings the windows back, once, and begins to save changes.
    ///
    /// Reads only metadata, once for each session. The active tab of each window is realized; all others stay
    /// unrealized. Tabs that the host opened in the meantime follow the restored ones and are then saved. A
    /// session that cannot be read is reported and stays in the store untouched.
    ///
    /// - Parameters:
    ///   - selection: the windows to open.
    ///   - isolation: the isolation of the profile's model. Delayed work runs there.
    /// - Throws: ``SessionRestorationError/storage(_:)`` if the store cannot list its sessions,
    ///   save the launch note or set windows aside. You can then try again.
    ///   ``SessionRestorationError/alreadyRestored`` if restoring is in progress or done,
    ///   ``SessionRestorationError/profileHasRestorer(_:)`` if the profile has another restorer
    ///   that is not closed, ``SessionRestorationError/superseded``, or
    ///   ``SessionRestorationError/closed``, also if the restorer is closed meanwhile.
    @discardableResult
    public func restore(
        _ selection: WindowsToRestore = .allThatWereOpen,
        isolation: isolated any Actor = #isolation
    ) async throws(SessionRestorationError) -> RestorationReport {
        if let refusal { throw refusal }
        try restoration.begin()
        context.work.start(isolation: isolation)
        context.report(.willRestore)
        let report = try await restoration.restore(selection)
        context.report(.didRestore(report))
        restoration.tidy()
        return report
    }

    /// Reports that this launch succeeded, so that earlier crashes are forgotten. The restorer does
    /// this itself after ``CrashPolicy/stableAfter``. Does nothing before windows were restored.
    public func markStable() { components.launch.markStable() }

    // MARK: - Saving

    /// Saves all changes, and returns when they have the store's greatest durability. This replaces
    /// a delayed save that is waiting.
    ///
    /// If nothing has changed, nothing is written. If it throws, the changes are kept and saved
    /// later. It continues if its task is cancelled.
    ///
    /// - Throws: ``SessionRestorationError/storage(_:)`` if the store fails;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    public func save() async throws(SessionRestorationError) { try await context.save() }

    /// Whether the store acknowledged all changes and no page may have more to report about recent
    /// user actions.
    public var isSaved: Bool { saves.isClean && !components.unsavedPages.mayHaveMore }

    /// The tabs that cannot be saved as they are, with the reason: part of them is too large or
    /// malformed. Empty if there are none. Everything else of them is saved. The restorer tries
    /// again when the tab changes.
    public var unsavedTabs: [TabID: StorageError] { saves.refusals }

    /// The windows that cannot be saved as they are, with the reason: the title, a group's name or
    /// a property is too large or malformed. Empty if there are none. Their tabs are saved, and as
    /// much of the rest as the store accepts. The restorer tries again when the window changes.
    public var unsavedWindows: [SessionID: StorageError] { saves.sessionRefusals }

    /// The health of saving: whether changes reach the store.
    public var health: SaveHealth { saves.coordinator.schedule.health }

    /// Returns when the restorer's own work is done and none is due: delayed saves, retries after failures,
    /// deletions of the incognito partition, launch notes, tabs that become realized because they were
    /// activated, and everything that results from these.
    ///
    /// Does not wait for delays to pass or for work that other callers await. Does not return while the store
    /// does not answer, unless its task is cancelled. Returns immediately before restoring.
    public func waitUntilIdle() async { await context.work.waitUntilIdle() }

    /// The store in use: the original one or its last replacement.
    public var currentStorage: any SessionStorage { saves.storage }

    /// Continues with another store: the same one after it was reopened, or a different one. Everything that
    /// is open and the recently closed tabs are saved there. The state of unrealized tabs is available only
    /// if the store has it. Callers that wait for the first store get an error; saves use the new one.
    public func replaceStorage(with storage: any SessionStorage) {
        components.replaceStorage(storage)
    }

    /// Saves everything, notes an orderly end of the app, and stops observing. Open windows come back at the
    /// next launch. The store stays open; close it after this.
    ///
    /// Closing twice has no effect.
    ///
    /// - Throws: ``SessionRestorationError/notRestored`` if windows were opened and
    ///   ``restore(_:isolation:)`` was never called, so that they are not saved;
    ///   ``SessionRestorationError/storage(_:)`` if the store fails;
    ///   ``SessionRestorationError/superseded`` if another restorer began to use the store. Except
    ///   for the last one, the restorer is still in use.
    public func close() async throws(SessionRestorationError) {
        defer { if isOver { streams.finish() } }
        try await components.close()
    }

    private var isOver: Bool { [.superseded, .closed].contains(context.phase) }

    deinit {
        reportLoss("the session restorer was let go")
        streams.finish()
    }

    /// Reports in the log that later changes are not saved, in case this is a mistake of the host.
    private func reportLoss(_ reason: String) {
        let problem: String
        switch context.phase {
        case .created where !saves.isClean:
            problem = "restore() \(context.wasAskedToRestore ? "has failed" : "was never called")"
        case .restoring, .running: problem = "close() was never called"
        default: return
        }
        context.logger.critical(
            "\(reason), and \(problem): its windows are not saved any more",
            metadata: [
                "windows": "\(context.windows.windows.count)", "isSaved": "\(saves.isClean)",
            ])
    }
}

extension SessionRestorer: RestorationEventReceiver {
    func receive(_ event: RestorationEvent) {
        streams.send(event)
        if case .healthChanged(.superseded) = event { streams.finish() }
        // An observer's work can bring the next event, which must not overtake this one.
        undelivered.append(event)
        guard undelivered.count == 1 else { return }
        while let next = undelivered.first {
            for observer in observers.current { observer.restorer(self, did: next) }
            undelivered.removeFirst()
        }
    }
}

extension SessionRestorer: ProfileData {
    /// Saves pending changes and closes in the background. To wait for this, await ``close()``
    /// before. If it fails, or windows are still open, the log reports the loss.
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
