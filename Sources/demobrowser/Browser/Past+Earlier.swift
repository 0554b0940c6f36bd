import BrowserModel
import BrowserSessions
import CommandLineSupport
import RestorePlans
import SessionRestoration

/// Earlier moments, which the store keeps as restore points.
extension Past {
    private var history: SessionHistory { browser.restorer.history }

    func pointLines() async throws -> [String] {
        let points = try await history.restorePoints()
        return points.isEmpty ? ["  (no restore points)"] : points.map { "  " + text(of: $0) }
    }

    func keep(_ name: String) async throws -> [String] {
        ["kept: " + text(of: try await history.takeRestorePoint(name: name))]
    }

    func release(_ name: String) async throws -> [String] {
        let point = try await point(name)
        try await history.releaseRestorePoint(point.id)
        return ["released: " + text(of: point)]
    }

    /// Applies the plan in a file.
    func apply(file: String) async throws -> [String] {
        let plan = try RestorePlan(encoded: CommandFile.read(file))
        return plan.words(after: try await apply(plan))
    }

    /// Brings back what a point has and what is gone now; everything else stays.
    ///
    /// - Parameter name: the number or the name of the point; `nil` for the newest that no plan took.
    func goBack(to name: String?) async throws -> [String] {
        let point =
            if let name { try await point(name) } else { try await newestPoint() }
        let plan = try await history.plan(at: point.id)
        let result = try await apply(plan)
        // Once everything is back, the offer is not made again.
        if point.reason == .beforeLoss, plan.unreadable.isEmpty, result.skipped.isEmpty {
            try await history.releaseRestorePoint(point.id)
        }
        return ["to " + text(of: point)] + plan.words(after: result)
    }

    /// Makes everything as it was before a plan was applied last, also by an earlier process. Doing so again
    /// makes it as the plan left it.
    func undoGoBack() async throws -> [String] {
        let points = try await history.restorePoints()
        guard let point = points.first(where: \.isBeforeRestoring) else {
            throw CommandMistake("nothing went back: see 'goback'")
        }
        let plan = try await history.plan(at: point.id, mode: .replace)
        return ["to " + text(of: point)] + plan.words(after: try await apply(plan))
    }

    /// Applies a plan, and shows another window if it closed the one on the screen.
    private func apply(_ plan: RestorePlan) async throws -> RestorePlanResult {
        let result = try await history.apply(plan)
        if browser.windows.isEmpty { try browser.openWindow() }
        if browser.window.isClosed, let last = browser.windows.last { browser.show(last) }
        return result
    }

    private func point(_ name: String) async throws -> RestorePoint {
        guard let point = try await history.restorePoints().named(name) else {
            throw CommandMistake("there is no restore point \(name): see 'points'")
        }
        return point
    }

    private func newestPoint() async throws -> RestorePoint {
        let points = try await history.restorePoints()
        guard let point = points.first(where: { !$0.isBeforeRestoring }) else {
            throw CommandMistake("there is no restore point: 'keep WORD…' takes one")
        }
        return point
    }

    /// Such as `12 · today 14:00 · 7 tabs · before 20 tabs went at once`.
    private func text(of point: RestorePoint) -> String {
        "\(point.id) · " + point.text(TimeWords(now: browser.profile.now()))
    }

    // MARK: Forgetting

    func forget(_ sites: [String]) async throws -> [String] {
        let forgotten = try ForgottenSites(sites)
        let data = try await history.forget(sites)
        try browser.profile.service(VisitedPages.self).forget(forgotten)
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

    func found(_ words: String) async throws -> [String] {
        let found = try await history.find(words)
        if found.isEmpty { return ["  (no tab has '\(words)')"] }
        return found.map { "  \($0.tab.title) <\($0.tab.url)>: \(place(of: $0))" }
    }

    private func place(of hit: FoundTab) -> String {
        if let seen = hit.lastSeen {
            let time = TimeWords(now: browser.profile.now()).words(seen.point.takenAt)
            return "seen last \(time), see 'goback \(seen.point.id)'"
        }
        let number = browser.windows.firstIndex { $0.sessionID.window == hit.session.window }
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
