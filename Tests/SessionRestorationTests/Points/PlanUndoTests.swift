import BrowserModel
import BrowserSessions
import Expectations
import RestorePlans
import SessionSamples
import SessionTesting
import TestSupport

@testable import SessionRestoration

/// Plans of random profiles, and going back to the point before them.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct PlanUndoTests {
    @Test func undoingAPlanLeavesWhatWasThere() async throws {
        for seed in 1...UInt64(24) {
            var user = SeededGenerator(seed: seed)
            let folder = TemporaryFolder()
            defer { withExtendedLifetime(folder) {} }
            let host = try await Host.ofPoints(in: folder)
            for _ in 0..<12 { try await act(host, &user) }
            let then = try await host.point()
            for _ in 0..<12 { try await act(host, &user) }
            let mode = user.pick(RestorePlan.Mode.allCases)
            var plan = try await host.restorer.history.plan(at: then, mode: mode)
            plan.strike(plan.lines.filter { _ in user.chance(1, in: 4) }.map(\.id))
            let before = try await picture(host)
            let result = try await host.restorer.history.apply(plan)
            guard let undo = result.restorePoint else { continue }
            let undone = try await host.goBack(to: undo.id, .replace)
            let after = try await picture(host)
            expect(after.filter { !before.contains($0) }, is: [], "seed \(seed), come")
            expect(before.filter { !after.contains($0) }, is: [], "seed \(seed), gone")
            expect(reasons(undone), is: [], "seed \(seed)")
            expect(reasons(result).subtracting([.outOfSight]), is: [], "seed \(seed)")
            try await host.end()
        }
    }

    /// Why tabs and nodes were left.
    private func reasons(_ result: RestorePlanResult) -> Set<RestorePlanResult.Reason> {
        Set(
            result.skipped.filter { if case .session = $0.line.item { false } else { true } }
                .map(\.reason))
    }

    private func act(_ host: Host, _ user: inout SeededGenerator) async throws {
        let restorer = host.restorer
        let name = "t\(user.integer(in: 0...999))"
        guard let window = host.windows.windows.isEmpty ? nil : user.pick(host.windows.windows),
            !window.tabs.isEmpty
        else {
            _ = try await host.window(name, name + "b", name + "c")
            return
        }
        let index = user.integer(in: 0...window.tabs.count - 1)
        switch user.integer(in: 0...11) {
        case 0: _ = try await host.window(name, name + "b")
        case 1, 2: try window.tabs.insert(Tab(url: "https://\(name).example/", title: name))
        case 3, 4: try window.tabs.close(window.tabs[index])
        case 5: try window.tabs.create(.folder(name: name), of: [window.tabs[index]])
        case 6: try window.tabs.create(.group(name: name), of: [window.tabs[index]])
        case 7: try host.windows.close(window)
        case 8: try restorer.closed.reopenLast()
        case 9: try restorer.closed.forgetAll()
        case 10:
            if let closed = restorer.closed.windows.first {
                try await restorer.savedWindows.discard([closed.id])
            }
        default:
            try await window.tabs[index].forceRealization()
            window.tabs[index].visit(name)
        }
    }

    /// What a person has, as far as it is saved: without the times of closing.
    private func picture(_ host: Host) async throws -> [String] {
        try await host.restorer.save()
        var lines: [String] = []
        for id in try await host.storage.sessions() where id.kind != .launch {
            guard let session = try await host.stored(id) else { continue }
            let isClosed = session.attributes.closedAt != nil
            lines.append("\(id) \(isClosed) \(session.attributes.title)")
            lines += session.nodes.map { "\($0.id) \($0.name) in \($0.parent?.description ?? "")" }
            for tab in session.tabs {
                let keys = try await host.storage.stateKeys(in: id).filter { $0.tab == tab.id }
                let states = try await host.storage.states(of: keys).map {
                    "\($0.key.name) \($0.value.count)"
                }
                lines.append(
                    "\(tab.id) \(tab.url) in \(tab.parent?.description ?? "") \(states.sorted())")
            }
        }
        return lines
    }
}
