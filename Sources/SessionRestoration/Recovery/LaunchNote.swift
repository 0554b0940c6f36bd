import BrowserModel
import BrowserSessions
import Logging

/// What the store is told of this process, for the next one: written anew when it has changed.
final class LaunchNote {
    private let context: RestorerContext
    /// What the store shall have; `nil` before the launch was noted.
    var marker: LaunchMarker?
    /// The age of the store when the process ended; `nil` if it goes on.
    var endAge: StoreAge.Mark?
    /// The tabs that load a page now.
    var loadingTabs: () -> [TabID] = { [] }
    /// What the store has, as far as it has answered.
    private var written: LaunchMarker?
    /// Whether the note that the store has, or may have, tells the next process that a deletion is owed.
    private(set) var mayOweDeletion = true
    /// Tells this restorer's notes from those of others.
    private let restorer = RestorerID.random()
    /// Notes an exit of the process.
    private let exitNote = ExitNote()
    /// Whether the store in use has a note of this restorer, unless another has written one since.
    private var isNoted = false
    /// A write was asked for and has not begun; whatever comes until then goes with it.
    private var isWriteAskedFor = false
    /// Writes that tabs have ended to load: that is in no hurry.
    private var later: HostTimer?

    init(_ context: RestorerContext) { self.context = context }

    /// How old a session is after a crash is counted from the last sign of life.
    var signOfLifePeriod: Duration { max(context.policy.crashes.maximumAge / 6, .seconds(60)) }

    /// What the process before this one left. A note that cannot be read is no reason to keep tabs from
    /// the user.
    func previous() async -> PreviousLaunch {
        do throws(StorageError) {
            guard let found = try await context.ledger.restore(LaunchMarker.session) else {
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

    /// Whether another restorer has noted its launch since this one did; `false` if that cannot be read.
    func isReplaced() async -> Bool {
        guard isNoted, case .marker(let found) = await previous(), let other = found.restorer
        else { return false }
        return other != restorer
    }

    /// Writes the note as it is when the store is free, in the order of all saves, so that it survives
    /// all that the store can promise.
    func write() async throws(StorageError) {
        try await write(context.ledger.door.traits.greatestDurability)
    }

    /// - Parameter isNeeded: asked when nobody else writes.
    private func write(
        _ durability: Durability, if isNeeded: () -> Bool = { true }
    ) async throws(StorageError) {
        do {
            try await context.ledger.door.inTurn(.regular) {
                guard isNeeded() else { return }
                isWriteAskedFor = false
                guard var marker else { return }
                marker.restorer = restorer
                marker.loading = loadingTabs()
                marker.aliveAt = context.now()
                marker.age = endAge ?? context.age.now
                marker.owesDeletion = context.ledger.debt.isOwed
                if marker.owesDeletion { mayOweDeletion = true }
                var changes = SessionChanges()
                changes.put(marker.attributes, for: LaunchMarker.session)
                try await context.ledger.apply(changes, durability)
                written = marker
                mayOweDeletion = marker.owesDeletion
                isNoted = true
                noteExit()
            }
        } catch {
            let error = error.asStorageError("save")
            if error.effect != .notApplied { written = nil }
            throw error
        }
    }

    /// An exit of the process is noted from now on, until the restorer ends.
    private func noteExit() {
        guard marker?.phase != .clean else { return exitNote.disarm() }
        exitNote.arm(
            .init(
                storage: context.ledger.currentStorage, restorer: restorer,
                age: context.age.reader, now: context.now))
    }

    /// This restorer saves nothing any more.
    func stop() { exitNote.disarm() }

    /// Writes the note at once if it has changed. If that fails, the next write makes up for it.
    func writeIfStale() async {
        guard marker?.phase != .clean, isStale else {
            isWriteAskedFor = false
            return
        }
        let durability = min(.processCrash, context.ledger.door.traits.greatestDurability)
        do throws(StorageError) { try await write(durability) } catch {
            context.logger.error(
                "the launch's note can't be renewed", metadata: ["error": "\(error)"])
            return
        }
        // What changed while it was written was compared with the note before it.
        writeSoon()
    }

    /// For callers that cannot wait. One write at most waits behind the one under way.
    ///
    /// - Parameter atOnce: whether also what is in no hurry is written now.
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

    /// Writes the note if it does not say whether a deletion is owed: the next process would delete what
    /// is saved now, or restore what was to be deleted.
    func writeDebt() async throws(StorageError) {
        guard let marker, marker.phase != .clean else { return }
        try await write(context.ledger.door.traits.greatestDurability) {
            written?.owesDeletion != context.ledger.debt.isOwed
        }
    }

    /// Another store took the place of the one that had the note.
    func writeAgain() {
        written = nil
        isNoted = false
        mayOweDeletion = true
        writeSoon()
    }

    /// Writes the note though nothing in it has changed but the time.
    func writeNow() {
        written = nil
        writeSoon(atOnce: true)
    }

    private var isStale: Bool {
        guard marker != nil else { return false }
        return isUrgent || written.map { Set($0.loading) != Set(loadingTabs()) } ?? false
    }

    /// Whether the note lacks something that the next process must know. A tab that has just ended to load
    /// is still as good a suspect as any, and loads again in a moment when the user follows links: a burst
    /// of page visits is one note.
    private var isUrgent: Bool {
        guard let marker else { return false }
        guard let written else { return true }
        return written.phase != marker.phase || written.crashes != marker.crashes
            || written.suspects != marker.suspects
            || !Set(loadingTabs()).isSubset(of: written.loading)
            || written.owesDeletion != context.ledger.debt.isOwed
            || written.formerAge != marker.formerAge
            || context.now().timeSince(written.aliveAt) >= signOfLifePeriod
    }
}
