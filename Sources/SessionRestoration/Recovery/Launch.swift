import BrowserModel
import BrowserSessions
import Logging

/// The launch of this process and the assessment of its success, by which the next launch is judged.
final class Launch {
    let note: LaunchNote
    private let context: RestorerContext
    /// The assessment, made once for each process. A second attempt to restore is not a second launch.
    private(set) var assessment: LaunchAssessment?
    private var timer: ScheduledTask?
    /// Whether the host reports when its windows enter the foreground or the background; `true`
    /// after the first such report.
    private var (tellsForeground, tellsBackground) = (false, false)

    init(_ context: RestorerContext) {
        self.context = context
        note = LaunchNote(context)
    }

    /// Notes that this process runs, and assesses how the previous one ended.
    ///
    /// The note is saved with the store's greatest durability before anything is restored.
    /// Otherwise, a tab that crashes the app immediately would never be counted. A full disk is the
    /// exception, because tabs on the screen are worth more than a count of crashes.
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
        let time = context.clock.now
        let (policy, previous) = (context.policy.crashes, await note.previous())
        let environment = context.policy.launchEnvironment ?? .current()
        let assessment = CrashRules.assess(previous, in: environment, at: time, policy)
        note.marker = CrashRules.marker(
            after: previous, assessment, in: environment, at: time, policy)
        self.assessment = assessment
        note.marker?.startAge = context.age.now
        guard case .marker(let marker) = previous else { return assessment }
        context.saves.send(.deletionInherited(marker.hasPendingDeletion))
        note.marker?.formerStartAge = marker.formerStartAge ?? marker.startAge
        note.marker?.formerAge = marker.formerAge ?? marker.age
        if let age = marker.age {
            context.age.goOn(from: age, after: time.timeSince(marker.aliveAt))
        }
        note.marker?.startAge = context.age.now
        return assessment
    }

    /// Notes that the windows that closed last are open again or permanently closed.
    func lastClosingsAreResolved() {
        note.marker?.formerStartAge = nil
        note.marker?.formerAge = nil
        note.writeSoon()
    }

    /// Notes that the last window closed, to show the next launch whether the app continued without one.
    func lastWindowClosed() {
        guard let grace = context.policy.closingGrace else { return }
        weak let launch = self
        _ = context.work.after(grace + .milliseconds(1)) {
            guard let launch, launch.context.windows.isEmpty else { return }
            launch.note.writeNow()
        }
    }

    /// Notes an orderly end of the process. Nothing is noted after this, unless it fails.
    ///
    /// - Parameter mark: the store's age when the end was requested, because a last save may take long.
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

    // MARK: While the app runs

    /// Notes that a tab began or stopped loading a page.
    ///
    /// If the engine's pages have their own processes, no tab is a suspect, because a page cannot
    /// have ended this process.
    func loadingChanged(_ tab: Tab) {
        guard !context.windows.webEngine.isolatesPages else { return }
        note.loading.changed(tab)
        note.writeSoon()
    }

    /// Notes that a window entered or left the foreground.
    ///
    /// If a host reports only background windows, a window counts as shown until it is reported.
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

    /// Realizes the active tabs, except suspects. The tabs count as loading until they are
    /// realized, so that a tab that crashes the app immediately is a suspect even then.
    func realizeActiveTabs(of windows: [Window]) async {
        let suspects = assessment?.suspects ?? []
        let active = windows.filter(\.tabs.realizesActiveTab).compactMap(\.tabOnScreen)
            .filter { !suspects.contains($0.id) }
        let ids =
            context.windows.webEngine.isolatesPages
            ? [] : active.filter { $0.isIncognito != true && !$0.isRealized }.map(\.id)
        note.loading.beginRealizing(ids)
        await note.writeIfStale()
        await realize(active)
        note.loading.endRealizing(ids)
        note.writeSoon(atOnce: true)
    }

    /// Reads the states of the tabs together, or one by one if one cannot be read. If the store
    /// does not answer, it is not asked again, so that the launch waits for it only once.
    private func realize(_ tabs: [Tab]) async {
        for partition in StoragePartition.allCases {
            let tabs = tabs.filter { $0.partition == partition }
            let source = context.states(of: partition)
            let stored = tabs.filter { !$0.isRealized && $0.heldState == nil }
            var states: [TabID: TabState] = [:]
            var silence: StorageError?
            let generation = context.saves.generation
            do throws(StorageError) {
                if !stored.isEmpty {
                    states = try await source.loadStates(of: stored.map(\.metadata))
                }
            } catch {
                let isSilent =
                    error.code == .unavailable && generation == context.saves.generation
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

    /// Notes that this launch succeeded, and forgets earlier crashes.
    func markStable() {
        guard context.phase == .running, note.marker != nil else { return }
        note.marker?.crashes = []
        note.marker?.suspects = []
        if note.marker?.phase == .starting { note.marker?.phase = .running }
        note.writeSoon()
    }

    /// Starts the timer after which a launch is successful. Called when windows were restored.
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
