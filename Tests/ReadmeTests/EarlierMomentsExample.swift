import BrowserSessions
import RestorePlans
import SessionRestoration

/// What a browser shows of earlier moments, and how it goes back to one.
@MainActor
struct EarlierMoments {
    let sessions: SessionRestorer

    /// The lines of a menu, newest first.
    func menu() async throws -> [(title: String, point: RestorePointID)] {
        try await sessions.history.restorePoints().map { point in
            var title = "\(point.tabCount) tabs"
            if point.lostTabCount > 0 { title += ", before \(point.lostTabCount) went at once" }
            if !point.name.isEmpty { title = "\(point.name): \(title)" }
            return (title, point.id)
        }
    }

    /// Offers, after a launch, to bring back what went at once. Each offer is made until it is answered.
    func offerWhatWasLost(_ ask: (_ tabs: Int) async -> Bool) async throws {
        for point in sessions.report?.pointsBeforeLoss ?? [] {
            if await ask(point.lostTabCount) {
                try await sessions.history.goBack(to: point.id)
            }
            // One with a name is the user's to release.
            guard point.name.isEmpty else { continue }
            try await sessions.history.releaseRestorePoint(point.id)
        }
    }

    /// Goes back by the lines that the user has not struck out, and returns what undoes it.
    func goBack(
        to point: RestorePointID, without isUnwanted: (RestorePlan.Line) -> Bool
    ) async throws -> RestorePointID? {
        var plan = try await sessions.history.plan(at: point)
        for line in plan.lines where isUnwanted(line) { plan.strike(line.id) }
        return try await sessions.history.apply(plan).restorePoint?.id
    }

    /// Undoes it, whatever it was.
    func undo(_ point: RestorePointID) async throws {
        try await sessions.history.goBack(to: point, mode: .replace)
    }

    /// Forgets a site, also in the pages of tabs that are not shown, and returns how many tabs still have it.
    func forget(_ site: String) async throws -> Int {
        let kept = try await sessions.history.forget([site]).keptHistories
        // Without its page, a tab is like any other. One that is shown keeps its page.
        for tab in kept { try? await sessions.realizedTabs.unload(tab) }
        let data = try await sessions.history.forget([site])
        return data.receipt.openTabs + data.keptHistories.count
    }
}
