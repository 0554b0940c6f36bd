import BrowserModel
import BrowserSessions
import CommandLineSupport
import SessionRestoration

extension Browser {
    func windowLines() -> [String] {
        windows.enumerated().map { number, window in
            let hidden = profile.windows.incognito.window(window.id)?.tabs.count ?? 0
            let unrealized = window.tabs.count { !$0.isRealized }
            return "\(window === self.window ? ">" : " ") window \(number + 1): "
                + "\(counted(window.tabs.count, "tab")), \(unrealized) unrealized"
                + (hidden > 0 ? ", \(hidden) incognito" : "")
        }
    }

    /// Returns the visited pages, the most recent first.
    func visitedLines() throws -> [String] {
        let visits = try profile.service(VisitedPages.self).visits
        return visits.map { "  \($0.title) <\($0.url)>" }
    }

    /// Returns pages that are open or were visited and have the text in their title or address.
    func suggestionLines(for text: String) throws -> [String] {
        let found = try profile.service(AddressSuggestions.self).suggestions(for: text)
        if found.isEmpty { return ["  (nothing is like '\(text)')"] }
        return found.map { "  \($0.title) <\($0.url)>\($0.isOpen ? " (open)" : "")" }
    }

    /// Returns the history of a tab. An unrealized tab stays unrealized.
    func stateLines(of tab: Tab) async throws -> [String] {
        let state = try await restorer.states.state(of: tab)
        let scroll = state.native.map { String(decoding: $0, as: UTF8.self) } ?? "0"
        return state.history.entries.enumerated().map { index, entry in
            "\(index == state.history.currentIndex ? ">" : " ") \(entry.title) <\(entry.url)>"
        } + ["  scrolled to line \(scroll); the tab is \(tab.isRealized ? "" : "un")realized"]
    }

    /// Returns what was restored at the start; `[]` if nothing was restored yet.
    func greeting() -> [String] {
        guard let report = restorer.report else { return [] }
        let tabs = profile.windows.flatMap(\.tabs)
        let regular = report.windows.filter { !$0.session.isIncognito }
        let restored = regular.reduce(0) { $0 + $1.tabs } - report.newlyInactiveTabs
        let unrealized = tabs.count { !$0.isRealized }
        let windows = regular.count
        var lines = [
            restored == 0 && windows == 0
                ? "No window came back: this is a new one."
                : "\(counted(windows, "window")) with \(counted(restored, "tab")) came back, "
                    + "\(unrealized) of them unrealized."
        ]
        if report.newlyInactiveTabs > 0 {
            lines.append(
                counted(report.newlyInactiveTabs, "tab") + " became inactive: see 'reactivate'")
        }
        lines.append("The process before this one: \(describe(report.launch))")
        let setAside = restorer.setAside.sessions.count
        if setAside > 0 {
            lines.append(
                counted(setAside, "window is", "windows are") + " set aside: see 'setaside'")
        }
        let left = report.unreadable.map { $0.session.description }
        lines += (left + [report.unreadableIncognito].compactMap(\.self))
            .map { "Could not be read, and left as it is: \($0)" }
        // What was found to be lost, until the user answers.
        return lines
            + report.pointsBeforeLoss.map {
                counted($0.lostTabCount, "tab") + " went at once: 'goback \($0.id)' brings back "
                    + "what is gone, 'release \($0.id)' lets it go"
            }
    }

    private func describe(_ launch: LaunchAssessment) -> String {
        switch launch.kind {
        case .firstLaunch: "there was none."
        case .clean: "ended in order."
        case .exited: "ended without closing its sessions."
        case .endedInBackground: "was ended in the background."
        case .afterCrash(let count): count == 1 ? "crashed." : "crashed, for the \(count). time."
        case .endedInDevelopment: "was killed while somebody developed it."
        case .sameProcess: "is this one."
        case .afterRestartOfTheSystem: "ended with the system."
        case .unknown: "left a note that can't be read."
        }
    }
}
