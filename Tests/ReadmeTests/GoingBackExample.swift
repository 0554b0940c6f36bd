import BrowserSessions
import RestorePlans

/// Finds a tab that is gone, brings it back with its window, and returns how to undo that.
func bringBack(_ words: String, in store: some SessionStorage) async throws -> RestorePlanResult? {
    guard let hit = try await store.find(words).first, let seen = hit.lastSeen else {
        return nil  // nothing was found, or the tab is still in a session
    }
    print("\(hit.tab.title) was last in '\(hit.sessionTitle)', restore point \(seen.point.id)")

    // What it would take: a value to draw, to strike lines out of, or to write to a file.
    var plan = try await store.restorePlan(at: seen.point.id).limited(to: [hit.session])
    for line in plan.lines where line.title.isEmpty && line.action == .add { plan.strike(line.id) }

    // One change set, after a restore point with the name "before restoring".
    return try await store.apply(plan)
}

/// Returns a sentence about what changed since a restore point.
func changesSince(_ point: RestorePoint, in store: some SessionStorage) async throws -> String {
    let version = SessionVersion.point(point.id)
    let before = try await store.restore(store.sessions(at: version), at: version)
    let now = try await store.restore(store.sessions())
    let tabs = SessionDifference(from: before, to: now).tabCounts
    return "\(tabs.removed) gone, \(tabs.moved) moved, \(tabs.changed) changed, \(tabs.added) new"
}
