import BrowserModel
import BrowserSessions
import Logging

/// What all rooms of a restorer share: the model, the rules, the ledger, and whether it runs.
final class RestorerContext {
    enum Phase {
        case created
        case restoring
        case running
        /// Another restorer uses the store.
        case superseded
        case closed
    }

    let windows: WindowList
    let policy: RestorationPolicy
    let pages: any PageMaker
    let ledger: SessionLedger
    let work: HostWork
    let logger: Logger
    let metrics: RestorationMetrics
    /// How old what the store keeps is.
    let age: StoreAge
    let now: @Sendable () -> Timestamp
    var phase = Phase.created {
        didSet {
            ledger.schedule.isRunning = phase == .running
            if phase == .restoring { wasAskedToRestore = true }
        }
    }
    /// Whether the host asked to restore, with or without success.
    private(set) var wasAskedToRestore = false {
        didSet { ledger.schedule.restoringBegan() }
    }
    /// What was found at launch; `nil` before restoring has finished.
    var report: RestorationReport?
    /// How often browsing data was cleared, and how many of these are not done yet.
    var clearings = (begun: 0, underWay: 0)
    /// Waits, but not long, until pages have told their state.
    var settlePages: () async -> Void = {}
    /// Told what the host's observers are to hear.
    var tell: (RestorationEvent) -> Void = { _ in }

    init(
        _ windows: WindowList, _ policy: RestorationPolicy, _ pages: any PageMaker,
        _ ledger: SessionLedger, _ logger: Logger, _ metrics: RestorationMetrics, _ age: StoreAge,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.windows = windows
        self.policy = policy
        self.pages = pages
        self.ledger = ledger
        self.logger = logger
        self.metrics = metrics
        self.age = age
        self.now = now
        work = ledger.work
    }

    func checkIsRunning() throws(SessionRestorationError) {
        switch phase {
        case .running: return
        case .created, .restoring: throw .notRestored
        case .superseded: throw .superseded
        case .closed: throw .closed
        }
    }

    /// Whether it is an open window of the regular side, of whatever kind.
    func checkIsOpen(_ window: Window) throws(SessionRestorationError) {
        try checkIsRunning()
        guard window.kind.isReopenable else { throw .notRegular(window.sessionID) }
        guard windows.window(window.sessionID) === window else {
            throw .window(.notOpen(window.sessionID))
        }
    }

    /// Whether it is an open window of the kind `regular`, which alone has companions.
    func checkIsRegular(_ window: Window) throws(SessionRestorationError) {
        guard window.kind == .regular else {
            try checkIsRunning()
            throw .notRegular(window.sessionID)
        }
        try checkIsOpen(window)
    }

    /// The open window of the screen that is meant; an identifier means the regular one, if there is one.
    func openWindow(_ reference: some WindowReference) throws(SessionRestorationError) -> Window {
        let window = try window(reference)
        try checkIsOpen(window)
        return window
    }

    /// The open window of the kind `regular` that is meant.
    func regularWindow(
        _ reference: some WindowReference
    ) throws(SessionRestorationError) -> Window {
        let window = try window(reference)
        try checkIsRegular(window)
        return window
    }

    private func window(
        _ reference: some WindowReference
    ) throws(SessionRestorationError) -> Window {
        try checkIsRunning()
        let id = reference.windowID
        let named = reference as? Window ?? windows.window(id) ?? windows.first { $0.id == id }
        guard let window = named ?? windows.offTheRecord.first(where: { $0.id == id }) else {
            throw .window(.notOpen(SessionID(window: id)))
        }
        return window
    }

    /// The tab that is meant; `nil` for an identifier that no tab of an open window has.
    func tab(_ reference: some TabReference) -> Tab? {
        let id = reference.tabID
        return reference as? Tab ?? windows.registry.tab(id, offTheRecord: false)
            ?? windows.registry.tab(id, offTheRecord: true)
    }

    /// Saves all that waits.
    func save() async throws(SessionRestorationError) {
        try checkIsRunning()
        await settlePages()
        do throws(StorageError) { try await ledger.save() } catch {
            throw SessionRestorationError(error)
        }
    }

    /// What the store has, with everything that waits to be saved.
    func savedSessions() async throws(SessionRestorationError) -> [SessionID] {
        do throws(StorageError) {
            try await ledger.saveBeforeReading()
            return try await ledger.sessions()
        } catch {
            throw SessionRestorationError(error)
        }
    }

    /// The window of a kind that belongs to a regular one; it is opened if it is not open yet.
    func openCompanion(
        _ kind: SessionKind, of window: Window, _ attributes: SessionAttributes? = nil
    ) throws(SessionRestorationError) -> Window {
        if let companion = windows.window(window.id, kind) { return companion }
        do throws(WindowListError) {
            return try windows.open(
                window.id, kind: kind,
                attributes: attributes ?? SessionAttributes(createdAt: now(), lastActiveAt: now()))
        } catch {
            throw .window(error)
        }
    }

    /// Where the states of unrealized tabs come from.
    func states(of side: StorageSide) -> StoredTabStates {
        StoredTabStates(ledger, side, extra: policy.extraStates)
    }

    /// An unrealized tab that the store has.
    func tab(_ metadata: TabMetadata, of side: StorageSide) -> Tab {
        Tab(unrealized: 0, of: [metadata], origin: TabOrigin(state: states(of: side), maker: pages))
    }

    /// Damage may leave a tab in two sessions. It stays where it was opened first: saved there
    /// again, it is nowhere else.
    func keepOneOfEach(_ tabs: [TabMetadata]) {
        guard !tabs.isEmpty else { return }
        let ids = Set(tabs.map(\.id))
        for window in windows.windows {
            let side = ledger.side(window.kind.side)
            for tab in window.tabs.tabs where ids.contains(tab.id) {
                side.mark(tab, in: window.sessionID, state: false)
            }
        }
    }
}

extension SessionRestorationError {
    /// Whatever was thrown on the way to a store or a model.
    init(_ error: any Error) {
        switch error {
        case let error as SessionRestorationError: self = error
        case let error as WindowListError: self = .window(error)
        case let error as TabListError: self = .tabList(error)
        // No other conflict ever comes out of the ledger.
        case let error as StorageError where error.code == .conflict: self = .superseded
        default: self = .storage(error as? StorageError ?? StorageError(.failed, "\(error)"))
        }
    }
}
