import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

/// What a store puts right when it reads, and what is saved beside it afterwards.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct RepairTests {
    /// The one pane of a split takes its place, and what comes behind it is saved with a place that counts
    /// on that.
    @Test func aTabBesideOneThatWasMovedComesBackThere() async throws {
        let window = SessionID(window: .random())
        let group = StructureNode.group(id: .random(), name: "group")
        let host = Host()
        var changes = SessionChanges()
        changes.put(SessionAttributes(), for: window)
        changes.put(group, in: window)
        let split = StructureNode(
            id: .random(), .split, place: .between(group.place, and: nil), parent: group.id)
        changes.put(split, in: window)
        var place: OrderKey?
        for title in ["first", "other", "apart"] {
            let next = OrderKey.between(place, and: nil)
            place = next
            var tab = TabMetadata(
                id: .random(), place: next, url: "https://\(title).example/", title: title)
            tab.parent = title == "first" ? group.id : title == "apart" ? split.id : nil
            changes.put(tab, in: window)
        }
        _ = try await host.storage.base.save(changes, durability: .memory)
        let report = try await host.restorer.restore()
        try #require(report.windows.first?.repairs.map(\.kind) == [.splitOfOneRemoved])
        let tabs = try #require(host.windows.first).tabs
        try tabs.insert(
            Tab(url: "https://new.example/", title: "new"),
            as: TabInsertion(at: 2, group: group.id))
        expect(tabs.map(\.title), is: ["first", "apart", "new", "other"])
        try await host.restorer.save()
        let next = try await host.relaunched()
        expect(next.windows.map(\.titles), is: [["first", "apart", "new", "other"]])
    }
}
