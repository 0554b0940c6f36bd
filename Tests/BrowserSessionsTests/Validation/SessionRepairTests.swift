import Expectations

@testable import BrowserSessions
@testable import StorageEngines

struct SessionRepairTests {
    let groups = (0..<3).map { TabGroupID(high: 9, low: UInt64($0)) }

    func id(_ number: Int) -> TabID { TabID(high: 1, low: UInt64(number)) }

    /// Tabs at even places; `edit` breaks them.
    func session(_ count: Int, _ edit: (inout RestoredSession) -> Void = { _ in })
        -> RestoredSession
    {
        let places = OrderKey.evenlySpaced(count: count)
        var session = RestoredSession(
            id: SessionID(window: WindowID(high: 1, low: 1)), attributes: SessionAttributes(),
            tabs: (0..<count).map { TabMetadata(id: id($0), place: places[$0]) })
        edit(&session)
        return session
    }

    func repaired(_ broken: RestoredSession) -> RestoredSession {
        let ids = Set(broken.tabs.map(\.id))
        var session = broken
        session.repair { ids.contains($0) }
        return session
    }

    func numbers(_ session: RestoredSession) -> [UInt64] { session.tabs.map(\.id.low) }

    @Test func aSoundSessionStaysAsItIs() {
        let sound = session(5) {
            $0.attributes.activeTab = id(4)
            $0.tabs[0].isPinned = true
            for (index, group) in [(1, 0), (2, 0), (3, 1)] { $0.tabs[index].group = groups[group] }
            $0.nodes = groups.prefix(2).map { .group(id: $0) }
            $0.nodes.takePlaces(of: $0.tabs)
            $0.tabs[1].opener = TabOpener(tab: id(4))
        }
        expect(repaired(sound), is: sound)
        expect(repaired(session(0)), is: session(0))
    }

    @Test func pinnedTabsComeFirst() {
        let result = repaired(
            session(4) { for index in [0, 2, 3] { $0.tabs[index].isPinned = true } })
        expect(numbers(result) == [0, 2, 3, 1] && result.repairs == [])
    }

    @Test func pinnedTabsLeaveTheirGroup() {
        let result = repaired(
            session(2) {
                $0.tabs[0].isPinned = true
                for index in 0...1 { $0.tabs[index].group = groups[0] }
                $0.nodes = [.group(id: groups[0])]
            })
        expect(result.tabs.map(\.group), is: [nil, groups[0]])
        expect(result.repairs.map(\.kind), is: [.pinnedTabUngrouped])
    }

    @Test func groupsStandWhereTheirPlacesAre() {
        let result = repaired(
            session(6) {
                for index in [0, 2, 5] { $0.tabs[index].group = groups[0] }
                for index in [1, 4] { $0.tabs[index].group = groups[1] }
                $0.nodes = groups.prefix(2).map { .group(id: $0) }
                $0.nodes.takePlaces(of: $0.tabs)
            })
        expect(numbers(result) == [0, 2, 5, 1, 4, 3] && result.repairs == [])
    }

    @Test func unknownGroupsAreAdded() {
        let result = repaired(session(2) { $0.tabs[1].group = groups[2] })
        expect(result.nodes.map(\.id), is: [groups[2]])
        expect(result.repairs, is: [SessionRepair(.groupAdded, node: groups[2])])
    }

    @Test func emptyGroupsGo() {
        let result = repaired(
            session(1) {
                $0.tabs[0].group = groups[0]
                $0.nodes = [.group(id: groups[1]), .group(id: groups[0], name: "first")]
            })
        expect(result.nodes.map(\.name), is: ["first"])
        expect(result.repairs, is: [SessionRepair(.emptyGroupRemoved, node: groups[1])])
    }

    @Test func openersAreOtherTabsOfTheSession() {
        let result = repaired(
            session(3) {
                $0.tabs[0].opener = TabOpener(tab: id(0))
                $0.tabs[1].opener = TabOpener(tab: id(99), navigationIndex: 2)
                $0.tabs[2].opener = TabOpener(tab: id(1), navigationIndex: -5)
            })
        expect(result.tabs.map(\.opener?.tab), is: [nil, nil, id(1)])
        expect(
            result.repairs, is: [0, 1].map { SessionRepair(.openerRemoved, tab: id($0)) })
    }

    @Test func theTabUsedLastBecomesActive() {
        let result = repaired(
            session(3) {
                $0.attributes.activeTab = id(77)
                $0.tabs[1].lastActiveAt = Timestamp(microseconds: 5)
            })
        expect(result.attributes.activeTab, is: id(1))
        expect(result.repairs, is: [SessionRepair(.activeTabReplaced, tab: id(77))])
        let empty = repaired(session(0) { $0.attributes.activeTab = id(77) })
        expect(empty.attributes.activeTab == nil)
        expect(empty.repairs.map(\.kind), is: [.activeTabReplaced])
    }

    @Test func negativeCountsBecomeZero() {
        let result = repaired(
            session(2) {
                $0.tabs[0].navigationItemCount = .min
                $0.tabs[1].navigationItemCount = .max
            })
        expect(result.tabs.map(\.navigationItemCount), is: [0, .max])
        expect(result.repairs, is: [SessionRepair(.navigationCountReset, tab: id(0))])
    }
}

extension Array where Element: Comparable {
    var isStrictlyAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}
