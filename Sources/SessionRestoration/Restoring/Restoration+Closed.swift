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
        let last = WindowsClosedLast(
            grace: grace, start: note.formerStartAge, end: note.formerAge, age: context.age
        ).sessions(among: windows(of: found))
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
            for id in last { saves.regular.put(attributes(of: id, in: found), for: id) }
        }
        launch.lastClosingsAreResolved()
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
                saves.regular.put(window.attributes, for: window.id)
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
            saves.regular.put(marked.attributes, for: backup.id)
        }
        guard !seen.isEmpty else { return }
        found = found.mapValues { $0.map { seen[$0.id] ?? $0 } }
    }

    /// Provides the stored windows to the identifiers of windows.
    func offer(
        _ found: Found,
        _ unreadable: [RestorationReport.UnreadableSession]
    ) {
        var hidden: [WindowID: Int?] = [:]
        for session in found.values.joined()
        where session.id.kind.role == .companion && !session.id.isOffTheRecord {
            hidden[session.id.window] = (hidden[session.id.window] ?? 0).map {
                $0 + session.tabs.count
            }
        }
        for session in unreadable.map(\.session) where session.kind.role == .companion {
            hidden[session.window] = .some(nil)
        }
        let readable = windows(of: found).map { session in
            var window = StoredWindow(session, context.age)
            if session.id.kind == .regular, let tabs = hidden[session.id.window] {
                window.hiddenTabs = tabs
            }
            return window
        }
        let others = unreadable.map(\.session).filter(\.kind.isReopenable)
            .map { StoredWindow(id: $0.window, kind: $0.kind, isReadable: false) }
        let answer = context.windows.ids.offer(readable + others)
        if !answer.isComplete { context.logger.error("the store names windows that can't be") }
    }
}
