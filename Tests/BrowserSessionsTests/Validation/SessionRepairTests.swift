import Testing

@testable import BrowserSessions
@testable import StorageEngines

@Suite struct SessionRepairTests {
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
            $0.attributes.groups = [TabGroup(id: groups[0]), TabGroup(id: groups[1])]
            $0.attributes.activeTab = id(4)
            $0.tabs[0].isPinned = true
            for (index, group) in [(1, 0), (2, 0), (3, 1)] { $0.tabs[index].group = groups[group] }
            $0.tabs[1].opener = TabOpener(tab: id(4))
        }
        #expect(repaired(sound) == sound)
        #expect(repaired(session(0)) == session(0))
    }

    @Test func pinnedTabsMoveUp() {
        let result = repaired(
            session(4) {
                $0.tabs[0].isPinned = true
                $0.tabs[2].isPinned = true
                $0.tabs[3].isPinned = true
            })
        #expect(numbers(result) == [0, 2, 3, 1])
        #expect(
            result.repairs
                == [2, 3].map { SessionRepair(.pinnedTabMoved, tab: id($0)) })
        #expect(result.tabs.map(\.place).isStrictlyAscending)
        #expect(result.tabs[3].place == session(4).tabs[1].place)
    }

    @Test func pinnedTabsLeaveTheirGroup() {
        let result = repaired(
            session(2) {
                $0.tabs[0].isPinned = true
                for index in 0...1 { $0.tabs[index].group = groups[0] }
                $0.attributes.groups = [TabGroup(id: groups[0])]
            })
        #expect(result.tabs.map(\.group) == [nil, groups[0]])
        #expect(result.repairs == [SessionRepair(.pinnedTabUngrouped, tab: id(0))])
    }

    @Test func groupsComeTogetherAtTheirFirstTab() {
        let result = repaired(
            session(6) {
                $0.attributes.groups = [TabGroup(id: groups[0]), TabGroup(id: groups[1])]
                for index in [0, 2, 5] { $0.tabs[index].group = groups[0] }
                for index in [1, 4] { $0.tabs[index].group = groups[1] }
            })
        #expect(numbers(result) == [0, 2, 5, 1, 4, 3])
        #expect(
            result.repairs == [2, 5, 4].map { SessionRepair(.groupedTabMoved, tab: id($0)) })
        #expect(result.tabs.map(\.place).isStrictlyAscending)
    }

    @Test func unknownGroupsAreAdded() {
        let result = repaired(session(2) { $0.tabs[1].group = groups[2] })
        #expect(result.attributes.groups == [TabGroup(id: groups[2])])
        #expect(result.repairs == [SessionRepair(.groupAdded, tab: id(1), node: groups[2])])
    }

    @Test func emptyAndDoubleGroupsGo() {
        let result = repaired(
            session(1) {
                $0.tabs[0].group = groups[0]
                $0.attributes.groups = [
                    TabGroup(id: groups[1]), TabGroup(id: groups[0], title: "first"),
                    TabGroup(id: groups[0], title: "second"),
                ]
            })
        #expect(result.attributes.groups == [TabGroup(id: groups[0], title: "first")])
        #expect(
            result.repairs == [
                SessionRepair(.emptyGroupRemoved, node: groups[1]),
                SessionRepair(.duplicateGroupRemoved, node: groups[0]),
            ])
    }

    @Test func openersAreOtherTabsOfTheSession() {
        let result = repaired(
            session(3) {
                $0.tabs[0].opener = TabOpener(tab: id(0))
                $0.tabs[1].opener = TabOpener(tab: id(99), navigationIndex: 2)
                $0.tabs[2].opener = TabOpener(tab: id(1), navigationIndex: -5)
            })
        #expect(result.tabs.map(\.opener?.tab) == [nil, nil, id(1)])
        #expect(
            result.repairs == [0, 1].map { SessionRepair(.openerRemoved, tab: id($0)) })
    }

    @Test func theTabUsedLastBecomesActive() {
        let result = repaired(
            session(3) {
                $0.attributes.activeTab = id(77)
                $0.tabs[1].lastActiveAt = Timestamp(microseconds: 5)
            })
        #expect(result.attributes.activeTab == id(1))
        #expect(result.repairs == [SessionRepair(.activeTabReplaced, tab: id(77))])
        let empty = repaired(session(0) { $0.attributes.activeTab = id(77) })
        #expect(empty.attributes.activeTab == nil)
        #expect(empty.repairs.map(\.kind) == [.activeTabReplaced])
    }

    @Test func negativeCountsBecomeZero() {
        let result = repaired(
            session(2) {
                $0.tabs[0].navigationItemCount = .min
                $0.tabs[1].navigationItemCount = .max
            })
        #expect(result.tabs.map(\.navigationItemCount) == [0, .max])
        #expect(result.repairs == [SessionRepair(.navigationCountReset, tab: id(0))])
    }

    @Test("However many tabs move to one spot, their places can be saved")
    func manyMoves() throws {
        let result = repaired(
            session(4000) {
                $0.attributes.groups = groups.map { TabGroup(id: $0) }
                for index in $0.tabs.indices { $0.tabs[index].group = groups[index % 3] }
            })
        #expect(result.repairs.count > 2600)
        #expect(result.tabs.map(\.place).isStrictlyAscending)
        #expect(result.tabs.allSatisfy { $0.place.length <= OrderKey.maximumLength })
    }

    @Test("A tab moved between two tabs of the same place stays between them")
    func equalPlaces() {
        let result = repaired(
            session(4) {
                $0.tabs[1].place = $0.tabs[0].place
                $0.tabs[3].group = groups[0]
                $0.tabs[0].group = groups[0]
                $0.attributes.groups = [TabGroup(id: groups[0])]
            })
        #expect(numbers(result) == [0, 3, 1, 2])
        #expect(result.tabs.map(\.place).isStrictlyAscending)
        #expect(repaired(result).repairs == result.repairs)
    }
}

extension Array where Element: Comparable {
    var isStrictlyAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}
