import BrowserModel
import BrowserSessions
import Logging

// The closed windows and tabs: which come back, how old they are, and which are offered.
extension Restoration {
    /// Reopens windows that closed together as the app ended, also in the store, so that they are
    /// open even if the process is killed immediately.
    func takeBackLastClosings(
        _ found: inout Found, _ report: inout RestorationReport
    ) async throws(StorageError) {
        guard let grace = context.policy.closingGrace, let note = launch.note.marker else {
            return launch.lastClosingsAreResolved()
        }
        let last = closedLast(among: windows(of: found), before: note, within: grace)
        guard !last.isEmpty else { return launch.lastClosingsAreResolved() }
        report.closedLast = last.sorted()
        var changes = SessionChanges()
        found = found.mapValues { sessions in
            sessions.map { session in
                guard last.contains(session.id) else { return session }
                var open = session
                open.attributes.closedAt = nil
                open.attributes.ageMark = nil
                changes.put(open.attributes, for: open.id)
                return open
            }
        }
        do throws(StorageError) {
            try await saves.store.applyInTurn(changes)
        } catch {
            // The windows are on the screen all the same, and saved when there is space.
            guard error.code == .outOfSpace else { throw error }
            for id in last { saves.regular.mark(.content(attributes(of: id, in: found), for: id)) }
        }
        launch.lastClosingsAreResolved()
    }

    /// Returns the windows that closed together as the app ended; empty if a window was open.
    ///
    /// When a desktop session ends, it closes one window after the other, and a host cannot distinguish this from
    /// a user who closes them. If the app ended and no window was left, the windows that closed last therefore
    /// come back: the last one, and all that closed at most a grace period before the next.
    ///
    /// - Parameters:
    ///   - windows: all saved regular windows.
    ///   - note: the launch note, with the ages at which the process that closed the windows began and ended.
    ///   - grace: the longest time from the last closing to the end of the app.
    private func closedLast(
        among windows: [RestoredSession], before note: LaunchMarker, within grace: Duration
    ) -> Set<SessionID> {
        let age = context.age
        guard let start = note.formerStartAge, let end = note.formerAge, age.knows(end),
            windows.allSatisfy(\.isClosed)
        else { return [] }
        let closed = windows.filter { !$0.tabs.isEmpty }
            .compactMap { session in
                session.attributes.ageMark.map { (id: session.id, mark: $0) }
            }
            .filter { age.knows($0.mark) && $0.mark.value > start.value }
            .sorted { $0.mark.value > $1.mark.value }
        var together: Set<SessionID> = []
        var next = end
        for window in closed {
            guard next.value - window.mark.value <= grace.microseconds else { break }
            together.insert(window.id)
            next = window.mark
        }
        return together
    }

    private func attributes(of id: SessionID, in found: Found) -> SessionAttributes {
        found[id.kind]?.first { $0.id == id }?.attributes ?? SessionAttributes()
    }

    /// Starts the age of items that this store sees for the first time, such as imported ones:
    /// closed windows and tabs in the order in which they were closed.
    func startAging(_ found: inout Found) {
        for mark in found.values.joined().compactMap(\.attributes.ageMark) + closedTabs.marks {
            context.age.raise(to: mark)
        }
        var unseen = windows(of: found).filter {
            $0.isClosed && !context.age.knows($0.attributes.ageMark)
        }.sorted {
            ($0.attributes.closedAt ?? .unknown, $0.id) < (
                $1.attributes.closedAt ?? .unknown, $1.id
            )
        }[...]
        var seen: [SessionID: RestoredSession] = [:]
        func see(upTo time: Timestamp?) {
            while var window = unseen.first,
                time.map({ (window.attributes.closedAt ?? .unknown) < $0 }) ?? true
            {
                unseen.removeFirst()
                window.attributes.ageMark = context.age.next()
                seen[window.id] = window
                guard window.provenance == .intact, window.losses.isEmpty else { continue }
                saves.regular.mark(.content(window.attributes, for: window.id))
            }
        }
        for tab in closedTabs.unseen {
            see(upTo: tab.closedAt)
            closedTabs.seen(tab.index)
        }
        see(upTo: nil)
        for backup in found[.backup, default: []]
        where !context.age.knows(backup.attributes.ageMark) && backup.provenance == .intact {
            var marked = backup
            marked.attributes.ageMark = context.age.next()
            seen[backup.id] = marked
            saves.regular.mark(.content(marked.attributes, for: backup.id))
        }
        guard !seen.isEmpty else { return }
        found = found.mapValues { $0.map { seen[$0.id] ?? $0 } }
    }
}
