import BrowserModel
import BrowserSessions
import SessionTesting
import Testing

@testable import SessionRestoration

/// What a store puts right when it reads, and what is saved beside it afterwards.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct RepairTests {
    /// The tabs of a group are neighbours: one that lies apart is moved, and what comes behind it is
    /// saved with a place that counts on that.
    @Test func aTabBesideOneThatWasMovedComesBackThere() async throws {
        let window = SessionID(window: .random())
        let group = TabGroup(id: .random(), title: "group")
        let host = Host()
        var changes = SessionChanges()
        changes.put(SessionAttributes(groups: [group]), for: window)
        var place: OrderKey?
        for title in ["first", "other", "apart"] {
            let next = OrderKey.between(place, and: nil)
            place = next
            var tab = TabMetadata(
                id: .random(), place: next, url: "https://\(title).example/", title: title)
            if title != "other" { tab.group = group.id }
            changes.put(tab, in: window)
        }
        _ = try await host.storage.base.save(changes, durability: .memory)
        let report = try await host.restorer.restore()
        try #require(report.windows.first?.repairs.isEmpty == false)
        let tabs = try #require(host.windows.first).tabs
        try tabs.insert(
            Tab(url: "https://new.example/", title: "new"),
            as: TabInsertion(at: 2, group: group.id))
        #expect(tabs.map(\.title) == ["first", "apart", "new", "other"])
        try await host.restorer.save()
        let next = try await host.relaunched()
        #expect(next.windows.map(\.titles) == [["first", "apart", "new", "other"]])
    }
}
