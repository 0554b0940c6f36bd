import BrowserModel
import BrowserSessions
import Logging

/// How this process began, and whether it may be called a success: what the next one will judge it by.
final class Launch {
    let note: LaunchNote
    private let context: RestorerContext
    /// Judged once for each process: a second try to restore is no second launch.
    private(set) var assessment: LaunchAssessment?
    private var timer: HostTimer?
    /// Whether the host says when its windows are in the foreground, or in the background: it has done so
    /// once.
    private var (tellsForeground, tellsBackground) = (false, false)
    /// Tabs that are being realized at launch.
    private var realizing: [TabID] = []
    private var loading: [LoadingTab] = []

    private struct LoadingTab {
        var id: TabID
        weak var tab: Tab?
    }

    init(_ context: RestorerContext) {
        self.context = context
        note = LaunchNote(context)
        note.loadingTabs = { [weak self] in self?.loadingTabs ?? [] }
    }

    /// Notes that this process runs, and judges how the one before it ended.
    ///
    /// The note survives all that the store can promise before anything is handed out: otherwise a
    /// tab that crashes the app at once would never be counted. A full disk is the exception: tabs
    /// on the screen are worth more than a count of crashes.
    func begin() async throws(StorageError) -> LaunchAssessment {
        tellsForeground = context.windows.windows.contains { $0.isInForeground }
        let assessment: LaunchAssessment
        if let known = self.assessment { assessment = known } else { assessment = await judge() }
        do throws(StorageError) { try await note.write() } catch {
            guard error.code == .outOfSpace else { throw error }
            context.logger.error("the launch can't be noted", metadata: ["error": "\(error)"])
        }
        return assessment
    }

    private func judge() async -> LaunchAssessment {
        let time = context.now()
        let (policy, previous) = (context.policy.crashes, await note.previous())
        let environment = context.policy.launchEnvironment ?? .current()
        let assessment = CrashRules.assess(previous, in: environment, at: time, policy)
        note.marker = CrashRules.marker(
            after: previous, assessment, in: environment, at: time, policy)
        self.assessment = assessment
        note.marker?.startAge = context.age.now
        guard case .marker(let marker) = previous else { return assessment }
        context.ledger.debt.inherit(marker.owesDeletion)
        note.marker?.formerStartAge = marker.formerStartAge ?? marker.startAge
        note.marker?.formerAge = marker.formerAge ?? marker.age
        if let age = marker.age {
            context.age.goOn(from: age, after: time.timeSince(marker.aliveAt))
        }
        note.marker?.startAge = context.age.now
        return assessment
    }

    /// What the process before closed last is open again, or was closed for good.
    func lastClosingsAreSettled() {
        note.marker?.formerStartAge = nil
        note.marker?.formerAge = nil
        note.writeSoon()
    }

    /// The last window is closed. If the app goes on without one, the next launch is to know.
    func lastWindowClosed() {
        guard let grace = context.policy.closingGrace else { return }
        weak let launch = self
        _ = context.work.after(grace + .milliseconds(1)) {
            guard let launch, launch.context.windows.isEmpty else { return }
            launch.note.writeNow()
        }
    }

    /// Notes that the process ends in order. Nothing is noted after it, unless it fails.
    ///
    /// - Parameter mark: the age of the store when the host said so: a last save may take long.
    func end(at mark: StoreAge.Mark) async throws(StorageError) {
        guard let before = note.marker else { return }
        note.marker?.phase = .clean
        note.endAge = mark
        defer { note.endAge = nil }
        do throws(StorageError) { try await note.write() } catch {
            note.marker = before
            throw error
        }
        timer?.cancel()
        timer = nil
    }

    // MARK: What happens meanwhile

    /// A tab began or ended to load a page.
    ///
    /// Of an engine whose pages have processes of their own none is a suspect: when this process ends, it
    /// was not the page.
    func loadingChanged(_ tab: Tab) {
        guard !context.pages.isolatesPages else { return }
        loading.removeAll { $0.id == tab.id }
        if tab.isLoading { loading.append(LoadingTab(id: tab.id, tab: tab)) }
        note.writeSoon()
    }

    /// The tabs that load a page now, the first one to begin first. Those that were closed while
    /// they loaded are none of them.
    private var loadingTabs: [TabID] {
        loading.removeAll { $0.tab.map { !$0.isLoading || $0.isClosed } ?? true }
        let ids = loading.map(\.id)
        let known = Set(ids)
        return Array(
            (ids + realizing.filter { !known.contains($0) }).suffix(LaunchMarker.maximumTabs))
    }

    /// A window came to the foreground or left it.
    ///
    /// Of a host that only ever says what is in the background, a window is shown until it says so.
    func foregroundChanged() {
        let windows = context.windows.windows.filter { $0.kind.role == .window }
        if windows.contains(where: \.isInForeground) { tellsForeground = true }
        if windows.contains(where: { $0.isShown == false }) { tellsBackground = true }
        let isInForeground = windows.contains { $0.isShown ?? !tellsForeground }
        guard tellsForeground || tellsBackground, let phase = note.marker?.phase, phase != .clean
        else { return }
        if !isInForeground {
            note.marker?.phase = .background
        } else if phase == .background {
            note.marker?.phase = .running
        }
        note.writeSoon()
    }

    /// The active tabs count as loading until they are realized, so that a tab that crashes the app
    /// at once is a suspect even then. Suspects are not realized.
    func realizeActiveTabs(of windows: [Window]) async {
        let suspects = assessment?.suspects ?? []
        let active = windows.filter(\.tabs.realizesActiveTab).compactMap(\.tabs.activeTab)
            .filter { !suspects.contains($0.id) }
        let ids =
            context.pages.isolatesPages
            ? [] : active.filter { $0.isOffTheRecord != true && !$0.isRealized }.map(\.id)
        realizing += ids
        await note.writeIfStale()
        await realize(active)
        let done = Set(ids)
        realizing.removeAll { done.contains($0) }
        note.writeSoon(atOnce: true)
    }

    /// Reads what the store has of them in one go; each by itself if it can't read one of them. A store
    /// that does not answer is not asked for the others: nobody waits for it more than once.
    private func realize(_ tabs: [Tab]) async {
        for side in StorageSide.allCases {
            let tabs = tabs.filter { ($0.isOffTheRecord == true) == (side == .incognito) }
            let source = context.states(of: side)
            let stored = tabs.filter { !$0.isRealized && $0.heldState == nil }
            var states: [TabID: TabState] = [:]
            var silence: StorageError?
            let generation = context.ledger.door.generation
            do throws(StorageError) {
                if !stored.isEmpty {
                    states = try await source.loadStates(of: stored.map(\.metadata))
                }
            } catch {
                let isSilent =
                    error.code == .unavailable && generation == context.ledger.door.generation
                silence = isSilent ? error : nil
            }
            for tab in tabs { await realize(tab, states[tab.id], silence) }
        }
    }

    private func realize(_ tab: Tab, _ state: TabState?, _ silence: StorageError?) async {
        do {
            if let state { tab.realize(restoring: state) }
            if let silence, !tab.isRealized, tab.heldState == nil {
                tab.realizationDidFail()
                throw silence
            }
            try await tab.forceRealization()
        } catch {
            context.logger.error(
                "the active tab can't be realized", metadata: ["error": "\(error)"])
        }
    }

    // MARK: Stability

    /// This launch has succeeded: the crashes before it are forgotten.
    func markStable() {
        guard context.phase == .running, note.marker != nil else { return }
        note.marker?.crashes = []
        note.marker?.suspects = []
        if note.marker?.phase == .starting { note.marker?.phase = .running }
        note.writeSoon()
    }

    /// Windows were restored.
    func startStabilityTimer() {
        foregroundChanged()
        weak let launch = self
        timer = context.work.after(context.policy.crashes.stableAfter) {
            launch?.markStable()
            launch?.startSignsOfLife()
        }
    }

    private func startSignsOfLife() {
        guard context.phase == .running else { return }
        weak let launch = self
        timer = context.work.after(note.signOfLifePeriod) {
            await launch?.note.writeIfStale()
            launch?.startSignsOfLife()
        }
    }
}
