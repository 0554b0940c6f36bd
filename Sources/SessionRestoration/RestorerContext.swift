import BrowserModel
import BrowserSessions
import Logging
import RestorePlans

/// The objects that all components of a restorer share: the model, the policy, the saves, and the phase.
final class RestorerContext {
    enum Phase {
        case created
        case restoring
        case running
        /// Another restorer uses the store.
        case superseded
        case closed
    }

    let saves: SaveDriver
    var windows: WindowList { saves.setup.windows }
    var policy: RestorationPolicy { saves.setup.policy }
    var work: IsolatedTaskQueue { saves.work }
    var logger: Logger { saves.setup.logger }
    var metrics: RestorationMetrics { saves.setup.metrics }
    var clock: WallClock { saves.setup.wallClock }
    let regularDetachedTabs: DetachedTabs
    let incognitoDetachedTabs: DetachedTabs
    /// The age of the store's contents.
    let age: StoreAge
    /// The profile of the windows; `nil` for windows without a profile.
    weak var profile: Profile?
    var phase = Phase.created {
        didSet {
            if phase == .running { saves.send(.started) }
            if phase == .restoring { wasAskedToRestore = true }
        }
    }
    /// Whether the host asked to restore, with or without success.
    private(set) var wasAskedToRestore = false {
        didSet { saves.restoringBegan() }
    }
    /// The findings at launch; `nil` before restoring has finished.
    var report: RestorationReport?
    /// The number of times that clearing browsing data has begun, and of those that have not ended.
    var clearings = (begun: 0, underWay: 0)
    /// What plans brought back that was in no session, with the points from before them.
    private var broughtBack: [(point: RestorePointID, items: Set<SessionItem>)] = []
    /// The number of windows that were opened or closed.
    var windowChanges = 0
    private var isItemEventDue = false

    init(_ setup: RestorerSetup) {
        age = StoreAge(clock: setup.clock)
        saves = SaveDriver(setup)
        regularDetachedTabs = DetachedTabs(saves.regular)
        incognitoDetachedTabs = DetachedTabs(saves.incognito)
    }

    func note(_ lines: [RestorePlan.Line], broughtBackAfter point: RestorePoint?) {
        guard let point else { return }
        broughtBack.append((point.id, Set(lines.filter { $0.action == .add }.map(\.item))))
    }

    /// Returns what plans brought back since the point that a plan goes back to.
    func undone(by plan: RestorePlan) -> Set<SessionItem> {
        guard plan.mode == .replace else { return [] }
        return broughtBack.drop { $0.point != plan.point?.id }.reduce(into: []) {
            $0.formUnion($1.items)
        }
    }

    func checkIsRunning() throws(SessionRestorationError) {
        switch phase {
        case .running: return
        case .created, .restoring: throw .notRestored
        case .superseded: throw .superseded
        case .closed: throw .closed
        }
    }

    /// The calls of workflows to the store.
    var store: StoreCalls { saves.store }

    func report(_ event: RestorationEvent) { saves.receiver?.receive(event) }

    /// Reports soon that what can be brought back has changed.
    func savedItemsChanged() {
        guard phase == .running, !isItemEventDue else { return }
        isItemEventDue = true
        weak let context = self
        work.enqueue {
            context?.isItemEventDue = false
            if context?.phase == .running { context?.report(.savedItemsChanged) }
        }
    }

    /// The open windows that are not incognito, with companions, shelves and the library.
    var regularWindows: [Window] { windows.windows.filter { !$0.isIncognito } }

    /// The tabs of these windows, with those between two of them.
    var regularTabs: [Tab] { regularWindows.flatMap(\.tabs.tabs) + regularDetachedTabs.tabs }

    /// The windows that the user closed, so that nothing is lost with them that he has not closed.
    var closedWindows: Set<SessionID> {
        let known = windows.ids.reopenable + windows.ids.closedEmpty
        return Set(known.filter { $0.closedAt != nil }.map(\.sessionID))
    }

    func detachedTabs(in partition: StoragePartition) -> DetachedTabs {
        partition == .regular ? regularDetachedTabs : incognitoDetachedTabs
    }

    /// Returns the open window of the kind `regular` of a reference, the only kind with companions.
    func regularWindow(
        _ reference: some WindowReference
    ) throws(SessionRestorationError) -> Window {
        try openWindow(reference) { $0 == .regular }
    }

    /// Returns the open window of a reference, by default a reopenable one of the regular partition. An
    /// identifier means the regular window, if there is one.
    func openWindow(
        _ reference: some WindowReference,
        isFit: (SessionKind) -> Bool = { $0.isReopenable }
    ) throws(SessionRestorationError) -> Window {
        try checkIsRunning()
        let id = reference.windowID
        let named = reference as? Window ?? windows.window(id) ?? windows.first { $0.id == id }
        guard let window = named ?? windows.incognito.first(where: { $0.id == id }) else {
            throw .window(.notOpen(SessionID(window: id)))
        }
        guard isFit(window.kind) else { throw .notRegular(window.sessionID) }
        guard windows.window(window.sessionID) === window else {
            throw .window(.notOpen(window.sessionID))
        }
        return window
    }

    /// Returns the tab of a reference; `nil` for an identifier that no tab of an open window has.
    func tab(_ reference: some TabReference) -> Tab? {
        let id = reference.tabID
        return reference as? Tab ?? windows.registry[.regular].tab(id)
            ?? windows.registry[.incognito].tab(id)
    }

    /// Saves all pending changes.
    func save() async throws(SessionRestorationError) {
        try checkIsRunning()
        await saves.delegate?.flushPages()
        try await SessionRestorationError.converting { try await saves.save() }
    }

    /// Calls the storage.
    func call<Answer: Sendable>(
        _ call: @escaping @Sendable (any SessionStorage) async throws -> Answer
    ) async throws(SessionRestorationError) -> Answer {
        try await SessionRestorationError.converting { try await saves.store.call(call) }
    }

    /// Calls the storage, which changes more than a set does, after all earlier changes.
    func callChanging<Answer: Sendable>(
        _ call: @escaping @Sendable (any SessionStorage) async throws -> Answer
    ) async throws(SessionRestorationError) -> Answer {
        defer { savedItemsChanged() }
        return try await SessionRestorationError.converting {
            try await saves.store.changing(call)
        }
    }

    /// Returns the sessions in the store after all pending changes were saved.
    func savedSessions() async throws(SessionRestorationError) -> [SessionID] {
        try await SessionRestorationError.converting {
            try await saves.store.saveBeforeReading()
            return try await saves.store.sessions()
        }
    }

    /// Returns the companion of a kind of a regular window, and opens it if needed.
    func openCompanion(
        _ kind: SessionKind, of window: Window, _ attributes: SessionAttributes? = nil
    ) throws(SessionRestorationError) -> Window {
        if let companion = windows.window(window.id, kind: kind) { return companion }
        return try SessionRestorationError.converting {
            try windows.open(
                window.id, kind: kind,
                attributes: attributes
                    ?? SessionAttributes(createdAt: clock.now, lastActiveAt: clock.now))
        }
    }

    /// Returns the source of the states of unrealized tabs.
    func states(of partition: StoragePartition) -> StoredTabStates {
        StoredTabStates(saves, partition, extra: policy.extraStates)
    }

    /// Returns an unrealized tab that the store has.
    func tab(_ metadata: TabMetadata, of partition: StoragePartition) -> Tab {
        Tab(unrealized: metadata, origin: TabOrigin(state: states(of: partition)))
    }

    /// Keeps tabs that damage left in two sessions where they were opened first. Saving them there
    /// again removes them from the other session.
    func keepOneOfEach(_ tabs: [TabMetadata]) {
        guard !tabs.isEmpty else { return }
        let ids = Set(tabs.map(\.id))
        for window in windows.windows {
            let saved = saves.partition(window.kind.partition)
            for tab in window.tabs.tabs where ids.contains(tab.id) {
                saved.mark(.tab(tab.id, in: window.sessionID))
            }
        }
    }
}

extension SessionRestorationError {
    /// Converts an error of a store or a model.
    init(_ error: any Error) {
        switch error {
        case let error as SessionRestorationError: self = error
        case let error as WindowListError: self = .window(error)
        case let error as TabListError: self = .tabList(error)
        // No other conflict comes from the saves.
        case let error as StorageError where error.code == .conflict: self = .superseded
        default: self = .storage(error as? StorageError ?? StorageError(.failed, "\(error)"))
        }
    }

    /// Runs work of a store or a model, and converts its errors.
    static func converting<Answer>(
        _ work: () async throws -> Answer
    ) async throws(SessionRestorationError) -> Answer {
        do { return try await work() } catch { throw SessionRestorationError(error) }
    }

    /// Runs work of a model, and converts its errors.
    static func converting<Answer>(
        _ work: () throws -> Answer
    ) throws(SessionRestorationError) -> Answer {
        do { return try work() } catch { throw SessionRestorationError(error) }
    }
}
