import BrowserModel
import BrowserSessions
import Logging

extension SessionRestorer {
    private var environment: LaunchEnvironment { policy.launchEnvironment ?? .current() }

    /// Notes that this process runs, and judges how the one before it ended.
    ///
    /// The note survives all that the store can promise before anything is handed out: otherwise a
    /// tab that crashes the app at once would never be counted. A full disk is the exception: tabs
    /// on the screen are worth more than a count of crashes.
    func beginLaunch() async throws(StorageError) -> LaunchAssessment {
        let time = now()
        launch.tellsForeground = windows.windows.contains { $0.isInForeground }
        let assessment: LaunchAssessment
        if let known = launch.assessment {
            assessment = known
        } else {
            let (previous, environment) = (await previousLaunch(), environment)
            assessment = CrashRules.assess(previous, in: environment, at: time, policy.crashes)
            launch.marker = CrashRules.marker(
                after: previous, assessment, in: environment, at: time)
            launch.assessment = assessment
            if case .marker(let marker) = previous { ledger.inherit(marker.owesDeletion) }
        }
        do throws(StorageError) {
            try await writeMarker(ledger.door.traits.greatestDurability)
        } catch {
            guard error.code == .outOfSpace else { throw error }
            logger.error("the launch can't be noted", metadata: ["error": "\(error)"])
        }
        return assessment
    }

    /// A note that cannot be read is no reason to keep tabs from the user.
    private func previousLaunch() async -> PreviousLaunch {
        do throws(StorageError) {
            guard let found = try await ledger.restore(LaunchMarker.session) else {
                return .none
            }
            guard found.provenance == .intact, let marker = LaunchMarker(found.attributes) else {
                return .unreadable
            }
            return .marker(marker)
        } catch {
            logger.error("the last launch's note can't be read", metadata: ["error": "\(error)"])
            return .unreadable
        }
    }

    /// Notes that the process ends in order. Nothing is noted after it, unless it fails.
    func endLaunch() async throws(StorageError) {
        guard let before = launch.marker else { return }
        launch.marker?.phase = .clean
        do throws(StorageError) {
            try await writeMarker(ledger.door.traits.greatestDurability)
        } catch {
            launch.marker = before
            throw error
        }
        launch.timer?.cancel()
        launch.timer = nil
    }

    // MARK: Writing

    /// Writes the marker as it is when the store is free, in the order of all saves.
    private func writeMarker(_ durability: Durability) async throws(StorageError) {
        do {
            try await ledger.door.inTurn(.regular) {
                launch.isWriteAskedFor = false
                guard var marker = launch.marker else { return }
                marker.loading = launch.loadingTabs
                marker.aliveAt = now()
                marker.owesDeletion = ledger.owesDeletion
                var changes = SessionChanges()
                changes.put(marker.attributes, for: LaunchMarker.session)
                try await ledger.apply(changes, durability)
                launch.written = marker
            }
        } catch {
            let error = error.asStorageError("save")
            if error.effect != .notApplied { launch.written = nil }
            throw error
        }
    }

    /// Writes the marker at once if it has changed. If that fails, the next write makes up for it.
    func writeMarkerNow() async {
        guard launch.marker?.phase != .clean, isMarkerStale else {
            launch.isWriteAskedFor = false
            return
        }
        let durability = min(.processCrash, ledger.door.traits.greatestDurability)
        do throws(StorageError) { try await writeMarker(durability) } catch {
            logger.error("the launch's note can't be renewed", metadata: ["error": "\(error)"])
            return
        }
        // What changed while it was written was compared with the note before it.
        writeMarkerSoon()
    }

    /// Writes the marker if it does not say whether a deletion is owed: the next process would delete
    /// what is saved now, or restore what was to be deleted.
    func noteDebt() async throws(StorageError) {
        guard let marker = launch.marker, marker.phase != .clean,
            launch.written?.owesDeletion != ledger.owesDeletion
        else { return }
        try await writeMarker(ledger.door.traits.greatestDurability)
    }

    private var isMarkerStale: Bool {
        guard let marker = launch.marker else { return false }
        guard let written = launch.written else { return true }
        return written.phase != marker.phase || written.crashes != marker.crashes
            || written.suspects != marker.suspects || written.loading != launch.loadingTabs
            || written.owesDeletion != ledger.owesDeletion
            || now().timeSince(written.aliveAt) >= signOfLifePeriod
    }

    /// For callers that cannot wait. One write at most waits behind the one under way.
    private func writeMarkerSoon() {
        guard phase == .running || phase == .restoring, !launch.isWriteAskedFor, isMarkerStale
        else {
            return
        }
        launch.isWriteAskedFor = true
        weak let restorer = self
        work.enqueue { await restorer?.writeMarkerNow() }
    }

    /// The off-the-record side is to be deleted, or that has ended: the next process must know.
    func deletionDebtChanged() { writeMarkerSoon() }

    /// Another store took the place of the one that had the marker.
    func noteLaunchAgain() {
        launch.written = nil
        writeMarkerSoon()
    }

    // MARK: What happens meanwhile

    /// A tab began or ended to load a page.
    func loadingChanged(_ tab: Tab) {
        launch.loadingChanged(tab)
        writeMarkerSoon()
    }

    /// A window came to the foreground or left it.
    func foregroundChanged() {
        let isInForeground = windows.windows.contains { $0.isInForeground }
        if isInForeground { launch.tellsForeground = true }
        guard launch.tellsForeground, let phase = launch.marker?.phase, phase != .clean else {
            return
        }
        if !isInForeground {
            launch.marker?.phase = .background
        } else if phase == .background {
            launch.marker?.phase = .running
        }
        writeMarkerSoon()
    }

    /// The active tabs count as loading until they are realized, so that a tab that crashes the app
    /// at once is a suspect even then. Suspects are not realized.
    func realizeActiveTabs(of windows: [Window], _ assessment: LaunchAssessment) async {
        let mayBeRealized = windows.filter { window in
            window.tabs.realizesActiveTab
                && window.tabs.activeTab.map { !assessment.suspects.contains($0.id) } ?? false
        }
        let named = mayBeRealized.filter { !$0.isOffTheRecord }.compactMap(\.tabs.activeTab)
        let ids = named.filter { !$0.isRealized }.map(\.id)
        launch.realizing += ids
        await writeMarkerNow()
        for window in mayBeRealized { await realizeActiveTab(of: window, assessment) }
        launch.realizing.removeAll { ids.contains($0) }
        await writeMarkerNow()
    }

    // MARK: Stability

    /// Says that this launch has succeeded: the crashes before it are forgotten, and the next one
    /// is a first one again. It is called by itself after ``CrashPolicy/stableAfter``; a host
    /// calls it earlier if it knows better. Does nothing before windows were restored.
    public func markStable() {
        guard phase == .running, launch.marker != nil else { return }
        launch.marker?.crashes = []
        launch.marker?.suspects = []
        if launch.marker?.phase == .starting { launch.marker?.phase = .running }
        writeMarkerSoon()
    }

    func startStabilityTimer() {
        foregroundChanged()
        weak let restorer = self
        launch.timer = work.after(policy.crashes.stableAfter) {
            restorer?.markStable()
            restorer?.startSignsOfLife()
        }
    }

    /// How old a session is after a crash is counted from the last sign of life.
    private var signOfLifePeriod: Duration { max(policy.crashes.maximumAge / 6, .seconds(60)) }

    private func startSignsOfLife() {
        guard phase == .running else { return }
        weak let restorer = self
        launch.timer = work.after(signOfLifePeriod) {
            await restorer?.writeMarkerNow()
            restorer?.startSignsOfLife()
        }
    }
}
