import BrowserModel
import BrowserSessions
import Logging

/// The note about this process for the next one, written when it changes.
final class LaunchNote {
    private let context: RestorerContext
    /// The note that the store should have; `nil` before the launch was noted.
    var marker: LaunchMarker?
    /// The store's age when the process ended; `nil` while it runs.
    var endAge: StoreAge.Mark?
    let loading = LoadingTabs()
    /// The note that the store has, as far as it has answered.
    private var written: LaunchMarker?
    /// Whether the store's note reports, or may report, a pending deletion to the next process.
    private var mayReportDeletion = true {
        didSet { context.saves.send(.launchNoted(mayReportDeletion: mayReportDeletion)) }
    }
    /// The identifier that distinguishes this restorer's notes from others.
    private let restorer = RestorerID.random()
    /// Whether the store in use has a note of this restorer, unless another wrote one since.
    private var isNoted = false
    /// Whether a write was requested and has not begun. It includes all changes until then.
    private var isWriteAskedFor = false
    /// The delayed write after tabs stopped loading, which is not urgent.
    private var later: ScheduledTask?

    init(_ context: RestorerContext) { self.context = context }

    /// The period of signs of life. After a crash, a session's age is measured from the last one.
    var signOfLifePeriod: Duration { max(context.policy.crashes.maximumAge / 6, .seconds(60)) }

    /// Returns the note of the previous process. A note that cannot be read is no reason to
    /// withhold tabs.
    func previous() async -> PreviousLaunch {
        do throws(StorageError) {
            guard let found = try await context.store.restore(LaunchMarker.session) else {
                return .none
            }
            guard found.provenance == .intact, let marker = LaunchMarker(found.attributes) else {
                return .unreadable
            }
            return .marker(marker)
        } catch {
            context.logger.error(
                "the last launch's note can't be read", metadata: ["error": "\(error)"])
            return .unreadable
        }
    }

    /// Returns whether another restorer noted its launch after this one; `false` if that cannot be read.
    func isReplaced() async -> Bool {
        guard isNoted, case .marker(let found) = await previous(), let other = found.restorer
        else { return false }
        return other != restorer
    }

    /// Writes the current note when the store is free, in the order of all saves and with the
    /// store's greatest durability.
    func write() async throws(StorageError) {
        try await write(context.saves.traits.greatestDurability)
    }

    /// - Parameter isNeeded: called when no other writer has the turn.
    private func write(
        _ durability: Durability, if isNeeded: () -> Bool = { true }
    ) async throws(StorageError) {
        do throws(StorageError) {
            try await context.store.inTurn(.regular) { () async throws(StorageError) in
                guard isNeeded() else { return }
                isWriteAskedFor = false
                guard var marker else { return }
                marker.restorer = restorer
                marker.loading = loading.ids
                marker.aliveAt = context.clock.now
                marker.age = endAge ?? context.age.now
                marker.hasPendingDeletion = context.saves.isDeletionPending
                if marker.hasPendingDeletion { mayReportDeletion = true }
                var changes = SessionChanges()
                changes.put(marker.attributes, for: LaunchMarker.session)
                try await context.store.apply(changes, durability)
                written = marker
                mayReportDeletion = marker.hasPendingDeletion
                isNoted = true
                noteExit()
            }
        } catch {
            if error.effect != .notApplied { written = nil }
            throw error
        }
    }

    /// Begins to note an exit of the process, until the restorer ends.
    private func noteExit() {
        guard marker?.phase != .clean else { return ExitNote.disarm(restorer) }
        ExitNote(
            storage: context.saves.storage, restorer: restorer, age: context.age.reader,
            clock: context.clock
        ).arm()
    }

    /// Stops noting an exit, because this restorer saves nothing any more.
    func stop() { ExitNote.disarm(restorer) }

    /// Writes the note now if it has changed. If that fails, the next write includes the changes.
    func writeIfStale() async {
        guard marker?.phase != .clean, isStale else {
            isWriteAskedFor = false
            return
        }
        let durability = min(.processCrash, context.saves.traits.greatestDurability)
        do throws(StorageError) { try await write(durability) } catch {
            context.logger.error(
                "the launch's note can't be renewed", metadata: ["error": "\(error)"])
            return
        }
        // Changes during the write were compared with the previous note.
        writeSoon()
    }

    /// Writes the note soon, for callers that cannot wait. At most one write waits for the current one.
    ///
    /// - Parameter atOnce: whether changes that are not urgent are written now as well.
    func writeSoon(atOnce: Bool = false) {
        guard context.phase == .running || context.phase == .restoring, !isWriteAskedFor, isStale
        else {
            return
        }
        weak let note = self
        if atOnce || isUrgent {
            isWriteAskedFor = true
            context.work.enqueue { await note?.writeIfStale() }
        } else if later == nil {
            later = context.work.after(context.policy.saveDelay) {
                note?.later = nil
                await note?.writeIfStale()
            }
        }
    }

    /// Writes the note if it does not show correctly whether a deletion is pending. Otherwise, the
    /// next process would delete what is saved now, or restore what should be deleted.
    func noteDeletion() async throws(StorageError) {
        guard let marker, marker.phase != .clean else { return }
        try await write(context.saves.traits.greatestDurability) {
            written?.hasPendingDeletion != context.saves.isDeletionPending
        }
    }

    /// Writes the note to another store, which replaced the previous one.
    func writeAgain() {
        written = nil
        isNoted = false
        mayReportDeletion = true
        writeSoon()
    }

    /// Writes the note although only the time has changed.
    func writeNow() {
        written = nil
        writeSoon(atOnce: true)
    }

    private var isStale: Bool {
        guard marker != nil else { return false }
        return isUrgent || written.map { Set($0.loading) != Set(loading.ids) } ?? false
    }

    /// Whether the note lacks something that the next process must know. A tab that just stopped
    /// loading is still a valid suspect, and loads again soon when the user follows links. A burst
    /// of page visits therefore needs one note.
    private var isUrgent: Bool {
        guard let marker else { return false }
        guard let written else { return true }
        return written.phase != marker.phase || written.crashes != marker.crashes
            || written.suspects != marker.suspects
            || !Set(loading.ids).isSubset(of: written.loading)
            || written.hasPendingDeletion != context.saves.isDeletionPending
            || written.formerAge != marker.formerAge
            || context.clock.now.timeSince(written.aliveAt) >= signOfLifePeriod
    }
}

/// The tabs that are loading a page, which are the suspects if the process crashes.
final class LoadingTabs {
    /// The tabs that become realized at launch.
    private var realizing: [TabID] = []
    private var loading: [LoadingTab] = []

    private struct LoadingTab {
        var id: TabID
        weak var tab: Tab?
    }

    /// The loading tabs, the first to begin first, without tabs that were closed.
    var ids: [TabID] {
        loading.removeAll { $0.tab.map { !$0.isLoading || $0.isClosed } ?? true }
        let ids = loading.map(\.id)
        let known = Set(ids)
        return Array(
            (ids + realizing.filter { !known.contains($0) }).suffix(LaunchMarker.maximumTabs))
    }

    /// Notes that a tab began or stopped loading a page.
    func changed(_ tab: Tab) {
        loading.removeAll { $0.id == tab.id }
        if tab.isLoading { loading.append(LoadingTab(id: tab.id, tab: tab)) }
    }

    func beginRealizing(_ ids: [TabID]) { realizing += ids }

    func endRealizing(_ ids: [TabID]) {
        let done = Set(ids)
        realizing.removeAll { done.contains($0) }
    }
}
