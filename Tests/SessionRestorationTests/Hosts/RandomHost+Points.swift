import BrowserModel
import BrowserSessions
import RestorePlans
import SessionTesting

@testable import SessionRestoration

/// What a user does with restore points.
extension RandomHost {
    func takePoint() async {
        guard storage.traits.takesRestorePoints else { return }
        let name = name()
        note("take restore point \(name)")
        do throws(SessionRestorationError) {
            try await restorer.history.takeRestorePoint(name: name)
        } catch {
            note("it was not taken: \(error)")
        }
    }

    /// Goes back to a restore point: what is gone or closed comes back to windows that are open, and what is
    /// open stays where it is.
    func goBack() async throws {
        guard storage.traits.takesRestorePoints else { return }
        let plan: RestorePlan
        let saved = restorer.history
        do throws(SessionRestorationError) {
            guard let point = pick(try await saved.restorePoints()) else { return }
            var whole = try await saved.plan(at: point.id)
            whole.strike(whole.lines.filter { !isForOpenWindow($0) }.map(\.id))
            plan = whole
        } catch {
            return note("no plan was made: \(error)")
        }
        note("go back to \(plan.point?.id.description ?? "") by \(plan.activeLines.count) lines")
        try look()
        let before = places
        var missing: TabID?
        do throws(SessionRestorationError) {
            let skipped = Set(try await saved.apply(plan).skipped.map(\.line.id))
            missing = plan.activeLines.filter { !skipped.contains($0.id) }
                .compactMap { $0.then?.tab?.id }.first { places[$0] == nil }
        } catch {
            note("not all was done: \(error)")
        }
        if let missing { throw fail("tab \(missing) did not come back") }
        for (tab, session) in before where places[tab] != session {
            throw fail("tab \(tab) was in \(session), not \(String(describing: places[tab]))")
        }
        closed.removeAll { places[$0.id] != nil }
        for tab in windows.windows.flatMap(\.tabs.tabs) where before[tab.id] == nil {
            if let state = try? await restorer.states.state(of: tab) { states[tab.id] = state }
        }
    }

    /// Whether a line brings a tab or node to a window that is open, from nowhere or from the closed tabs.
    private func isForOpenWindow(_ line: RestorePlan.Line) -> Bool {
        guard let then = line.then, windows.window(then.session) != nil else { return false }
        if case .session = line.item { return false }
        return line.now.map { $0.session.kind == .recentlyClosed } ?? true
    }

    /// The windows that have each regular tab.
    private var places: [TabID: SessionID] {
        var places: [TabID: SessionID] = [:]
        for window in windows.windows where !window.isIncognito {
            for tab in window.tabs.tabs { places[tab.id] = window.sessionID }
        }
        return places
    }
}
