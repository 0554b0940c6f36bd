import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting

/// All windows become one.
@MainActor
struct MergingWindowsTests {
    @Test func allTabsComeToOneWindowInOneSetAndTheOthersAreGone() async throws {
        let host = try await Host.launched()
        let target = try await host.window("a", "b")
        let second = try await host.window("p", "c", "d")
        try second.tabs.pin(second.tabs[0])
        let group = StructureNode.group(id: .random(), name: "G")
        try second.tabs.create(group, of: [second.tabs[1], second.tabs[2]])
        let third = try await host.window("e")
        let hidden = try await host.window("x", kind: .incognito)
        host.storage.forgetCalls()
        expect(try host.restorer.savedWindows.mergeAll(into: target) == 4)
        expect(target.titles, is: ["p", "a", "b", "c", "d", "e"])
        expect(target.tabs.range(of: group.id), is: 3..<5)
        expect(target.tabs.activeTab?.title, is: "b")
        expect(host.windows.windows.map(\.id), is: [target.id, hidden.id])
        try await host.restorer.save()
        expect(host.storage.savedSets.count, is: 1)
        expect(host.restorer.closed.windows.isEmpty)
        let next = try await host.relaunched()
        expect(next.windows.window(target.id)?.titles, is: ["p", "a", "b", "c", "d", "e"])
        for window in [second, third] {
            expect(try await next.stored(window.sessionID) == nil)
        }
        let tab = try require(try next.windows.window(target.id)?.tab("e"))
        try await tab.forceRealization()
        expect(tab.pages?.currentEntry?.title, is: "e")
    }

    @Test func inactiveTabsMoveAlongAndBackupsAreConfirmed() async throws {
        let host = try await Host.launched()
        let target = try await host.window("a")
        let other = try await host.window("b", "c")
        try host.restorer.closeAll(in: other)
        let old = try host.windows.open(other.id, kind: .inactive)
        try old.tabs.insert(Tab(url: "https://old.example/", title: "old"))
        try host.restorer.savedWindows.mergeAll(into: target)
        expect(host.windows.window(target.id, kind: .inactive)?.titles, is: ["old"])
        expect(host.restorer.closed.tabs.map(\.title), is: ["b", "c"])
        expect(host.windows.windows.count, is: 2)
    }
}
