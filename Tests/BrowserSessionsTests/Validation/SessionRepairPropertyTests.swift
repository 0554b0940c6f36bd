import SessionSamples
import Testing

@testable import BrowserSessions
@testable import StorageEngines

/// Whatever a list looks like, repairing it gives one that obeys the rules.
@Suite struct SessionRepairPropertyTests {
    /// A list in the order of a store, by place and id, with every rule broken now and then.
    static func broken(_ generator: inout SeededGenerator) -> RestoredSession {
        let count = generator.integer(in: 0...12)
        let groups = (0..<4).map { TabGroupID(high: 9, low: UInt64($0)) }
        let distinct = OrderKey.evenlySpaced(count: generator.chance(1, in: 3) ? 3 : 12)
        var tabs = (0..<count).map { number in
            var tab = TabMetadata(
                id: TabID(high: 1, low: UInt64(number)),
                place: distinct.count < 12 ? generator.pick(distinct) : distinct[number])
            tab.isPinned = generator.chance(1, in: 5)
            if generator.chance(1, in: 2) { tab.group = generator.pick(groups) }
            if generator.chance(1, in: 4) {
                tab.opener = TabOpener(
                    tab: TabID(high: 1, low: UInt64(generator.integer(in: 0...14))))
            }
            tab.navigationItemCount = Int32(generator.integer(in: -1...5))
            tab.lastActiveAt.microseconds = Int64(generator.integer(in: 0...3))
            return tab
        }
        tabs.sort { ($0.place, $0.id) < ($1.place, $1.id) }
        var attributes = SessionAttributes()
        if generator.chance(2, in: 3) {
            attributes.activeTab = TabID(high: 1, low: UInt64(generator.integer(in: 0...14)))
        }
        for _ in 0..<generator.integer(in: 0...5) {
            attributes.groups.append(TabGroup(id: generator.pick(groups)))
        }
        let id = SessionID(window: WindowID(high: 1, low: 1))
        return RestoredSession(id: id, attributes: attributes, tabs: tabs)
    }

    static func repaired(_ broken: RestoredSession) -> RestoredSession {
        let ids = Set(broken.tabs.map(\.id))
        var session = broken
        session.repairs = []
        session.repair { ids.contains($0) }
        return session
    }

    /// The rules of tab lists, stated without the code that repairs them.
    static func problems(_ session: RestoredSession) -> [String] {
        var problems: [String] = []
        let ids = session.tabs.map(\.id)
        if let last = session.tabs.lastIndex(where: \.isPinned),
            !session.tabs[...last].allSatisfy(\.isPinned)
        {
            problems.append("a pinned tab is behind others")
        }
        if session.tabs.contains(where: { $0.isPinned && $0.group != nil }) {
            problems.append("a pinned tab is in a group")
        }
        let used = Set(session.tabs.compactMap(\.group))
        for group in used {
            let members = session.tabs.indices.filter { session.tabs[$0].group == group }
            if members.last.map({ $0 - members[0] + 1 }) != members.count {
                problems.append("a group is in pieces")
            }
        }
        let listed = session.attributes.groups.map(\.id)
        if Set(listed) != used || listed.count != used.count { problems.append("wrong groups") }
        for tab in session.tabs {
            if let opener = tab.opener?.tab, opener == tab.id || !ids.contains(opener) {
                problems.append("an opener is not another tab of the session")
            }
            if tab.navigationItemCount < 0 { problems.append("a negative count") }
        }
        if let active = session.attributes.activeTab, !ids.contains(active) {
            problems.append("the active tab is not in the session")
        }
        return problems
    }

    @Test func afterRepairTheRulesHold() {
        var generator = SeededGenerator(seed: 111)
        var (changed, equalPlaces) = (0, 0)
        for _ in 0..<5000 {
            let broken = Self.broken(&generator)
            let result = Self.repaired(broken)
            #expect(Self.problems(result) == [])
            #expect(result.repairs.isEmpty == Self.problems(broken).isEmpty)
            var content = result
            content.repairs = []
            #expect((content == broken) == result.repairs.isEmpty)
            #expect(result.tabs.map(\.id).sorted() == broken.tabs.map(\.id).sorted())
            let stored = result.tabs.sorted { ($0.place, $0.id) < ($1.place, $1.id) }
            #expect(stored == result.tabs, "a store would give it back in another order")
            #expect(Self.repaired(result).repairs == [])
            if !result.repairs.isEmpty { changed += 1 }
            if Set(broken.tabs.map(\.place)).count < broken.tabs.count { equalPlaces += 1 }
        }
        #expect(changed > 4000 && changed < 5000)
        #expect(equalPlaces > 1000)
    }

    @Test("Tabs that need not move keep their places, and only what broke a rule changes")
    func littleChanges() {
        var generator = SeededGenerator(seed: 112)
        for _ in 0..<2000 {
            let broken = Self.broken(&generator)
            let old = Dictionary(uniqueKeysWithValues: broken.tabs.map { ($0.id, $0) })
            guard Set(broken.tabs.map(\.place)).count == broken.tabs.count else { continue }
            let result = Self.repaired(broken)
            #expect(result.tabs.map(\.place).isStrictlyAscending)
            let moved = Set(
                result.repairs.filter { [.pinnedTabMoved, .groupedTabMoved].contains($0.kind) }
                    .compactMap(\.tab))
            for tab in result.tabs {
                #expect((tab.place == old[tab.id]?.place) == !moved.contains(tab.id))
            }
        }
    }
}
