import BrowserModel
import BrowserSessions
import CommandLineSupport
import RestorePlans
import SessionRestoration

extension Browser {
    /// Performs a command about earlier moments, which the store keeps as restore points.
    func visitEarlier(_ command: Command) async throws -> [String] {
        let saved = restorer.history
        switch command {
        case .points:
            let points = try await saved.restorePoints()
            return points.isEmpty ? ["  (no restore points)"] : points.map { "  " + text(of: $0) }
        case .keep(let name):
            return ["kept: " + text(of: try await saved.takeRestorePoint(name: name))]
        case .release(let name):
            let point = try await point(name)
            try await saved.releaseRestorePoint(point.id)
            return ["released: " + text(of: point)]
        case .goBack(let name): return try await goBack(to: name)
        case .undoGoBack: return try await undoGoBack()
        case .apply(let file):
            let plan = try RestorePlan(encoded: CommandFile.read(file))
            return PlanLines(plan, try await apply(plan)).lines
        case .find(let words): return try await found(words)
        case .forget(let sites): return try await forget(sites)
        default: return []
        }
    }

    /// What the launch found to be lost, and how it comes back; `[]` if no offer is unanswered.
    func offers(_ report: RestorationReport) -> [String] {
        report.pointsBeforeLoss.map {
            counted($0.lostTabCount, "tab") + " went at once: 'goback \($0.id)' brings back what "
                + "is gone, 'release \($0.id)' lets it go"
        }
    }

    /// Brings back what a point has and what is gone now; everything else stays.
    ///
    /// - Parameter name: the number or the name of the point; `nil` for the newest that no plan took.
    private func goBack(to name: String?) async throws -> [String] {
        let point =
            if let name { try await point(name) } else { try await newestPoint() }
        let plan = try await restorer.history.plan(at: point.id)
        let result = try await apply(plan)
        // Once everything is back, the offer is not made again.
        if point.reason == .beforeLoss, plan.unreadable.isEmpty, result.skipped.isEmpty {
            try await restorer.history.releaseRestorePoint(point.id)
        }
        return ["to " + text(of: point)] + PlanLines(plan, result).lines
    }

    /// Makes everything as it was before a plan was applied last, also by an earlier process. Doing so again
    /// makes it as the plan left it.
    private func undoGoBack() async throws -> [String] {
        let points = try await restorer.history.restorePoints()
        guard let point = points.first(where: \.isBeforeRestoring) else {
            throw CommandMistake.notNow("nothing went back: see 'goback'")
        }
        let plan = try await restorer.history.plan(at: point.id, mode: .replace)
        return ["to " + text(of: point)] + PlanLines(plan, try await apply(plan)).lines
    }

    /// Applies a plan, and shows another window if it closed the one on the screen.
    private func apply(_ plan: RestorePlan) async throws -> RestorePlanResult {
        let result = try await restorer.history.apply(plan)
        if windows.isEmpty { try openWindow() }
        if window.isClosed, let last = windows.last { show(last) }
        return result
    }

    private func point(_ name: String) async throws -> RestorePoint {
        guard let point = try await restorer.history.restorePoints().named(name) else {
            throw CommandMistake.notNow("there is no restore point \(name): see 'points'")
        }
        return point
    }

    private func newestPoint() async throws -> RestorePoint {
        let points = try await restorer.history.restorePoints()
        guard let point = points.first(where: { !$0.isBeforeRestoring }) else {
            throw CommandMistake.notNow("there is no restore point: 'keep WORD…' takes one")
        }
        return point
    }

    /// Such as `12 · today 14:00 · 7 tabs · before 20 tabs went at once`.
    private func text(of point: RestorePoint) -> String {
        "\(point.id) · " + point.text(TimeWords(now: profile.now()))
    }

    // MARK: Forgetting

    private func forget(_ sites: [String]) async throws -> [String] {
        let forgotten = try ForgottenSites(sites)
        let data = try await restorer.history.forget(sites)
        try profile.service(VisitedPages.self).forget(forgotten)
        let receipt = data.receipt
        var lines = [
            counted(receipt.closedTabs, "closed tab") + ", "
                + counted(receipt.historyEntries, "entry of a history", "entries of histories")
                + " and " + counted(receipt.earlierTabs, "tab") + " of restore points are gone"
                + (data.isErased ? ", also from the store's files" : "")
        ]
        if receipt.openTabs > 0 {
            lines.append("still open: \(counted(receipt.openTabs, "tab")), until you close it")
        }
        if !data.keptHistories.isEmpty {
            let pages = counted(data.keptHistories.count, "page")
            lines.append("still in the history of \(pages): close it and forget again")
        }
        return lines
    }

    // MARK: Finding

    private func found(_ words: String) async throws -> [String] {
        let found = try await restorer.history.find(words)
        if found.isEmpty { return ["  (no tab has '\(words)')"] }
        return found.map { "  \($0.tab.title) <\($0.tab.url)>: \(place(of: $0))" }
    }

    private func place(of hit: FoundTab) -> String {
        if let seen = hit.lastSeen {
            let time = TimeWords(now: profile.now()).words(seen.point.takenAt)
            return "seen last \(time), see 'goback \(seen.point.id)'"
        }
        let number = windows.firstIndex { $0.sessionID.window == hit.session.window }
        let inWindow = number.map { " in window \($0 + 1)" }
        return switch hit.place {
        case .open: "open" + (inWindow ?? " in a space")
        case .inactive: "inactive" + (inWindow ?? "") + ", see 'reactivate'"
        case .closed, .closedWindow: "closed, see 'closed'"
        case .setAside: "set aside, see 'setaside'"
        default: hit.place.rawValue
        }
    }
}
