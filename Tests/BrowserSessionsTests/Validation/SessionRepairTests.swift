import Expectations

@testable import BrowserSessions
@testable import StorageEngines

/// Which tab a repair names, and what is put in the place of a wrong value. The rest is RESTORE-12.
struct SessionRepairTests {
    func id(_ number: Int) -> TabID { TabID(high: 1, low: UInt64(number)) }

    /// Tabs at even places; `edit` breaks them.
    func session(_ count: Int, _ edit: (inout RestoredSession) -> Void) -> RestoredSession {
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

    @Test func openersAreOtherTabsOfTheSession() {
        let result = repaired(
            session(3) {
                $0.tabs[0].opener = TabOpener(tab: id(0))
                $0.tabs[1].opener = TabOpener(tab: id(99), navigationIndex: 2)
                $0.tabs[2].opener = TabOpener(tab: id(1), navigationIndex: -5)
            })
        expect(result.tabs.map(\.opener?.tab), is: [nil, nil, id(1)])
        expect(result.repairs, is: [0, 1].map { SessionRepair(.openerRemoved, tab: id($0)) })
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
